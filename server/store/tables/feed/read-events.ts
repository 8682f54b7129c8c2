// Reads the event feed. A subject sees an event where the rules stored with it and, while the path exists, the current rules allow
// it (docs/wire-contract.md#events).
import { effectiveRules, isAllowed } from '../../../core/access/acl.ts';
import type { AccessSubject } from '../../../core/entry.ts';
import { isWithin } from '../../../core/paths/path.ts';
import { isInGap, readCounter } from '../../database/counters.ts';
import { hexHash, hexText, originOf } from '../../database/rows.ts';
import type { ReadStatements } from '../../database/statements.ts';
import type { EventReader, EventRow } from '../../port/store.ts';
import { entryAt } from '../files/files.ts';
import { AccessView } from '../files/visible-files.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';

/** Rows scanned per page; a filter with few matches gives short pages with a position to continue from. */
const eventsScannedMax = 10_000;

interface Row {
  readonly seq: number;
  readonly type: string;
  readonly path: string;
  readonly revision: number | null;
  /** Hex in capitals; empty where the event names no content. */
  readonly hash: string;
  readonly origin: number;
  readonly provider: string | null;
  readonly correlation_id: string;
  readonly at: number;
  readonly rules: string | null;
}

const columns = `seq, type, path, revision, ${hexHash}, origin, provider, correlation_id, at, rules`;
const texts = {
  asc: `SELECT ${columns} FROM events WHERE workspace = ? AND seq > ? ORDER BY seq LIMIT ?`,
  desc: `SELECT ${columns} FROM events WHERE workspace = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
} as const;

type EventQuery = Parameters<EventReader['list']>[1];

export function listEvents(
  statements: ReadStatements,
  workspaceId: string,
  query: EventQuery,
): Awaited<ReturnType<EventReader['list']>> {
  return statements.consistently(() => {
    const workspace = workspaceNumber(statements, workspaceId);
    if (workspace === null) return { events: [], more: false, scannedTo: null };
    const view = new AccessView(statements, workspace, query.access);
    const events: EventRow[] = [];
    let scannedTo: number | null = null;
    let position = query.from ?? (query.direction === 'asc' ? 0 : Number.MAX_SAFE_INTEGER);
    for (let scanned = 0; scanned < eventsScannedMax; ) {
      // One row beyond the page shows whether there is more, and does not count as scanned.
      const asked = Math.min(query.limit - events.length, eventsScannedMax - scanned) + 1;
      const rows = statements.all<Row>(texts[query.direction], workspace, position, asked);
      for (const row of rows.slice(0, asked - 1)) {
        scannedTo = row.seq;
        position = row.seq;
        if (matches(row, query) && isVisible(statements, workspace, view, row, query.access)) {
          events.push(eventOf(workspaceId, row));
        }
      }
      scanned += asked - 1;
      if (rows.length < asked) return { events, more: false, scannedTo };
      if (events.length === query.limit) return { events, more: true, scannedTo };
    }
    return { events, more: true, scannedTo };
  });
}

/** All events after a position, without a decision for a subject. */
export function eventsAfter(
  statements: ReadStatements,
  workspaceId: string,
  from: number,
  limit: number,
): Awaited<ReturnType<EventReader['after']>> {
  return statements.consistently(() => {
    const workspace = workspaceNumber(statements, workspaceId);
    if (workspace === null) return { events: [], more: false, areOpen: true, isOpen: true };
    const isOpen =
      statements.get('SELECT 1 FROM access_rules WHERE workspace = ? LIMIT 1', workspace) === undefined;
    const rows = statements.all<Row>(texts.asc, workspace, from, limit + 1);
    const more = rows.length > limit;
    if (more) rows.pop();
    return {
      events: rows.map((row) => eventOf(workspaceId, row)),
      more,
      areOpen: rows.every((row) => row.rules === null),
      isOpen,
    };
  });
}

/** Binary search: each step reads one row, however long the feed is. */
export function eventPositionAt(statements: ReadStatements, workspaceId: string, atMs: number): number {
  return statements.consistently(() => {
    const workspace = workspaceNumber(statements, workspaceId);
    // Everything up to `before` is older; nothing from `after` on is.
    let before = 0;
    let after = readCounter(statements, 'event') + 1;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      const row = statements.get<{ seq: number; at: number }>(
        'SELECT seq, at FROM events WHERE workspace = ? AND seq >= ? ORDER BY seq LIMIT 1',
        workspace,
        middle,
      );
      if (row === undefined || row.at >= atMs) after = middle;
      else before = row.seq;
    }
    return before;
  });
}

/** One counter numbers the events of all workspaces, and retention deletes by it, so its range holds for each of them. */
export function eventRange(
  statements: ReadStatements,
  _workspaceId: string,
): { oldest: number; last: number } {
  return statements.consistently(() => {
    const last = readCounter(statements, 'event');
    const floor = readCounter(statements, 'event_floor');
    return { oldest: last > floor ? floor + 1 : 0, last };
  });
}

/** Events after the position are not retained, or it is of an event that was lost with the end of the feed. */
export function isPositionGone(statements: ReadStatements, workspaceId: string, position: number): boolean {
  return statements.consistently(() => {
    const { oldest, last } = eventRange(statements, workspaceId);
    if (oldest === 0 ? position < last : position < oldest - 1) return true;
    return isInGap(statements, 'event', position);
  });
}

function matches(row: Row, query: EventQuery): boolean {
  if (query.provider !== null && row.provider !== query.provider.toLowerCase()) return false;
  if (query.pathPrefix === null) return true;
  return query.pathOnly === true ? row.path === query.pathPrefix : isWithin(query.pathPrefix, row.path);
}

function isVisible(
  statements: ReadStatements,
  workspace: number,
  view: AccessView,
  row: Row,
  access: AccessSubject | null,
): boolean {
  if (access === null) return true;
  if (row.rules !== null) {
    const then = effectiveRules([JSON.parse(row.rules) as string[]], []);
    if (!isAllowed(then, access)) return false;
  }
  if (view.isOpen) return true;
  const entry = entryAt(statements, workspace, row.path);
  return entry?.type !== 'file' || view.allowsFile(entry);
}

function eventOf(workspaceId: string, row: Row): EventRow {
  return {
    seq: row.seq,
    workspaceId,
    type: row.type,
    path: row.path,
    revision: row.revision,
    hash: row.hash === '' ? null : hexText(row.hash),
    origin: originOf(row.origin),
    provider: row.provider,
    correlationId: row.correlation_id,
    atMs: row.at,
  };
}
