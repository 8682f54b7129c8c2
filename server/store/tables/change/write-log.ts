// Writes the records of a change: its history, its events and its operations.
import type { Applied, ChangeFiles } from '../../../core/change/change.ts';
import type { AcceptedChange } from '../../../core/change/decision.ts';
import { providerOf } from '../../../core/paths/path.ts';
import {
  actionCode,
  actorKindCode,
  bytesOf,
  encodingCode,
  historyActionCode,
  originCode,
  semanticsText,
  statusCode,
} from '../../database/rows.ts';
import type { WriteStatements } from '../../database/statements.ts';
import { noteEvent } from '../feed/subscription-deliveries.ts';

/** The actor and time of the change. */
export type PersistCommand = Pick<ChangeFiles, 'actor' | 'origin' | 'correlationId'> & {
  readonly atMs: number;
  /** Revision of the first change of the request; null when this is all that it did. */
  readonly batch: number | null;
};

/** The engine of a hub knows by these what waits after them (postgres/known-rows.ts). */
export const insertOperation = `INSERT INTO operations (workspace, number, path, revision, action, provider, status, attempts, identity,
    correlation_id, created_at, updated_at, completed_at, rules) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?)`;
export const supersedeOperation =
  'UPDATE operations SET superseded_by = ?, updated_at = ? WHERE workspace = ? AND number = ?';

export function insertHistory(
  statements: WriteStatements,
  workspace: number,
  command: PersistCommand,
  accepted: AcceptedChange,
): void {
  const { actor } = command;
  for (const draft of accepted.history) {
    const written = accepted.written?.revision === draft.revision ? accepted.written : null;
    const semantics = draft.kept?.semantics ?? written?.semantics;
    statements.run(
      `INSERT INTO history (workspace, path, revision, action, moved_from, hash, size, content_type, base64, actor_kind,
         actor_name, token_id, origin, correlation_id, operation, at, batch, restored_from, semantics, rules)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      workspace,
      draft.path,
      draft.revision,
      historyActionCode(draft.action),
      draft.movedFrom,
      draft.hash === null ? null : bytesOf(draft.hash),
      draft.sizeBytes,
      draft.contentType,
      encodingCode(draft.encoding),
      actorKindCode(actor.kind),
      actor.name,
      actor.tokenId,
      originCode(command.origin),
      command.correlationId,
      draft.opId === null ? null : Number(draft.opId.slice('op_'.length)),
      command.atMs,
      command.batch,
      draft.restoredFrom ?? null,
      semantics === undefined ? null : semanticsText(semantics),
      draft.kept === undefined ? rulesAt(accepted, draft.revision) : rulesText(draft.kept.permissions),
    );
  }
}

export function insertEvents(
  statements: WriteStatements,
  workspace: number,
  command: PersistCommand,
  accepted: AcceptedChange,
  firstSeq: number,
): void {
  accepted.events.forEach((draft, index) => {
    const rules = draft.permissions.length === 0 ? null : JSON.stringify(draft.permissions);
    statements.run(
      `INSERT INTO events (workspace, seq, type, path, revision, hash, origin, provider, correlation_id, at, rules)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      workspace,
      firstSeq + index,
      draft.type,
      draft.path,
      draft.revision,
      draft.hash === null ? null : bytesOf(draft.hash),
      originCode(command.origin),
      providerOf(draft.path),
      command.correlationId,
      command.atMs,
      rules,
    );
    noteEvent(statements, workspace, {
      id: `evt_${firstSeq + index}`,
      type: draft.type,
      path: draft.path,
      revision: draft.revision === null ? '' : `rev_${draft.revision}`,
      origin: command.origin,
      provider: providerOf(draft.path),
      correlationId: command.correlationId,
      timestamp: new Date(command.atMs).toISOString(),
      atMs: command.atMs,
      rules,
    });
  });
}

export function insertOperations(
  statements: WriteStatements,
  workspace: number,
  command: PersistCommand,
  accepted: AcceptedChange,
  result: Applied,
): void {
  const identity = result.contentIdentity === undefined ? null : JSON.stringify(result.contentIdentity);
  for (const draft of accepted.operations) {
    statements.run(
      insertOperation,
      workspace,
      draft.number,
      draft.path,
      draft.revision,
      actionCode(draft.action),
      draft.provider,
      statusCode(draft.status),
      identity,
      command.correlationId,
      command.atMs,
      command.atMs,
      draft.status === 'pending' ? null : command.atMs,
      draft.status === 'pending' ? rulesAt(accepted, draft.revision) : null,
    );
    if (draft.supersedes !== null) {
      statements.run(supersedeOperation, draft.number, command.atMs, workspace, draft.supersedes);
    }
  }
}

/** The rules stored with the event of the same revision: later events of the operation use them. */
function rulesAt(accepted: AcceptedChange, revision: number): string | null {
  const event = accepted.events.find((draft) => draft.revision === revision);
  return event === undefined ? null : rulesText(event.permissions);
}

function rulesText(permissions: readonly string[]): string | null {
  return permissions.length === 0 ? null : JSON.stringify(permissions);
}
