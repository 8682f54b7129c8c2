// Converts rows to JSON. long-lists.ts writes tree pages and event pages.

import type { TokenRow } from '../../auth/tokens.ts';
import type { Operation, WritebackItem } from '../../contract/operations.ts';
import type {
  DeadLetter,
  DeadLetterBulkResult,
  DeadLetterDetail as DeadLetterDetailBody,
  DeadLetterPreview,
} from '../../contract/sync.ts';
import type { AccessToken, Workspace } from '../../contract/workspaces.ts';
import type { ApplyResult, BulkOutcome, DeadLetterDetail, EnvelopeHead } from '../../inbound/dead-letters.ts';
import type { OperationRow } from '../../outbound/operations/operation-log.ts';
import { revisionName, wireRevision, wireSize, wireTime } from '../../workspaces/file-record.ts';
import type { WorkspaceRow } from '../../workspaces/model.ts';

export { revisionName, wireRevision, wireSize, wireTime };

export function eventId(seq: number): string {
  return `evt_${seq}`;
}

// ---- operations

export function operation(row: OperationRow): Operation {
  return {
    opId: row.opId,
    path: row.path,
    revision: wireRevision(row.revision),
    action: row.action,
    provider: row.provider,
    status: row.status,
    attemptCount: row.attemptCount,
    nextAttemptAt: row.nextAttemptAtMs === null ? null : wireTime(row.nextAttemptAtMs),
    lastError: row.lastError,
    ...(row.providerResult === null ? {} : { providerResult: row.providerResult }),
    ...(row.contentIdentity === null ? {} : { contentIdentity: row.contentIdentity }),
    ...(row.correlationId === '' ? {} : { correlationId: row.correlationId }),
    createdAt: wireTime(row.createdAtMs),
    updatedAt: wireTime(row.updatedAtMs),
    ...(row.completedAtMs === null ? {} : { completedAt: wireTime(row.completedAtMs) }),
  };
}

export function writebackItem(row: OperationRow): WritebackItem {
  return {
    id: row.opId,
    workspaceId: row.workspaceId,
    path: row.path,
    revision: wireRevision(row.revision),
    correlationId: row.correlationId,
    ...(row.contentIdentity === null ? {} : { contentIdentity: row.contentIdentity }),
  };
}

// ---- dead letters

export function deadLetterRecord(row: EnvelopeHead): DeadLetter {
  const { envelopeId, workspaceId, provider, deliveryId, correlationId } = row;
  return {
    envelopeId,
    workspaceId,
    provider,
    deliveryId,
    ...(correlationId === '' ? {} : { correlationId }),
    failedAt: wireTime(row.failedAtMs ?? row.acceptedAtMs),
    attemptCount: row.attempts,
    lastError: `${row.cause}: ${row.lastError}`,
  };
}

export function deadLetterDetail({
  row,
  envelope,
  editedPayload,
  attempts,
}: DeadLetterDetail): DeadLetterDetailBody {
  const { envelopeId, workspaceId, provider, deliveryId, correlationId, state } = row;
  return {
    envelopeId,
    workspaceId,
    provider,
    deliveryId,
    correlationId,
    receivedAt: wireTime(row.acceptedAtMs),
    ...(row.occurredAtMs === null ? {} : { occurredAt: wireTime(row.occurredAtMs) }),
    state,
    ...(row.outcome === null ? {} : { outcome: row.outcome }),
    ...(row.settledAtMs === null ? {} : { settledAt: wireTime(row.settledAtMs) }),
    ...(row.nextAttemptAtMs === null ? {} : { nextAttemptAt: wireTime(row.nextAttemptAtMs) }),
    ...(row.cause === null ? {} : { cause: row.cause }),
    ...(row.lastError === null ? {} : { lastError: row.lastError }),
    ...(envelope === null ? {} : { payload: envelope.payload }),
    ...(envelope === null || envelope.headers === null ? {} : { headers: envelope.headers }),
    ...(editedPayload === null ? {} : { editedPayload }),
    attempts: attempts.map(({ attempt, atMs, cause, message }) => ({
      attempt,
      at: wireTime(atMs),
      cause,
      message,
    })),
  };
}

export function deadLetterBulkResult({ matched, done, letters, more }: BulkOutcome): DeadLetterBulkResult {
  return {
    matched,
    done,
    envelopeIds: letters.map(({ envelopeId }) => envelopeId),
    results: letters.map(({ envelopeId, path }) => ({ envelopeId, ...(path === null ? {} : { path }) })),
    more,
  };
}

export function deadLetterPreview(result: Exclude<ApplyResult, { outcome: 'gone' }>): DeadLetterPreview {
  const { outcome } = result;
  if (outcome === 'failed') {
    return { outcome: 'fails', cause: result.cause, message: result.message, effect: 'none' };
  }
  if (outcome === 'stale') return { outcome, effect: 'none', newerAppliedAt: wireTime(result.newerAtMs) };
  if (outcome !== 'applied') return { outcome, effect: 'none' };
  const { path, movedFrom, before, after } = result;
  return {
    outcome,
    effect: effectOf(result),
    ...(path === null ? {} : { path }),
    ...(movedFrom === null ? {} : { movedFrom }),
    ...(before === null
      ? {}
      : {
          before: {
            revision: wireRevision(before.revision),
            contentHash: before.hash,
            size: before.sizeBytes,
          },
        }),
    ...(after === null ? {} : { after: { contentHash: after.hash, size: after.sizeBytes } }),
  };
}

function effectOf(result: Extract<ApplyResult, { outcome: 'applied' }>): DeadLetterPreview['effect'] {
  if (result.movedFrom !== null) return 'move';
  if (result.after === null) return result.before === null ? 'none' : 'delete';
  return result.before === null ? 'create' : 'update';
}

// ---- workspaces and tokens

export function workspace(row: WorkspaceRow): Workspace {
  return {
    workspaceId: row.workspaceId,
    name: row.name,
    createdAt: wireTime(row.createdAtMs),
    ...(row.deletedAtMs === null ? {} : { deletedAt: wireTime(row.deletedAtMs) }),
    files: row.files,
  };
}

/** `userName`: of the user whose personal token it is. */
export function accessToken(row: TokenRow, userName?: string): AccessToken {
  return {
    tokenId: row.tokenId,
    workspaceId: row.workspaceId,
    agent: row.agent,
    scopes: [...row.scopes],
    createdAt: wireTime(row.createdAtMs),
    expiresAt: wireTime(row.expiresAtMs),
    ...(row.revokedAtMs === null ? {} : { revokedAt: wireTime(row.revokedAtMs) }),
    ...(row.deletesPerMinute === null ? {} : { deletesPerMinute: row.deletesPerMinute }),
    ...(row.forkId === null ? {} : { forkId: row.forkId }),
    ...(userName === undefined ? {} : { user: userName }),
    ...(row.lastUsedAtMs === null ? {} : { lastUsedAt: wireTime(row.lastUsedAtMs) }),
  };
}
