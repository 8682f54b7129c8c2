// Prints operations: the result of a bulk request, and a preview (the request, the diff against the provider's revision, warnings).
import type { OperationBulkResult, WritebackPreview } from '../../../sdk/index.ts';
import { formatBytes, note, print } from './output.ts';

export function printResults(results: OperationBulkResult['results']): void {
  for (const { opId, path, message } of results) {
    print([opId, path ?? '', message ?? ''].join(' ').trimEnd());
  }
}

export function printPreview(preview: WritebackPreview): void {
  const { opId, action, path, revision, providerRevision, sizeBytes, request, warnings, diff } = preview;
  print(`${opId}  ${action} ${path}  ${revision}, ${formatBytes(sizeBytes)}`);
  print(`provider revision: ${providerRevision ?? 'unknown'}`);
  print(
    request === undefined
      ? 'No request: an external consumer sends this operation.'
      : `${request.method} ${request.url}`,
  );
  for (const [name, value] of Object.entries(request?.headers ?? {})) print(`  ${name}: ${value}`);
  if (diff === undefined) print(`(${diffOmittedText(preview)})`);
  else print(diff.trimEnd());
  for (const warning of warnings) note(`Warning: ${warning}.`);
  note('Nothing was sent.');
}

function diffOmittedText({ diffOmitted, sizeBytes, providerSizeBytes = 0 }: WritebackPreview): string {
  const sizes = `${formatBytes(providerSizeBytes)} before, ${formatBytes(sizeBytes)} after`;
  switch (diffOmitted) {
    case 'binary':
      return `no diff: binary, ${sizes}`;
    case 'too_large':
      return `no diff: too large, ${sizes}`;
    case 'too_different':
      return `no diff: too different, ${sizes}`;
    default:
      return 'no diff: nothing to send';
  }
}
