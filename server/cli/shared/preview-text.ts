// What would be sent, for people: what should be known first, the request, the difference to what the provider has.
import type { WritebackPreview } from '../../../sdk/index.ts';
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
  if (diff === undefined) print(`(${whyNoDiff(preview)})`);
  else print(diff.trimEnd());
  for (const warning of warnings) note(`Warning: ${warning}.`);
  note('Nothing was sent.');
}

function whyNoDiff({ diffOmitted, sizeBytes, providerSizeBytes = 0 }: WritebackPreview): string {
  const sizes = `${formatBytes(providerSizeBytes)} before, ${formatBytes(sizeBytes)} after`;
  switch (diffOmitted) {
    case 'binary':
      return `no diff, the content is not text: ${sizes}`;
    case 'too_large':
      return `no diff, too large to be compared: ${sizes}`;
    case 'too_different':
      return `no diff, too different to show line by line: ${sizes}`;
    default:
      return 'no diff: nothing can be sent';
  }
}
