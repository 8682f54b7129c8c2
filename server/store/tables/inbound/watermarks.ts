// Loads and saves the state for decisions on inbound changes: the watermark of each path and object, the paths of objects, and the
// sent contents. It decides nothing: see core/inbound.
import {
  type EventTime,
  type InboundChange,
  type InboundState,
  type Watermark,
  watermarkAfter,
} from '../../../core/inbound/decide-envelope.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import { fileAt } from '../files/files.ts';
import { deleteSent, isEcho, objectPath, sentTo, setObject } from '../files/provenance.ts';
import type { StoredEnvelope } from './envelopes.ts';

export function loadInboundState(
  statements: ReadStatements,
  envelope: StoredEnvelope,
  delivery: InboundChange,
  atMs: number,
): InboundState {
  const { workspace, provider } = envelope;
  if (delivery.kind === 'other') {
    return { watermarks: [], objectPath: null, atPath: null, atObject: null, sent: [], isEcho: false };
  }
  const { path, objectId, claim } = delivery;
  const known = objectId === null ? null : objectPath(statements, workspace, provider, objectId);
  const atKnown = known === null ? null : fileAt(statements, workspace, known);
  // The file was replaced locally (deleted and created): the provider's id did not move with it.
  const atObject = atKnown?.providerObjectId === objectId ? atKnown : null;
  return {
    watermarks: keysOf(path, objectId).flatMap(
      (key) => readWatermark(statements, workspace, provider, key) ?? [],
    ),
    objectPath: atObject === null ? null : known,
    atPath: fileAt(statements, workspace, path),
    atObject,
    sent: sentTo(statements, workspace, delivery.kind === 'delete' ? (atObject?.path ?? path) : path),
    isEcho: claim !== null && isEcho(statements, workspace, claim, envelope.correlationId, atMs),
  };
}

export function saveWatermark(
  statements: WriteStatements,
  envelope: StoredEnvelope,
  delivery: Exclude<InboundChange, { kind: 'other' }>,
  decision: { readonly paths: readonly string[] },
  moment: EventTime,
): void {
  const { workspace, provider } = envelope;
  for (const path of decision.paths) deleteSent(statements, workspace, path);
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
  statements: ReadStatements,
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
