// What gives a path a content: a write, a state of history that comes back, a version that only history keeps. A part of decide.ts.

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
  if (!isChangeAllowed(permissionsOf(state.at.markers, current), context)) return refuseAccess(change);
  if (state.earlier !== null) return decideRepeat(change, state.earlier, context);
  const blocked = blockedBy(state.at, path);
  if (blocked !== null) return refuse(change, 'path_conflict', blocked);
  const failed = failedPrecondition(change, change.precondition, current);
  if (failed !== null) return failed;

  const semantics = semanticsAfter(change.semantics, change.replacesSemantics ? null : current);
  const marker = aclFileOf(path, semantics, change.aclText ?? null);
  if (marker !== null && !marker.ok) return refuse(change, 'invalid_content', marker.reason);

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
    marker,
    identity: contentIdentityOf(change.contentIdentity, identityHashOf(change), context.atMs),
  });
}

/** What an identity is bound to beside its path. */
function identityHashOf(change: WriteFile): string {
  return change.identityHash ?? change.content.hash;
}

/** Ruling 33: an identity answers for one path and one content; with another it would lose what it was sent with. */
function decideRepeat(change: WriteFile, earlier: EarlierWrite, context: ChangeContext): ChangeDecision {
  const { result, hash, at } = earlier;
  if (result.path === change.path && hash === identityHashOf(change)) {
    return { ok: true, effect: null, result: { ...result, repeated: true } };
  }
  const written = at === null ? null : fileOf(at);
  const readable =
    at !== null &&
    written !== null &&
    isReadAllowed(result.path, permissionsOf(at.markers, written), context);
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

/** A state that history keeps comes back as a new revision; the provider's identity of what stands there stays. */
export function decideRestore(
  change: RestoreFile,
  state: ChangeState,
  context: ChangeContext,
): ChangeDecision {
  const { path, from } = change;
  const current = fileOf(state.at);
  if (!isChangeAllowed(permissionsOf(state.at.markers, current), context)) return refuseAccess(change);
  const blocked = blockedBy(state.at, path);
  if (blocked !== null) return refuse(change, 'path_conflict', blocked);
  const { hash, sizeBytes, contentType, encoding, semantics } = from;
  const marker = aclFileOf(path, semantics, state.markerText);
  if (marker !== null && !marker.ok) return refuse(change, 'invalid_content', marker.reason);
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
  return accept(written, state, context, { content: null, marker, restoredFrom: from.revision });
}

/** What a written file stores besides itself. */
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
  const markers = more.marker === null ? [] : [more.marker];
  const { restoredFrom } = more;
  const history = historyRecord(written, 'write', null, operations);
  const effect: AcceptedChange = {
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
        permissions: enforced(permissionsOf(withAclFiles(state.at.markers, markers), written)),
      },
    ],
    operations,
    markers,
    identity: more.identity ?? null,
  };
  return { ok: true, effect, result: resultOf(written, revision, operations, more.identity?.identity) };
}

/** Only history changes: nobody is told, nothing is sent, nothing else stands at the path. */
export function decideKeep(
  change: RetainVersion,
  state: ChangeState,
  context: ChangeContext,
): ChangeDecision {
  const current = fileOf(state.at);
  if (!isChangeAllowed(permissionsOf(state.at.markers, current), context)) return refuseAccess(change);
  if (current === null) return refuse(change, 'not_found', 'there is no file at this path');
  const { content, encoding } = change;
  const kept: FileEntry = {
    ...current,
    revision: context.nextRevision,
    hash: content.hash,
    sizeBytes: content.sizeBytes,
    encoding,
  };
  const effect: AcceptedChange = {
    removed: null,
    written: null,
    content,
    history: [
      {
        ...historyRecord(kept, 'write', null, []),
        kept: {
          semantics: current.semantics,
          permissions: enforced(permissionsOf(state.at.markers, current)),
        },
      },
    ],
    events: [],
    operations: [],
    markers: [],
    identity: null,
  };
  return { ok: true, effect, result: resultOf(kept, kept.revision, []) };
}
