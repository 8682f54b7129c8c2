// Icon, actor and verb of an event in the short feed. Pure. A v1 event does not name the agent that made a change.
import type { EventFrame, EventType } from '../../../server/contract/events.ts';
import type { Meaning } from '../../parts/feedback/icon.tsx';
import type { ActorView } from '../actor-view.ts';

export interface EventView {
  readonly icon: Meaning;
  /** A provider or Mooring itself; null: the event does not name its actor. */
  readonly actor: ActorView | null;
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
  'sync.stale': 'outdated event',
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

/** Other events, such as echoes, are not part of the short feed. */
export function isFileChange(event: { readonly type: EventType }): boolean {
  return event.type.startsWith('file.') || event.type.startsWith('writeback.');
}

export function eventView(event: Pick<EventFrame, 'type' | 'origin' | 'provider'>): EventView {
  const verb = verbs[event.type];
  const icon = icons[event.type] ?? 'info';
  const provider: ActorView | null =
    event.provider === undefined ? null : { kind: 'provider', name: event.provider };
  if (event.origin === 'provider_sync') return { icon: 'webhook', actor: provider, verb };
  if (event.type.startsWith('writeback.')) return { icon, actor: provider, verb };
  // An `agent_write` comes from a program or from the mirrored folder; the history names the actor (api/revision-actors).
  return { icon, actor: event.origin === 'system' ? { kind: 'mooring', name: 'Mooring' } : null, verb };
}

/** With a capital first letter. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
