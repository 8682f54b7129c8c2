// list_files: one page of the tree.
import { listFilesSpec } from '../../contract/mcp.ts';
import { budgetOf, fitting } from '../answer-size.ts';
import { onlyRoot } from '../only-root.ts';
import { inRun, optionsOf } from '../run-of-call.ts';
import { defineTool } from './tool.ts';

const depthDefault = 3;

export const listFiles = defineTool(listFilesSpec, async (input, outside) => {
  const call = await inRun(outside, input.runId);
  const { client, session } = call;
  const { depth = depthDefault, cursor, maxCharacters } = input;
  const path = input.path ?? onlyRoot(session.roots);
  const page = await client.files.tree(session.workspaceId, {
    path,
    depth,
    ...optionsOf(call),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const entries = page.entries.map(({ path, type, revision, size }) => ({
    path,
    type,
    ...(type === 'file' ? { revision, size: size ?? 0 } : {}),
  }));
  const shown = fitting(entries, budgetOf(maxCharacters));
  const nextCursor = shown.length < entries.length ? (shown.at(-1)?.path ?? null) : page.nextCursor;
  return {
    path: page.path,
    entries: [...shown],
    truncated: nextCursor !== null,
    ...(nextCursor === null ? {} : { nextCursor }),
  };
});
