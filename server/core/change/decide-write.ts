// Decides what gives a path content: a write, a restored revision, a version for history only. For decide.ts.

import { type FileEntry, revisionName } from '../entry.ts';
import { providerOf } from '../paths/path.ts';
import type { RestoreFile, RetainVersion, WriteFile } from './change.ts';
import {
  aclFileOf,
  enforced,
  fileOf,
  isChangeAllowed,
  isReadAllowed,
  permissionsOf,
  withAclFiles,
} from './change-access.ts';
import { contentIdentityOf, historyRecord, operationRecords, resultOf } from './change-records.ts';
import type {
  AcceptedChange,
  AclFile,
  ChangeContext,
  ChangeDecision,
  ChangeState,
  EarlierWrite,
} from './decision.ts';
import { expectedBy, failedPrecondition } from './if-match.ts';
import { blockedBy, invalidPath, refuse, refuseAccess } from './refusals.ts';
import { semanticsAfter } from './semantics.ts';

export function decideWrite(change: WriteFile, state: ChangeState, context: ChangeContext): ChangeDecision {
  const { path } = change;
  const invalid = invalidPath(change, path);
  if (invalid !== null) return invalid;
  const current = fileOf(state.at);
  if (!isChangeAllowed(permissionsOf(state.at.aclFiles, current), context)) return refuseAccess(change);
  if (state.earlier !== null) return decideRepeat(change, state.earlier, context);
  const blocked = blockedBy(state.at, path);
  if (blocked !== null) return refuse(change, 'path_conflict', blocked);
  const failed = failedPrecondition(change, change.precondition, current);
  if (failed !== null) return failed;

  const semantics = semanticsAfter(change.semantics, change.replacesSemantics ? null : current);
  const aclFile = aclFileOf(path, semantics, change.aclText ?? null);
  if (aclFile !== null && !aclFile.ok) return refuse(change, 'invalid_content', aclFile.reason);

  const written: FileEntry = {
    type: 'file',
    path,
    revision: context.nextRevision,
    hash: change.content.hash,
    sizeBytes: change.content.sizeBytes,
    contentType: change.contentType ?? current?.contentType ?? change.defaultContentType,
    encoding: change.encoding,
    provider: providerOf(path),
    providerObjectId: change.providerObjectId ?? current?.providerObjectId ?? null,
    editedAtMs: context.atMs,
    semantics,
  };
  return accept(written, state, context, {
    content: change.content,
    marker: aclFile,
    identity: contentIdentityOf(change.contentIdentity, identityHashOf(change), context.atMs),
  });
}

/** What an identity is bound to besides its path. */
function identityHashOf(change: WriteFile): string {
  return change.identityHash ?? change.content.hash;
}

/**
 * An identity answers for one path and one content: with another content that content would be lost
 * (docs/wire-contract.md#content-identity).
 */
function decideRepeat(change: WriteFile, earlier: EarlierWrite, context: ChangeContext): ChangeDecision {
  const { result, hash, at } = earlier;
  if (result.path === change.path && hash === identityHashOf(change)) {
    return { ok: true, accepted: null, result: { ...result, repeated: true } };
  }
  const written = at === null ? null : fileOf(at);
  const readable =
    at !== null &&
    written !== null &&
    isReadAllowed(result.path, permissionsOf(at.aclFiles, written), context);
  return {
    ...refuse(
      change,
      'revision_conflict',
      'nothing was written: this contentIdentity was used for another path or other content; send the write with a new key',
    ),
    expectedRevision: expectedBy(change.precondition),
    ...(readable ? { currentRevision: revisionName(written) } : {}),
    earlier: { path: result.path, revision: result.revision, hash },
  };
}

/** Writes a retained revision as a new one; the provider identity of the current file stays. */
export function decideRestore(
  change: RestoreFile,
  state: ChangeState,
  context: ChangeContext,
): ChangeDecision {
  const { path, from } = change;
  const current = fileOf(state.at);
  if (!isChangeAllowed(permissionsOf(state.at.aclFiles, current), context)) return refuseAccess(change);
  const blocked = blockedBy(state.at, path);
  if (blocked !== null) return refuse(change, 'path_conflict', blocked);
  const { hash, sizeBytes, contentType, encoding, semantics } = from;
  const aclFile = aclFileOf(path, semantics, state.aclText);
  if (aclFile !== null && !aclFile.ok) return refuse(change, 'invalid_content', aclFile.reason);
  const written: FileEntry = {
    type: 'file',
    path,
    revision: context.nextRevision,
    hash,
    sizeBytes,
    contentType,
    encoding,
    provider: providerOf(path),
    providerObjectId: current?.providerObjectId ?? null,
    editedAtMs: context.atMs,
    semantics,
  };
  return accept(written, state, context, { content: null, marker: aclFile, restoredFrom: from.revision });
}

/** Records of a written file besides its entry. */
function accept(
  written: FileEntry,
  state: ChangeState,
  context: ChangeContext,
  more: {
    readonly content: AcceptedChange['content'];
    readonly marker: AclFile | null;
    readonly identity?: AcceptedChange['identity'];
    readonly restoredFrom?: number;
  },
): ChangeDecision {
  const { path, revision, hash } = written;
  const current = fileOf(state.at);
  const operations = operationRecords([{ path, revision, action: 'file_upsert', state: state.at }], context);
  const aclFiles = more.marker === null ? [] : [more.marker];
  const { restoredFrom } = more;
  const history = historyRecord(written, 'write', null, operations);
  const accepted: AcceptedChange = {
    removed: current,
    written,
    content: more.content,
    history: [restoredFrom === undefined ? history : { ...history, restoredFrom }],
    events: [
      {
        type: current === null ? 'file.created' : 'file.updated',
        path,
        revision,
        hash,
        permissions: enforced(permissionsOf(withAclFiles(state.at.aclFiles, aclFiles), written)),
      },
    ],
    operations,
    aclFiles,
    identity: more.identity ?? null,
  };
  return { ok: true, accepted, result: resultOf(written, revision, operations, more.identity?.identity) };
}

/** Only history changes: no event, no operation, no new entry. */
export function decideRetain(
  change: RetainVersion,
  state: ChangeState,
  context: ChangeContext,
): ChangeDecision {
  const current = fileOf(state.at);
  if (!isChangeAllowed(permissionsOf(state.at.aclFiles, current), context)) return refuseAccess(change);
  if (current === null) return refuse(change, 'not_found', 'there is no file at this path');
  const { content, encoding } = change;
  const kept: FileEntry = {
    ...current,
    revision: context.nextRevision,
    hash: content.hash,
    sizeBytes: content.sizeBytes,
    encoding,
  };
  const accepted: AcceptedChange = {
    removed: null,
    written: null,
    content,
    history: [
      {
        ...historyRecord(kept, 'write', null, []),
        kept: {
          semantics: current.semantics,
          permissions: enforced(permissionsOf(state.at.aclFiles, current)),
        },
      },
    ],
    events: [],
    operations: [],
    aclFiles: [],
    identity: null,
  };
  return { ok: true, accepted, result: resultOf(kept, kept.revision, []) };
}
