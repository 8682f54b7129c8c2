// Finds the workspace of an id by requests to all workspaces in parallel.
import { MooringError } from '../../sdk/errors.ts';
import type { MooringClient } from '../../sdk/index.ts';
import type { PastedId } from '../model/inbound/pasted-id.ts';

/** Limit of requests. */
const askedMax = 32;

/** null: not found. Rejects when the agent does not respond. */
export async function workspaceOfId(
  client: MooringClient,
  id: PastedId,
  workspaceIds: readonly string[],
): Promise<string | null> {
  const asked = workspaceIds.slice(0, askedMax);
  const results = await Promise.all(asked.map((workspaceId) => contains(client, workspaceId, id)));
  return asked[results.indexOf(true)] ?? null;
}

async function contains(
  client: MooringClient,
  workspaceId: string,
  { kind, id }: PastedId,
): Promise<boolean> {
  try {
    switch (kind) {
      case 'operation':
        await client.operations.get(workspaceId, id);
        return true;
      case 'deadLetter':
        await client.sync.deadLetters.detail(workspaceId, id);
        return true;
      case 'conflict':
        await client.conflicts.get(workspaceId, id);
        return true;
      case 'correlation':
        return (await client.operations.list(workspaceId, { text: id, limit: 1 })).items.some(
          ({ correlationId }) => correlationId === id,
        );
      case 'event': {
        const before = `evt_${Number(id.slice('evt_'.length)) - 1}`;
        const page = await client.events.page(workspaceId, { cursor: before, limit: 1 });
        return page.events[0]?.eventId === id;
      }
    }
  } catch (error) {
    if (error instanceof MooringError && error.status < 500) return false;
    throw error;
  }
}
