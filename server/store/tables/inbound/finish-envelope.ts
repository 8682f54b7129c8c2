// Changes the state of an envelope, with its counters and, where the feed reports it, its event.
import type { EnvelopeOutcome, FailureCause } from '../../../contract/sync.ts';
import { codeOf } from '../../database/rows.ts';
import type { WriteStatements } from '../../database/statements.ts';
import { appendEvent, type EventDeps } from '../feed/append-system-events.ts';
import { outcomeWords, type StoredEnvelope } from './envelopes.ts';
import type { IngressCounts } from './ingress.ts';

export interface EnvelopeDeps extends EventDeps {
  readonly ingress: IngressCounts;
}

/** Settles it. A failed one keeps its body for people to read; of all others the delivery id is enough. */
export function finishEnvelope(
  { statements, ingress }: EnvelopeDeps,
  envelope: StoredEnvelope,
  outcome: EnvelopeOutcome,
  atMs: number,
): void {
  const keepsBody = envelope.attempts > 0;
  // An envelope without effect does not prove that its sender was allowed anything: another sender may repeat it.
  const keepsAuthority = outcome === 'coalesced' || outcome === 'acknowledged';
  statements.run(
    `UPDATE envelopes SET state = 3, outcome = ?, settled_at = ?, next_attempt_at = NULL,
       body = CASE WHEN ? = 1 THEN body END, edited = CASE WHEN ? = 1 THEN edited END,
       authority = CASE WHEN ? = 1 THEN authority END WHERE number = ?`,
    codeOf(outcomeWords, outcome),
    atMs,
    keepsBody ? 1 : 0,
    keepsBody ? 1 : 0,
    keepsAuthority ? 1 : 0,
    envelope.number,
  );
  const wasPending = envelope.state === 'pending';
  if (wasPending) ingress.moveQueue(-1, -envelope.sizeBytes);
  ingress.count(envelope.workspace, envelope.provider, {
    [outcome]: 1,
    ...(wasPending ? { pending: -1 } : { dead: -1 }),
  });
}

/** A pending envelope becomes a dead letter; the feed reports it. */
export function deadLetterEnvelope(
  deps: EnvelopeDeps,
  envelope: StoredEnvelope,
  cause: FailureCause,
  message: string,
  atMs: number,
): void {
  const { statements, ingress } = deps;
  addAttempt(statements, envelope, cause, message, atMs);
  statements.run(
    `UPDATE envelopes SET state = 2, failed_at = ?, next_attempt_at = NULL, cause = ?, last_error = ? WHERE number = ?`,
    atMs,
    cause,
    message,
    envelope.number,
  );
  ingress.moveQueue(-1, -envelope.sizeBytes);
  ingress.count(envelope.workspace, envelope.provider, { pending: -1, dead: 1, dead_lettered: 1 });
  recordProviderSync(deps, envelope, 'sync.error', atMs);
}

/** An event of the sync itself: path "/", no revision. */
export function recordProviderSync(
  deps: EventDeps,
  envelope: StoredEnvelope,
  type: 'sync.error' | 'sync.ignored' | 'sync.suppressed' | 'sync.stale',
  atMs: number,
): void {
  appendEvent(
    deps,
    { number: envelope.workspace, workspaceId: envelope.workspaceId },
    {
      type,
      path: '/',
      revision: null,
      origin: 'provider_sync',
      provider: envelope.provider,
      correlationId: envelope.correlationId,
      atMs,
      rules: null,
    },
  );
}

export function addAttempt(
  statements: WriteStatements,
  envelope: StoredEnvelope,
  cause: FailureCause,
  message: string,
  atMs: number,
): void {
  statements.run(
    'INSERT INTO envelope_attempts (envelope, attempt, at, cause, message) VALUES (?, ?, ?, ?, ?)',
    envelope.number,
    envelope.attempts + 1,
    atMs,
    cause,
    message,
  );
  statements.run(
    'UPDATE envelopes SET attempts = attempts + 1, tries = tries + 1, cause = ?, last_error = ? WHERE number = ?',
    cause,
    message,
    envelope.number,
  );
}
