// status: the workspace, the rights of the token, and the parts of the state that it may see.
import type { FileMirrors } from '../../../sdk/index.ts';
import { statusSpec } from '../../contract/mcp.ts';
import { isRefusal, newestEvent } from '../events-after.ts';
import { conflictPathsMax, deadLettersCountedMax } from '../limits.ts';
import { defineTool } from './tool.ts';

export const status = defineTool(statusSpec, async (_input, call) => {
  const { client, session, signal } = call;
  const { workspaceId, canWrite, roots } = session;
  const unavailable: { part: string; code: string }[] = [];
  const partOf = async <Part>(part: string, read: Promise<Part>): Promise<Part | undefined> =>
    await read.catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      unavailable.push({ part, code: error.code });
      return undefined;
    });
  const [cursor, synced, deadLetters, pending] = await Promise.all([
    newestEvent(call, roots),
    partOf('mirrors', client.mirrors.ofFiles(workspaceId, { signal })),
    partOf(
      'deadLetters',
      client.sync.deadLetters.list(workspaceId, { limit: deadLettersCountedMax, signal }),
    ),
    partOf('pendingWriteback', client.writeback.pending(workspaceId, { signal })),
  ]);
  return {
    workspaceId,
    readOnly: !canWrite,
    mayRead: [...roots],
    cursor,
    ...(synced === undefined ? {} : syncOf(synced)),
    ...(deadLetters === undefined ? {} : { deadLetters: deadLetters.items.length }),
    ...(pending === undefined ? {} : { pendingWriteback: pending.length }),
    unavailable,
  };
});

function syncOf({ mirrors, conflicts }: FileMirrors) {
  return {
    mirrors: mirrors.map(({ path, mode, state }) => ({ path, mode, state })),
    conflicts: conflicts.length,
    conflictPaths: conflicts.slice(0, conflictPathsMax).map(({ path }) => path),
  };
}
