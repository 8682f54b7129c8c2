// What would be sent, for people: what should be known first, the request, the difference to what the provider has.
import type { WritebackPreview } from '../../sdk/index.ts';
import { formatBytes, note, print } from './output.ts';

export function printPreview(preview: WritebackPreview): void {
  const { opId, action, path, revision, providerRevision, sizeBytes, request, warnings, diff } = preview;
  print(`${opId}  ${action} ${path}  ${revision}, ${formatBytes(sizeBytes)}`);
  print(`provider has: ${providerRevision ?? 'nothing, as far as is known'}`);
  print(
    request === undefined
      ? 'no request: a consumer carries it, or nobody'
      : `${request.method} ${request.url}`,
  );
  for (const [name, value] of Object.entries(request?.headers ?? {})) print(`  ${name}: ${value}`);
  if (diff === undefined) print('(no difference to show: no text, too large, or not there any more)');
  else print(diff.trimEnd());
  for (const warning of warnings) note(`Warning: ${warning}.`);
  note('Nothing was sent.');
}
