// Names, filters and precise times of the events in Activity. Pure.
import type { EventFrame, EventType } from '../../../server/contract/events.ts';
import type { Meaning } from '../../parts/feedback/icon.tsx';
import type { ActorView } from '../actor-view.ts';
import { clock } from '../format.ts';
import { isWithin, type TimeRange } from './time-range.ts';

export const activityKinds = ['all', 'files', 'writeback', 'sync', 'errors'] as const;
export type ActivityKind = (typeof activityKinds)[number];
export const kindNames: Record<ActivityKind, string> = {
  all: 'All events',
  files: 'File changes',
  writeback: 'Writeback',
  sync: 'Sync',
  errors: 'Errors',
};

interface EventName {
  readonly name: string;
  readonly icon: Meaning;
}

export const eventNames: Record<EventType, EventName> = {
  'file.created': { name: 'File created', icon: 'created' },
  'file.updated': { name: 'File changed', icon: 'edit' },
  'file.deleted': { name: 'File deleted', icon: 'deleted' },
  'dir.created': { name: 'Folder created', icon: 'addFolder' },
  'dir.deleted': { name: 'Folder deleted', icon: 'deleted' },
  'sync.error': { name: 'Sync error', icon: 'warning' },
  'sync.ignored': { name: 'Event ignored', icon: 'canceled' },
  'sync.suppressed': { name: 'Echo ignored', icon: 'canceled' },
  'sync.stale': { name: 'Outdated event', icon: 'waiting' },
  'writeback.failed': { name: 'Writeback failed', icon: 'failed' },
  'writeback.succeeded': { name: 'Written back', icon: 'writeback' },
};

export function isError({ type }: Pick<EventFrame, 'type'>): boolean {
  return type === 'sync.error' || type === 'writeback.failed';
}

/** Echoes and outdated events are hidden by default. */
function isEcho({ type }: Pick<EventFrame, 'type'>): boolean {
  return type === 'sync.suppressed' || type === 'sync.stale';
}

export interface ActivityFilter {
  readonly kind: ActivityKind;
  readonly showsEchoes: boolean;
  /** Part of a path or of an actor's name, or the beginning of an event, revision or correlation id. */
  readonly text: string;
  /** null: any time. */
  readonly range: TimeRange | null;
}

/** null: unknown, or not loaded yet. */
export type ActorOf = (event: EventFrame) => ActorView | null;

export function passes(event: EventFrame, filter: ActivityFilter, actorOf: ActorOf): boolean {
  if (!filter.showsEchoes && isEcho(event)) return false;
  if (!isOfKind(event, filter.kind)) return false;
  if (filter.range !== null && !isWithin(filter.range, Date.parse(event.timestamp))) return false;
  const text = filter.text.trim().toLowerCase();
  return (
    text === '' ||
    event.path.toLowerCase().includes(text) ||
    event.eventId.startsWith(text) ||
    event.revision.startsWith(text) ||
    (event.correlationId?.toLowerCase().startsWith(text) ?? false) ||
    (actorOf(event)?.name.toLowerCase().includes(text) ?? false)
  );
}

function isOfKind(event: EventFrame, kind: ActivityKind): boolean {
  switch (kind) {
    case 'all':
      return true;
    case 'files':
      return event.type.startsWith('file.') || event.type.startsWith('dir.');
    case 'writeback':
      return event.type.startsWith('writeback.');
    case 'sync':
      return event.type.startsWith('sync.');
    case 'errors':
      return isError(event);
  }
}

/** A typed path as the API expects it: `/` at the beginning, none at the end. */
export function feedPath(typed: string): string {
  const trimmed = typed.trim().replace(/\/+$/, '');
  if (trimmed === '') return '/';
  return trimmed.startsWith('/') ? trimmed : `/${trimmed}`;
}

export function isBelow(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

/** The n of `evt_<n>`, by which events are ordered. */
export function eventNumber(eventId: string): number {
  return Number(eventId.slice(eventId.indexOf('_') + 1)) || 0;
}

/** At most `max` items around `index`, or the first ones if it is -1. */
export function around<Item>(items: readonly Item[], index: number, max: number): readonly Item[] {
  const from = Math.max(0, Math.min(index - Math.floor(max / 2), items.length - max));
  return items.slice(from, from + max);
}

/** `12:31:22.037` */
export function preciseClock(timestamp: string): string {
  const at = new Date(timestamp);
  return `${clock(at.getTime())}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}
