// What an event of the feed says in words. Pure. "By whom" only where the record tells it: v1 events name no agent.
import type { EventFrame, EventType } from '../../../server/contract/events.ts';
import type { Meaning } from '../../parts/feedback/icon.tsx';

export interface EventView {
  readonly icon: Meaning;
  /** A provider's name, or Mooring itself; null where the event does not tell who. */
  readonly by: string | null;
  readonly verb: string;
}

const verbs: Record<EventType, string> = {
  'file.created': 'created',
  'file.updated': 'changed',
  'file.deleted': 'deleted',
  'dir.created': 'created',
  'dir.deleted': 'deleted',
  'sync.error': 'sync error',
  'sync.ignored': 'event ignored',
  'sync.suppressed': 'echo ignored',
  'sync.stale': 'stale event',
  'writeback.failed': 'writeback failed',
  'writeback.succeeded': 'written back',
};

const icons: Partial<Record<EventType, Meaning>> = {
  'file.created': 'created',
  'file.updated': 'edit',
  'file.deleted': 'deleted',
  'writeback.failed': 'failed',
  'writeback.succeeded': 'writeback',
};

/** Events that are no change of a file (echoes and the like) are left out of short feeds. */
export function isFileChange(event: { readonly type: EventType }): boolean {
  return event.type.startsWith('file.') || event.type.startsWith('writeback.');
}

export function eventView(event: Pick<EventFrame, 'type' | 'origin' | 'provider'>): EventView {
  const verb = verbs[event.type];
  const icon = icons[event.type] ?? 'info';
  if (event.origin === 'provider_sync') return { icon: 'webhook', by: event.provider ?? null, verb };
  if (event.type.startsWith('writeback.')) return { icon, by: event.provider ?? null, verb };
  // An `agent_write` may come from a program or from the mirrored folder; the history says which (api/revision-actors).
  return { icon, by: event.origin === 'system' ? 'Mooring' : null, verb };
}

/** A sentence's beginning. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
