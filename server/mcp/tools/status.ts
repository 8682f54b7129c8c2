// status: the workspace, the rights of the token, and the parts of the state that it may see.
import { statusSpec } from '../../contract/mcp.ts';
import { isRefusal, newestEvent } from '../events-after.ts';
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
  const [cursor, mirrors, conflicts, deadLetters, pending] = await Promise.all([
    newestEvent(call, roots),
    partOf('mirrors', client.mirrors.list(workspaceId, { signal })),
    partOf('conflicts', client.conflicts.list(workspaceId, { signal })),
    partOf('deadLetters', client.sync.deadLetters.list(workspaceId, { limit: 1000, signal })),
    partOf('pendingWriteback', client.writeback.pending(workspaceId, { signal })),
  ]);
  return {
    workspaceId,
    readOnly: !canWrite,
    mayRead: [...roots],
    cursor,
    ...(mirrors === undefined
      ? {}
      : { mirrors: mirrors.map((mirror) => ({ state: mirror.state, problems: mirror.problems })) }),
    ...(conflicts === undefined ? {} : { conflicts: conflicts.length }),
    ...(deadLetters === undefined ? {} : { deadLetters: deadLetters.items.length }),
    ...(pending === undefined ? {} : { pendingWriteback: pending.length }),
    unavailable,
  };
});
