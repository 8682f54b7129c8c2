// A delivery carried out: loads what the decision needs, lets core/ingest decide, changes the files and settles the envelope
// with its counters, all in the transaction of the writer that this runs in. So each delivery takes effect exactly once.
import type { ChangeResult, FileChange, Refusal } from '../core/change.ts';
import type { FileEntry } from '../core/entry.ts';
import {
  causeOf,
  type Delivery,
  type DeliveryState,
  decideDelivery,
  type Moment,
  type Watermark,
  watermarkAfter,
} from '../core/ingest.ts';
import { type ChangeParts, changeFiles, TakenBack } from './change-files.ts';
import type { Handlers, Input, Result } from './commands.ts';
import { buryEnvelope, loadEnvelope, type StoredEnvelope, settleEnvelope, tellSync } from './envelopes.ts';
import { entryAt } from './files.ts';
import type { EntryGlimpse } from './ingest-port.ts';
import { claimHolds, forgetSent, objectPath, sentTo, setObject } from './provenance.ts';
import type { Statements } from './sqlite.ts';
import { noteEvent } from './subscriptions.ts';

type Apply = Result<'apply_envelope'>;

export function deliveryHandlers(parts: ChangeParts): Handlers<'apply_envelope'> {
  return {
    apply_envelope(input) {
      const result = apply(parts, input);
      // Everything was done as it would be, and is taken back: a preview cannot differ from what it shows.
      if (input.dryRun) throw new TakenBack(result);
      return result;
    },
  };
}

function apply(parts: ChangeParts, input: Input<'apply_envelope'>): Apply {
  const { statements } = parts;
  const { prepared, atMs, dryRun } = input;
  const envelope = loadEnvelope(statements, input.number);
  if (envelope === null || (envelope.state !== 'pending' && !dryRun)) return { outcome: 'gone' };
  const end = (result: Exclude<Apply, { outcome: 'gone' }>): Apply => {
    if (!dryRun) settle(parts, envelope, result, atMs);
    return result;
  };
  if (!prepared.ok) return end({ outcome: 'failed', cause: prepared.cause, message: prepared.message });
  const { delivery } = prepared;
  const moment: Moment = {
    occurredAtMs: envelope.occurredAtMs,
    acceptedAtMs: envelope.acceptedAtMs,
    number: envelope.number,
  };
  const overwriteNewer = input.overwriteNewer ?? envelope.overwriteNewer;
  const state = loadState(statements, envelope, delivery, atMs);
  const decision = decideDelivery(delivery, moment, state, overwriteNewer);
  if (decision.outcome !== 'applied') {
    const ended = end(decision);
    if (delivery.kind === 'other' && !dryRun) noteOther(parts, envelope, delivery, atMs);
    return ended;
  }
  const refusal = change(parts, envelope, decision.changes, atMs);
  if (refusal !== null) return end({ outcome: 'failed', cause: causeOf(refusal), message: refusal.message });
  if (delivery.kind !== 'other') {
    remember(statements, envelope, delivery, decision, moment);
  }
  const path = delivery.kind === 'other' ? null : delivery.path;
  return end({
    outcome: 'applied',
    path,
    movedFrom: movedFrom(decision.changes, path),
    before: glimpse(state.atObject ?? state.atPath),
    after: path === null ? null : glimpse(fileAt(statements, envelope.workspace, path)),
  });
}

/** Counters, events and the envelope's end, as the outcome has it. */
function settle(
  parts: ChangeParts,
  envelope: StoredEnvelope,
  result: Exclude<Apply, { outcome: 'gone' }>,
  atMs: number,
): void {
  switch (result.outcome) {
    case 'failed':
      buryEnvelope(parts, envelope, result.cause, result.message, atMs);
      return;
    case 'applied':
      settleEnvelope(parts.statements, envelope, 'applied', atMs);
      return;
    case 'ignored':
    case 'suppressed':
    case 'stale':
      settleEnvelope(parts.statements, envelope, result.outcome, atMs);
      tellSync(parts, envelope, `sync.${result.outcome}`, atMs);
      return;
    default:
      result satisfies never;
  }
}

/** An event of a kind that only its provider knows: it changes nothing here, but somebody may wait for it. */
function noteOther(
  { statements, counters }: ChangeParts,
  { workspace, provider, correlationId }: StoredEnvelope,
  { eventType, path }: Extract<Delivery, { kind: 'other' }>,
  atMs: number,
): void {
  if (path === null) return;
  noteEvent(statements, workspace, {
    // The event by which the feed tells that it was ignored.
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

function loadState(
  statements: Statements,
  envelope: StoredEnvelope,
  delivery: Delivery,
  atMs: number,
): DeliveryState {
  const { workspace, provider } = envelope;
  if (delivery.kind === 'other') {
    return { watermarks: [], objectPath: null, atPath: null, atObject: null, sent: [], claimHolds: false };
  }
  const { path, objectId, claim } = delivery;
  const known = objectId === null ? null : objectPath(statements, workspace, provider, objectId);
  const atKnown = known === null ? null : fileAt(statements, workspace, known);
  // The file went another way than through here (a local delete and create): the provider's id did not go along.
  const atObject = atKnown?.providerObjectId === objectId ? atKnown : null;
  return {
    watermarks: keysOf(path, objectId).flatMap(
      (key) => readWatermark(statements, workspace, provider, key) ?? [],
    ),
    objectPath: atObject === null ? null : known,
    atPath: fileAt(statements, workspace, path),
    atObject,
    sent: sentTo(statements, workspace, delivery.kind === 'delete' ? (atObject?.path ?? path) : path),
    claimHolds: claim !== null && claimHolds(statements, workspace, claim, envelope.correlationId, atMs),
  };
}

function fileAt(statements: Statements, workspace: number, path: string): FileEntry | null {
  const entry = entryAt(statements, workspace, path);
  return entry?.type === 'file' ? entry : null;
}

/** null: done. A refusal leaves no trace of the changes before it. */
function change(
  parts: ChangeParts,
  envelope: StoredEnvelope,
  changes: readonly FileChange[],
  atMs: number,
): Refusal | null {
  if (changes.length === 0) return null;
  const { statements, counters } = parts;
  const before = counters.last;
  statements.run('SAVEPOINT delivery');
  try {
    changeFiles(parts, {
      kind: 'change_files',
      workspaceId: envelope.workspaceId,
      changes,
      atomic: true,
      actor: { kind: 'provider', name: envelope.provider, tokenId: null },
      origin: 'provider_sync',
      access: null,
      correlationId: envelope.correlationId,
      makesOperations: false,
      atMs,
    });
    return null;
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
    statements.run('ROLLBACK TO delivery');
    counters.restore(before);
    const results = error.result as readonly ChangeResult[];
    const refusal = results.find((result): result is Refusal => !result.ok && result.code !== 'not_applied');
    if (refusal === undefined) throw new Error('a delivery was refused without a reason');
    return refusal;
  } finally {
    statements.run('RELEASE delivery');
  }
}

// ---- what is remembered of an applied delivery

function remember(
  statements: Statements,
  envelope: StoredEnvelope,
  delivery: Exclude<Delivery, { kind: 'other' }>,
  decision: { readonly paths: readonly string[] },
  moment: Moment,
): void {
  const { workspace, provider } = envelope;
  for (const path of decision.paths) forgetSent(statements, workspace, path);
  const keys = [...decision.paths.map((path) => `p:${path}`), ...keysOf(null, delivery.objectId)];
  for (const key of keys) {
    const mark = watermarkAfter(moment, readWatermark(statements, workspace, provider, key));
    statements.run(
      'INSERT OR REPLACE INTO watermarks (workspace, provider, key, at, number) VALUES (?, ?, ?, ?, ?)',
      workspace,
      provider,
      key,
      mark.atMs,
      mark.number,
    );
  }
  if (delivery.kind === 'upsert' && delivery.objectId !== null) {
    setObject(statements, workspace, provider, delivery.objectId, delivery.path);
  }
}

function keysOf(path: string | null, objectId: string | null): readonly string[] {
  return [...(path === null ? [] : [`p:${path}`]), ...(objectId === null ? [] : [`o:${objectId}`])];
}

function readWatermark(
  statements: Statements,
  workspace: number,
  provider: string,
  key: string,
): Watermark | null {
  const row = statements.get<{ at: number; number: number }>(
    'SELECT at, number FROM watermarks WHERE workspace = ? AND provider = ? AND key = ?',
    workspace,
    provider,
    key,
  );
  return row === undefined ? null : { atMs: row.at, number: row.number };
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
