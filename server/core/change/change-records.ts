// Records that an accepted change writes besides its entry: history, operations, its result, its identity. For decide.ts.
import type { ContentIdentity } from '../../contract/files.ts';
import type { OperationAction } from '../../contract/words.ts';
import type { FileEntry } from '../entry.ts';
import { providerOf } from '../paths/path.ts';
import type { Applied } from './change.ts';
import type { AcceptedChange, ChangeContext, HistoryRecord, OperationRecord, PathState } from './decision.ts';

const secondMs = 1000;
const daySeconds = 86_400;
/** How long a content identity answers for its repeats when the caller names no time, and at most. */
const identityTtlDefaultSeconds = 7 * daySeconds;
const identityTtlMaxSeconds = 30 * daySeconds;

export function historyRecord(
  entry: FileEntry,
  action: 'write' | 'move',
  movedFrom: string | null,
  operations: readonly OperationRecord[],
): HistoryRecord {
  const { revision, path, hash, sizeBytes, contentType, encoding } = entry;
  return {
    revision,
    path,
    action,
    movedFrom,
    hash,
    sizeBytes,
    contentType,
    encoding,
    opId: opIdOf(operations),
  };
}

export function tombstoneOf(
  entry: FileEntry,
  revision: number,
  operations: readonly OperationRecord[],
): HistoryRecord {
  const { path, contentType, encoding } = entry;
  return {
    revision,
    path,
    action: 'delete',
    movedFrom: null,
    hash: null,
    sizeBytes: 0,
    contentType,
    encoding,
    opId: opIdOf(operations),
  };
}

export function operationRecords(
  changes: readonly { path: string; revision: number; action: OperationAction; state: PathState }[],
  context: ChangeContext,
): readonly OperationRecord[] {
  if (!context.makesOperations) return [];
  return changes.map(({ path, revision, action, state }, index) => {
    const provider = providerOf(path);
    const number = context.nextOperation + index;
    const waits = context.hasConsumer(provider);
    const supersedes = waits ? (state.waitingOperation ?? null) : null;
    return { number, path, revision, action, provider, status: waits ? 'pending' : 'succeeded', supersedes };
  });
}

export function opIdOf(operations: readonly OperationRecord[]): string | null {
  const [operation] = operations;
  return operation === undefined ? null : `op_${operation.number}`;
}

export function resultOf(
  entry: FileEntry,
  revision: number,
  operations: readonly OperationRecord[],
  contentIdentity?: ContentIdentity,
): Applied {
  return {
    ok: true,
    path: entry.path,
    revision,
    opId: opIdOf(operations),
    provider: entry.provider,
    contentType: entry.contentType,
    ...(contentIdentity === undefined ? {} : { contentIdentity }),
    repeated: false,
  };
}

export function contentIdentityOf(
  identity: ContentIdentity | undefined,
  hash: string,
  atMs: number,
): AcceptedChange['identity'] {
  if (identity === undefined) return null;
  const askedSeconds = identity.ttlSeconds ?? identityTtlDefaultSeconds;
  const ttlSeconds = Math.min(
    askedSeconds > 0 ? askedSeconds : identityTtlDefaultSeconds,
    identityTtlMaxSeconds,
  );
  return { identity, hash, expiresAtMs: atMs + ttlSeconds * secondMs };
}
