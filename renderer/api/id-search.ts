// Finds the workspace of an id by requests to all workspaces, some at a time, until one has it.
import { MooringError } from '../../sdk/errors.ts';
import type { MooringClient } from '../../sdk/index.ts';
import type { PastedId } from '../model/inbound/pasted-id.ts';

/** Limit of requests, and of those at the same time. */
const askedMax = 1_000;
const askedAtOnce = 16;

/** null: not found. Rejects when the agent does not respond. */
export async function workspaceOfId(
  client: MooringClient,
  id: PastedId,
  workspaceIds: readonly string[],
): Promise<string | null> {
  const ids = workspaceIds.slice(0, askedMax);
  for (let from = 0; from < ids.length; from += askedAtOnce) {
    const asked = ids.slice(from, from + askedAtOnce);
    const results = await Promise.all(asked.map((workspaceId) => contains(client, workspaceId, id)));
    const found = asked[results.indexOf(true)];
    if (found !== undefined) return found;
  }
  return null;
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
