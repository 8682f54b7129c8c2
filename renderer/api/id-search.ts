// Which workspace an id belongs to: ids do not say, so the workspaces are asked, all at once.
import { MooringError } from '../../sdk/errors.ts';
import type { MooringClient } from '../../sdk/index.ts';
import type { PastedId } from '../model/inbound/pasted-id.ts';

/** Workspaces that are asked. */
const askedMax = 32;

/** null: none of them knows it. Rejects when the agent does not answer. */
export async function workspaceOfId(
  client: MooringClient,
  id: PastedId,
  workspaceIds: readonly string[],
): Promise<string | null> {
  const asked = workspaceIds.slice(0, askedMax);
  const known = await Promise.all(asked.map((workspaceId) => isKnown(client, workspaceId, id)));
  return asked[known.indexOf(true)] ?? null;
}

async function isKnown(client: MooringClient, workspaceId: string, { kind, id }: PastedId): Promise<boolean> {
  try {
    switch (kind) {
      case 'operation':
        await client.getOperation(workspaceId, id);
        return true;
      case 'deadLetter':
        await client.sync.deadLetters.detail(workspaceId, id);
        return true;
      case 'conflict':
        await client.conflicts.get(workspaceId, id);
        return true;
      case 'event': {
        const before = `evt_${Number(id.slice('evt_'.length)) - 1}`;
        const page = await client.getEvents(workspaceId, { cursor: before, limit: 1 });
        return page.events[0]?.eventId === id;
      }
    }
  } catch (error) {
    if (error instanceof MooringError && error.status < 500) return false;
    throw error;
  }
}
