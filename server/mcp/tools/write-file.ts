// write_file: writes a whole file with a precondition, or shows what the write would change.
import { writeFileSpec } from '../../contract/mcp.ts';
import { budgetOf } from '../answer-size.ts';
import { inRun, optionsOf } from '../run-of-call.ts';
import type { ToolCall } from '../session.ts';
import { unifiedDiff } from '../text-diff.ts';
import { loadFileIfAny } from '../text-file.ts';
import { ToolError } from '../tool-error.ts';
import { defineTool } from './tool.ts';

export const writeFile = defineTool(writeFileSpec, async (input, outside) => {
  const call = await inRun(outside, input.runId);
  const { path, content, base64, contentType, baseRevision = '0', dryRun } = input;
  const bytes = base64 === true ? bytesOf(content) : null;
  if (dryRun === true) return await preview(call, path, bytes, content, baseRevision);
  const { client, session } = call;
  const written = await client.files.write(session.workspaceId, path, bytes ?? content, {
    ifMatch: baseRevision,
    ...optionsOf(call),
    ...(contentType === undefined ? {} : { contentType }),
  });
  return { path, dryRun: false, revision: written.targetRevision, truncated: false };
});

function bytesOf(content: string): Uint8Array {
  const bytes = Buffer.from(content, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') === content.replace(/\s|=+$/g, '')) return bytes;
  throw new ToolError('bad_request', 'content is not base64', 'Omit base64 to write text.');
}

async function preview(
  call: ToolCall,
  path: string,
  bytes: Uint8Array | null,
  content: string,
  baseRevision: string,
) {
  const current = await loadFileIfAny(call, path);
  const revision = current?.revision ?? '0';
  const isComparable = bytes === null && (current === null || current.text !== null);
  const { diff, truncated } = isComparable
    ? unifiedDiff(current?.text ?? '', content, budgetOf(undefined))
    : { diff: 'binary content differs\n', truncated: false };
  return {
    path,
    dryRun: true,
    baseRevision: revision,
    diff,
    truncated,
    ...conflictOf(baseRevision, revision),
  };
}

/** Whether a write with this base would be refused. */
export function conflictOf(baseRevision: string, currentRevision: string): { conflict?: string } {
  if (baseRevision === '*' || baseRevision === currentRevision) return {};
  return { conflict: `the current revision is ${currentRevision}, not ${baseRevision}` };
}
