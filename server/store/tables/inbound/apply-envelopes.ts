// Applies envelopes: loads the state that the decision needs, lets core/inbound decide, changes the files and finishes the envelope
// with its counters, in the writer's transaction. So each envelope takes effect exactly once.

import { type Authority, accessOf, combined } from '../../../core/access/authority.ts';
import type { FileChange, Refusal } from '../../../core/change/change.ts';
import type { FileEntry } from '../../../core/entry.ts';
import {
  causeOf,
  decideInbound,
  deletionsOf,
  type EventTime,
  type InboundChange,
  refusalOf as inboundRefusalOf,
  overQuota,
} from '../../../core/inbound/decide-envelope.ts';
import type { Unreadable } from '../../../core/inbound/read-payload.ts';
import type { Handlers, Input, Result } from '../../port/commands.ts';
import type { EntryGlimpse, Prepared } from '../../port/envelopes.ts';
import { type ChangeDeps, ChangeSession, RolledBack, refusalOf } from '../change/change-files.ts';
import { noteEvent } from '../feed/subscription-deliveries.ts';
import { fileAt } from '../files/files.ts';
import { loadEnvelope, type StoredEnvelope } from './envelopes.ts';
import {
  deadLetterEnvelope,
  type EnvelopeDeps,
  finishEnvelope,
  recordProviderSync,
} from './finish-envelope.ts';
import { loadInboundState, saveWatermark } from './watermarks.ts';

type Apply = Result<'preview_envelope'>;
type Ended = Exclude<Apply, { outcome: 'gone' }>;

export interface ApplyDeps extends ChangeDeps, EnvelopeDeps {}

/** Envelopes that are applied together. */
interface Batch {
  readonly deps: ApplyDeps;
  readonly session: ChangeSession;
  readonly atMs: number;
  /** Reports the entry before and after. */
  readonly isPreview: boolean;
}

/** One of them, as it was handed in. */
interface Handed {
  readonly envelope: StoredEnvelope;
  readonly prepared: Prepared;
  readonly overwriteNewer: boolean;
  readonly authority: Authority | null;
  readonly mayDelete: boolean;
}

export function applyHandlers(deps: ApplyDeps): Handlers<'apply_envelopes' | 'preview_envelope'> {
  return {
    apply_envelopes({ workspaceId, inputs, atMs }) {
      const session = new ChangeSession(deps, { workspaceId, atMs, makesOperations: false });
      const batch: Batch = { deps, session, atMs, isPreview: false };
      const results = inputs.map(({ number, prepared, mayDelete }): Apply => {
        const envelope = loadEnvelope(deps.statements, number);
        if (envelope?.state !== 'pending') return { outcome: 'gone' };
        if (envelope.workspaceId !== workspaceId) throw new Error('an envelope of another workspace');
        const { overwriteNewer, authority } = envelope;
        const result = applyChange(batch, { envelope, prepared, overwriteNewer, authority, mayDelete });
        finish(deps, envelope, result, atMs);
        if (prepared.ok && prepared.delivery.kind === 'other' && result.outcome === 'ignored')
          noteOther(deps, envelope, prepared.delivery, atMs);
        return result;
      });
      session.flush();
      return results;
    },
    preview_envelope({ number, prepared, overwriteNewer, mayDelete, authority: viewer, actsAs, atMs }) {
      const envelope = loadEnvelope(deps.statements, number);
      if (envelope === null || envelope.state === 'settled') return { outcome: 'gone' };
      const { workspaceId } = envelope;
      const session = new ChangeSession(deps, { workspaceId, atMs, makesOperations: false });
      const authority = actsAs === 'both' ? combined(envelope.authority, viewer) : viewer;
      const handed = { envelope, prepared, overwriteNewer, authority, mayDelete };
      const result = applyChange({ deps, session, atMs, isPreview: true }, handed);
      // Everything was applied and is rolled back: a preview cannot differ from the real outcome.
      throw new RolledBack<Apply>(result);
    },
  };
}

function applyChange(batch: Batch, handed: Handed): Ended {
  const { statements } = batch.deps;
  const { envelope, prepared, overwriteNewer, authority } = handed;
  if (!prepared.ok) return failed(prepared);
  const { delivery } = prepared;
  const moment: EventTime = {
    occurredAtMs: envelope.occurredAtMs,
    acceptedAtMs: envelope.acceptedAtMs,
    number: envelope.number,
  };
  const state = loadInboundState(statements, envelope, delivery, batch.atMs);
  const access = accessOf(authority);
  const denied = inboundRefusalOf(delivery, state, authority, (path) => batch.session.allows(path, access));
  if (denied !== null) return failed(denied);
  const decision = decideInbound(delivery, moment, state, overwriteNewer);
  if (decision.outcome !== 'applied') return decision;
  const stopped = handed.mayDelete ? null : overQuota(decision.changes, authority);
  if (stopped !== null) return failed(stopped);
  const refusal = change(batch, handed, decision.changes);
  if (refusal !== null) return failed({ cause: causeOf(refusal), message: refusal.message });
  if (delivery.kind !== 'other') saveWatermark(statements, envelope, delivery, decision, moment);
  const path = delivery.kind === 'other' ? null : delivery.path;
  return {
    outcome: 'applied',
    path,
    movedFrom: movedFrom(decision.changes, path),
    deleted: deletionsOf(decision.changes),
    before: batch.isPreview ? glimpse(state.atObject ?? state.atPath) : null,
    after: batch.isPreview && path !== null ? glimpse(fileAt(statements, envelope.workspace, path)) : null,
  };
}

function failed({ cause, message }: Unreadable): Ended {
  return { outcome: 'failed', cause, message };
}

/** Counters, events and the envelope's end, by the outcome. */
function finish(deps: ApplyDeps, envelope: StoredEnvelope, result: Ended, atMs: number): void {
  switch (result.outcome) {
    case 'failed':
      deadLetterEnvelope(deps, envelope, result.cause, result.message, atMs);
      return;
    case 'applied':
      finishEnvelope(deps, envelope, 'applied', atMs);
      return;
    case 'ignored':
    case 'suppressed':
    case 'stale':
      finishEnvelope(deps, envelope, result.outcome, atMs);
      recordProviderSync(deps, envelope, `sync.${result.outcome}`, atMs);
      return;
    default:
      result satisfies never;
  }
}

/** An event of an unknown type: it changes nothing here, but subscribers may wait for it. */
function noteOther(
  { statements, counters }: ApplyDeps,
  { workspace, provider, correlationId }: StoredEnvelope,
  { eventType, path }: Extract<InboundChange, { kind: 'other' }>,
  atMs: number,
): void {
  if (path === null) return;
  noteEvent(statements, workspace, {
    // The event that reports it as ignored.
    id: `evt_${counters.last.event}`,
    type: eventType,
    path,
    revision: '',
    origin: 'provider_sync',
    provider,
    correlationId,
    timestamp: new Date(atMs).toISOString(),
    atMs,
    rules: null,
  });
}

/** null: done. A refusal leaves no trace of the changes before it. */
function change(
  batch: Batch,
  { envelope, authority }: Handed,
  changes: readonly FileChange[],
): Refusal | null {
  if (changes.length === 0) return null;
  const { deps, session, atMs } = batch;
  const command: Input<'change_files'> = {
    kind: 'change_files',
    workspaceId: envelope.workspaceId,
    changes,
    atomic: true,
    actor: { kind: 'provider', name: envelope.provider, tokenId: null },
    origin: 'provider_sync',
    access: accessOf(authority),
    correlationId: envelope.correlationId,
    makesOperations: false,
    atMs,
  };
  // A single change is refused before it has written anything: it needs no savepoint.
  return changes.length === 1
    ? refusalOf(() => session.change(command))
    : changeTogether(deps, session, command);
}

function changeTogether(
  { statements, counters }: ChangeDeps,
  session: ChangeSession,
  command: Input<'change_files'>,
): Refusal | null {
  const before = counters.last;
  session.flush();
  statements.run('SAVEPOINT delivery');
  const refusal = refusalOf(() => session.change(command));
  if (refusal === null) session.flush();
  else {
    statements.run('ROLLBACK TO delivery');
    counters.restore(before);
    session.forget();
  }
  statements.run('RELEASE delivery');
  return refusal;
}

function movedFrom(changes: readonly FileChange[], path: string | null): string | null {
  for (const one of changes) {
    if (one.kind === 'move_file') return one.from;
    if (one.kind === 'delete_file' && changes.length > 1 && one.path !== path) return one.path;
  }
  return null;
}

function glimpse(entry: FileEntry | null): EntryGlimpse | null {
  return entry === null ? null : { revision: entry.revision, hash: entry.hash, sizeBytes: entry.sizeBytes };
}
