// move_file: moves a file or a folder as one change.

import { NotFoundError } from '../../../sdk/index.ts';
import { moveFileSpec } from '../../contract/mcp.ts';
import { inRun } from '../run-of-call.ts';
import type { ToolCall } from '../session.ts';
import {
  commitTogether,
  filesAt,
  type ListedFile,
  manyFiles,
  requireConfirmation,
} from '../staged-changes.ts';
import { ToolError } from '../tool-error.ts';
import { defineTool } from './tool.ts';
import { conflictOf } from './write-file.ts';

export const moveFile = defineTool(moveFileSpec, async (input, outside) => {
  const call = await inRun(outside, input.runId);
  const { from, to, baseRevision = '0', dryRun, confirm } = input;
  const source = trimmed(from);
  const target = trimmed(to);
  if (source === '/' || target === source || target.startsWith(`${source}/`)) {
    throw new ToolError('bad_request', `${from} cannot be moved to ${to}`, 'Choose a target outside of it.');
  }
  const files = await filesAt(call, source);
  if (files.length === 0)
    throw new ToolError('not_found', `there is no file at or below ${from}`, 'Call list_files.');
  const moves = files.map((file) => ({ file, to: target + file.path.slice(source.length) }));
  const answer = {
    from,
    to,
    ...manyFiles(
      moves.map((move) => move.to),
      dryRun === true,
    ),
  };
  if (dryRun === true) return { ...answer, ...(await conflictsOf(call, moves, baseRevision)) };
  requireConfirmation(files.length, confirm, 'move');
  const revision = await commitTogether(call, async (forkId) => {
    for (const move of moves) await stageMove(call, forkId, move, baseRevision);
  });
  return revision === undefined ? answer : { ...answer, revision };
});

/** The targets that would refuse the move. */
async function conflictsOf(
  { client, session, signal, forkId }: ToolCall,
  moves: readonly { readonly to: string }[],
  baseRevision: string,
): Promise<{ conflict?: string }> {
  const options = { signal, ...(forkId === undefined ? {} : { forkId }) };
  const conflicts: string[] = [];
  for (const { to } of moves) {
    const found = await client.files.stat(session.workspaceId, to, options).catch((error: unknown) => {
      if (error instanceof NotFoundError) return null;
      throw error;
    });
    const { conflict } = conflictOf(baseRevision, found?.revision ?? '0');
    if (conflict !== undefined) conflicts.push(`${to}: ${conflict}`);
  }
  const [first, ...others] = conflicts;
  if (first === undefined) return {};
  return { conflict: others.length === 0 ? first : `${first}; and ${others.length} more` };
}

/** With its metadata, and only if the file is the one that was listed. */
async function stageMove(
  { client, session, signal }: ToolCall,
  forkId: string,
  { file, to }: { readonly file: ListedFile; readonly to: string },
  ifMatch: string,
): Promise<void> {
  const move = { from: file.path, revision: file.revision, to, ifMatch };
  await client.files.stageMove(session.workspaceId, forkId, move, { signal });
}

function trimmed(path: string): string {
  return path === '/' ? path : path.replace(/\/+$/, '');
}
