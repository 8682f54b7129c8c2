// Appends events without a file change: the end of an operation, the outcome of an envelope. Runs in the writer, inside its
// transaction.
import type { EventType } from '../../../contract/events.ts';
import type { Origin } from '../../../contract/words.ts';
import type { Counters } from '../../database/counters.ts';
import { originCode } from '../../database/rows.ts';
import type { WriteStatements } from '../../database/statements.ts';
import { noteEvent } from './subscription-deliveries.ts';

export interface SystemEvent {
  readonly type: Exclude<EventType, `file.${string}` | `dir.${string}`>;
  readonly path: string;
  /** null for sync events, which concern no revision. */
  readonly revision: number | null;
  readonly origin: Origin;
  readonly provider: string | null;
  readonly correlationId: string;
  readonly atMs: number;
  /** Access rules that decide its visibility, as stored with events; null: only the path's current rules. */
  readonly rules: string | null;
}

export interface EventDeps {
  readonly statements: WriteStatements;
  readonly counters: Counters;
  /** Called with the workspace whose feed was touched, after the number of its newest event was taken. */
  readonly touched: (workspaceId: string) => void;
}

export function appendEvent(
  deps: EventDeps,
  workspace: { readonly number: number; readonly workspaceId: string },
  event: SystemEvent,
): void {
  const { statements, counters } = deps;
  statements.run(
    `INSERT INTO events (workspace, seq, type, path, revision, hash, origin, provider, correlation_id, at, rules)
       VALUES (?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?)`,
    workspace.number,
    counters.last.event + 1,
    event.type,
    event.path,
    event.revision,
    originCode(event.origin),
    event.provider,
    event.correlationId,
    event.atMs,
    event.rules,
  );
  const { type, path, revision, origin, correlationId, atMs, rules } = event;
  noteEvent(statements, workspace.number, {
    id: `evt_${counters.last.event + 1}`,
    type,
    path,
    revision: revision === null ? '' : `rev_${revision}`,
    origin,
    provider: event.provider ?? '',
    correlationId,
    timestamp: new Date(atMs).toISOString(),
    atMs,
    rules,
  });
  counters.take({ revision: 0, event: 1, operation: 0 });
  deps.touched(workspace.workspaceId);
}
