// Converts history to JSON, and parses the ids and cursors of its requests.
import type { FileDiff, HistoryEntry, Restored, Retention } from '../../contract/history.ts';
import { mcpClientOf } from '../../contract/mcp-call-id.ts';
import type { HistoryPosition } from '../../workspaces/history.ts';
import type { RestoreResult, RevisionRow } from '../../workspaces/model.ts';
import { ApiError } from '../base/api-error.ts';
import type { HttpDependencies } from '../base/dependencies.ts';
import { wireRevision, wireTime } from './records.ts';

const revisionPattern = /^rev_([1-9]\d{0,14})$/;
const batchPattern = /^batch_([1-9]\d{0,14})$/;
const cursorPattern = /^(rev_[1-9]\d{0,14})(?::(\/.*))?$/s;

/** Throws a `bad_request` that names the parameter. */
export function revisionNumber(text: string, name: string): number {
  return numberIn(text, revisionPattern, `invalid ${name}: use the form rev_<n>`);
}

export function batchNumber(text: string): number {
  return numberIn(text, batchPattern, 'invalid batch: use the form batch_<n>');
}

function numberIn(text: string, pattern: RegExp, message: string): number {
  const digits = pattern.exec(text)?.[1];
  if (digits === undefined) throw new ApiError('bad_request', message);
  return Number(digits);
}

/** `rev_<n>` at the requested path, `rev_<n>:<path>` after a followed rename. */
export function historyCursor(position: HistoryPosition | null, path: string): string | null {
  if (position === null || position.beforeRevision === null) return null;
  const revision = wireRevision(position.beforeRevision);
  return position.path === path ? revision : `${revision}:${position.path}`;
}

/** Milliseconds of an RFC 3339 time. */
export function pointInTimeMs(text: string): number {
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) throw new ApiError('bad_request', 'invalid at: use an RFC 3339 time');
  return atMs;
}

export function historyPosition(cursor: string | undefined, path: string): HistoryPosition {
  if (cursor === undefined) return { path, beforeRevision: null };
  const parsed = cursorPattern.exec(cursor);
  if (parsed?.[1] === undefined) throw new ApiError('bad_request', 'invalid cursor');
  return { path: parsed[2] ?? path, beforeRevision: revisionNumber(parsed[1], 'cursor') };
}

export async function retention({
  config,
  history,
}: Pick<HttpDependencies, 'config' | 'history'>): Promise<Retention> {
  const completeSinceMs = await history.completeSinceMs();
  return {
    days: config.historyDays,
    revisions: config.historyRevisionsMin,
    bytes: config.historyBytes,
    ...(completeSinceMs <= 0 ? {} : { completeSince: wireTime(completeSinceMs) }),
  };
}

export function historyEntry(row: RevisionRow): HistoryEntry {
  const { actor } = row;
  const client = actor.kind === 'token' ? mcpClientOf(row.correlationId) : null;
  return {
    revision: wireRevision(row.revision),
    path: row.path,
    action: row.action,
    ...(row.movedFrom === null ? {} : { movedFrom: row.movedFrom }),
    ...(row.restoredFrom === null ? {} : { restoredFrom: wireRevision(row.restoredFrom) }),
    ...(row.hash === null ? {} : { contentHash: row.hash }),
    size: row.sizeBytes,
    contentType: row.contentType,
    actor: {
      kind: actor.kind,
      name: actor.name,
      ...(actor.tokenId === null ? {} : { tokenId: actor.tokenId }),
      ...(client === null ? {} : { client }),
    },
    origin: row.origin,
    correlationId: row.correlationId,
    ...(row.opId === null ? {} : { opId: row.opId }),
    batch: `batch_${row.batch}`,
    at: wireTime(row.atMs),
  };
}

export function diffSide(row: RevisionRow | null): FileDiff['from'] {
  if (row === null) return null;
  return {
    revision: wireRevision(row.revision),
    path: row.path,
    ...(row.hash === null ? {} : { contentHash: row.hash }),
    size: row.sizeBytes,
    at: wireTime(row.atMs),
  };
}

export function restored(
  result: Extract<RestoreResult, { ok: true }>,
  dryRun: boolean,
  correlationId: string,
): Restored {
  return {
    dryRun,
    ...(result.batch === null ? {} : { batch: `batch_${result.batch}` }),
    created: result.created,
    updated: result.updated,
    deleted: result.deleted,
    files: result.files.map((file) => ({
      path: file.path,
      action: file.action,
      ...(file.before === null ? {} : { beforeRevision: wireRevision(file.before) }),
      ...(file.from === null ? {} : { fromRevision: wireRevision(file.from) }),
      ...(file.hash === null ? {} : { contentHash: file.hash }),
      size: file.sizeBytes,
      ...(file.revision === null ? {} : { revision: wireRevision(file.revision) }),
      ...(file.opId === null ? {} : { opId: file.opId }),
    })),
    kept: [...result.kept],
    correlationId,
  };
}
