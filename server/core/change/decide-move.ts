// Decides deletes, moves and the moves of drafts. For decide.ts. The file keeps its provider identity and, unless they are
// replaced, its content and metadata.
import { isAclPath } from '../access/acl.ts';
import type { FileEntry } from '../entry.ts';
import { providerOf } from '../paths/path.ts';
import type { DeleteFile, MoveDraft, MoveFile, Precondition } from './change.ts';
import {
  aclFileOf,
  directoryOf,
  enforced,
  fileOf,
  isChangeAllowed,
  permissionsOf,
  withAclFiles,
} from './change-access.ts';
import { historyRecord, operationRecords, opIdOf, resultOf, tombstoneOf } from './change-records.ts';
import type { AcceptedChange, ChangeContext, ChangeDecision, ChangeState } from './decision.ts';
import { failedPrecondition } from './if-match.ts';
import { blockedMove, invalidPath, refuse, refuseAccess } from './refusals.ts';
import { semanticsAfter } from './semantics.ts';

export function decideDelete(change: DeleteFile, state: ChangeState, context: ChangeContext): ChangeDecision {
  const current = fileOf(state.at);
  const permissions = permissionsOf(state.at.aclFiles, current);
  if (!isChangeAllowed(permissions, context)) return refuseAccess(change);
  if (current === null) return refuse(change, 'not_found', 'there is no file at this path');
  const failed = failedPrecondition(change, change.precondition, current);
  if (failed !== null) return failed;

  const revision = context.nextRevision;
  const { path } = current;
  const operations = operationRecords([{ path, revision, action: 'file_delete', state: state.at }], context);
  const accepted: AcceptedChange = {
    removed: current,
    written: null,
    content: null,
    history: [tombstoneOf(current, revision, operations)],
    events: [{ type: 'file.deleted', path, revision, hash: null, permissions: enforced(permissions) }],
    operations,
    aclFiles: isAclPath(path) ? [{ directory: directoryOf(path), permissions: null }] : [],
    identity: null,
  };
  return { ok: true, accepted, result: resultOf(current, revision, operations) };
}

export function decideMove(change: MoveFile, state: ChangeState, context: ChangeContext): ChangeDecision {
  const { from, to } = change;
  if (state.to === null) throw new Error('a move was loaded without the state of its target');
  const invalid = invalidPath(change, to);
  if (invalid !== null) return invalid;
  const current = fileOf(state.at);
  const before = permissionsOf(state.at.aclFiles, current);
  if (!isChangeAllowed(before, context)) return refuseAccess(change);
  if (!isChangeAllowed(permissionsOf(state.to.aclFiles, null), context)) return refuseAccess(change);
  if (current === null) return refuse(change, 'not_found', 'there is no file at this path');
  const failed = failedPrecondition(change, change.precondition, current);
  if (failed !== null) return failed;
  const blocked = blockedMove(from, to, state.to);
  if (blocked !== null) return refuse(change, 'path_conflict', blocked);

  const { replacement } = change;
  const semantics = semanticsAfter(replacement?.semantics, current);
  const aclText = replacement === undefined ? state.aclText : (replacement.aclText ?? null);
  const aclFile = aclFileOf(to, semantics, aclText);
  if (aclFile !== null && !aclFile.ok) return refuse(change, 'invalid_content', aclFile.reason);
  const aclFiles = [
    ...(isAclPath(from) ? [{ directory: directoryOf(from), permissions: null }] : []),
    ...(aclFile === null ? [] : [aclFile]),
  ];
  const leftAt = context.nextRevision;
  const written: FileEntry = {
    ...current,
    ...(replacement === undefined ? {} : replacedFields(replacement, current, semantics)),
    path: to,
    revision: leftAt + 1,
    provider: providerOf(to),
    editedAtMs: context.atMs,
  };
  const operations = operationRecords(
    [
      { path: from, revision: leftAt, action: 'file_delete', state: state.at },
      { path: to, revision: written.revision, action: 'file_upsert', state: state.to },
    ],
    context,
  );
  const after = permissionsOf(withAclFiles(state.to.aclFiles, aclFiles), written);
  const accepted: AcceptedChange = {
    removed: current,
    written,
    content: replacement?.content ?? null,
    history: [
      tombstoneOf(current, leftAt, operations.slice(0, 1)),
      historyRecord(written, 'move', from, operations.slice(1)),
    ],
    events: [
      { type: 'file.deleted', path: from, revision: leftAt, hash: null, permissions: enforced(before) },
      {
        type: 'file.created',
        path: to,
        revision: written.revision,
        hash: written.hash,
        permissions: enforced(after),
      },
    ],
    operations,
    aclFiles,
    identity: null,
  };
  return { ok: true, accepted, result: resultOf(written, written.revision, operations.slice(1)) };
}

function replacedFields(
  replacement: NonNullable<MoveFile['replacement']>,
  current: FileEntry,
  semantics: FileEntry['semantics'],
): Pick<FileEntry, 'hash' | 'sizeBytes' | 'contentType' | 'encoding' | 'semantics'> {
  return {
    hash: replacement.content.hash,
    sizeBytes: replacement.content.sizeBytes,
    contentType: replacement.contentType ?? current.contentType,
    encoding: replacement.encoding,
    semantics,
  };
}

/**
 * A file with a provider id is no draft. A draft that was edited since it was sent is never deleted: it moves, and the edit becomes
 * an operation at its new path (docs/wire-contract.md#operations-and-writeback).
 */
export function decideDraft(change: MoveDraft, state: ChangeState, context: ChangeContext): ChangeDecision {
  const { from, to, externalId } = change;
  const current = fileOf(state.at);
  // The caller chooses the path and the provider the name: neither may create or remove access rules.
  if (isAclPath(from) || isAclPath(to)) return refuse(change, 'not_applied', 'it is a file of access rules');
  if (current === null) return refuse(change, 'not_found', 'there is no file at this path');
  // Also where nothing moves: only a caller that may write there may learn that a file exists.
  if (state.to !== null && !isChangeAllowed(permissionsOf(state.to.aclFiles, fileOf(state.to)), context)) {
    return refuseAccess(change);
  }
  if (current.providerObjectId !== null) {
    return refuse(change, 'not_applied', 'the file is an object of its provider already');
  }
  const silent: ChangeContext = { ...context, makesOperations: false };
  const precondition: Precondition = { kind: 'any' };
  const edited = current.revision !== change.sentRevision;
  const exists = (state.materializedAt ?? null) !== null || state.to?.entry?.type === 'file';
  if (externalId !== null && exists) {
    if (edited) return refuse(change, 'not_applied', 'the draft was edited since it was carried away');
    return decideDelete({ kind: 'delete_file', path: from, precondition }, state, silent);
  }
  const moved = decideMove({ kind: 'move_file', from, to, precondition }, state, silent);
  if (!moved.ok || moved.accepted?.written == null) return moved;
  const written: FileEntry = { ...moved.accepted.written, providerObjectId: externalId };
  const operations = edited
    ? operationRecords([{ path: to, revision: written.revision, action: 'file_upsert', state: state.at }], {
        ...context,
        makesOperations: true,
      })
    : [];
  const opId = opIdOf(operations);
  return {
    ok: true,
    accepted: {
      ...moved.accepted,
      written,
      operations,
      history: moved.accepted.history.map((draft) => (draft.action === 'move' ? { ...draft, opId } : draft)),
    },
    result: { ...moved.result, opId },
  };
}
