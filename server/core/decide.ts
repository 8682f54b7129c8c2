// Decides on one change of a workspace: from the change and the loaded state of its paths to what is to be stored, or
// to a refusal. Pure: the store loads before and persists after; times and numbers are handed in.
import type { Semantics } from '../contract/common.ts';
import { effectivePermissions, effectiveRules, isAllowed, isMarkerPath, readMarker } from './acl.ts';
import type {
  DeleteFile,
  FileChange,
  KeepVersion,
  MoveFile,
  PlaceDraft,
  Precondition,
  Refusal,
  RefusalCode,
  RestoreFile,
  WriteFile,
} from './change.ts';
import { pathOfChange } from './change.ts';
import type { ChangeContext, ChangeState, Decision, Effect, Marker, PathState } from './decision.ts';
import { historyOf, identityOf, operationDrafts, opIdOf, resultOf, tombstoneOf } from './drafts.ts';
import { type FileEntry, revisionName } from './entry.ts';
import { parentOf, parseWritePath, providerOf } from './path.ts';
import { isEmptySemantics, normalizeSemantics } from './semantics.ts';

export function decide(change: FileChange, state: ChangeState, context: ChangeContext): Decision {
  if (!context.workspaceExists) return refuse(change, 'workspace_not_found', 'the workspace does not exist');
  switch (change.kind) {
    case 'write_file':
      return decideWrite(change, state, context);
    case 'delete_file':
      return decideDelete(change, state, context);
    case 'move_file':
      return decideMove(change, state, context);
    case 'place_draft':
      return decideDraft(change, state, context);
    case 'restore_file':
      return decideRestore(change, state, context);
    case 'keep_version':
      return decideKeep(change, state, context);
    default:
      return change satisfies never;
  }
}

function decideWrite(change: WriteFile, state: ChangeState, context: ChangeContext): Decision {
  const { path } = change;
  const invalid = invalidPath(change, path);
  if (invalid !== null) return invalid;
  const current = fileOf(state.at);
  if (!mayTouch(permissionsOf(state.at.markers, current), context)) return forbidden(change);
  if (state.repeats !== null) return { ok: true, effect: null, result: { ...state.repeats, repeated: true } };
  const blocked = blockedBy(state.at, path);
  if (blocked !== null) return refuse(change, 'path_conflict', blocked);
  const failed = failedPrecondition(change, change.precondition, current);
  if (failed !== null) return failed;

  const semantics = semanticsAfter(change.semantics, change.replacesSemantics ? null : current);
  const marker = markerOf(path, semantics, change.aclText ?? null);
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
    identity: change.contentIdentity,
  });
}

/** A state that history keeps comes back as a new revision; the provider's identity of what stands there stays. */
function decideRestore(change: RestoreFile, state: ChangeState, context: ChangeContext): Decision {
  const { path, from } = change;
  const current = fileOf(state.at);
  if (!mayTouch(permissionsOf(state.at.markers, current), context)) return forbidden(change);
  const blocked = blockedBy(state.at, path);
  if (blocked !== null) return refuse(change, 'path_conflict', blocked);
  const { hash, sizeBytes, contentType, encoding, semantics } = from;
  const marker = markerOf(path, semantics, state.markerText);
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
    readonly content: Effect['content'];
    readonly marker: Marker | null;
    readonly identity?: WriteFile['contentIdentity'];
    readonly restoredFrom?: number;
  },
): Decision {
  const { path, revision, hash } = written;
  const current = fileOf(state.at);
  const operations = operationDrafts([{ path, revision, action: 'file_upsert', state: state.at }], context);
  const markers = more.marker === null ? [] : [more.marker];
  const { restoredFrom } = more;
  const history = historyOf(written, 'write', null, operations);
  const effect: Effect = {
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
        permissions: enforced(permissionsOf(withMarkers(state.at.markers, markers), written)),
      },
    ],
    operations,
    markers,
    identity: identityOf(more.identity, context.atMs),
  };
  return { ok: true, effect, result: resultOf(written, revision, operations, more.identity) };
}

function decideDelete(change: DeleteFile, state: ChangeState, context: ChangeContext): Decision {
  const current = fileOf(state.at);
  const permissions = permissionsOf(state.at.markers, current);
  if (!mayTouch(permissions, context)) return forbidden(change);
  if (current === null) return refuse(change, 'not_found', 'there is no file at this path');
  const failed = failedPrecondition(change, change.precondition, current);
  if (failed !== null) return failed;

  const revision = context.nextRevision;
  const { path } = current;
  const operations = operationDrafts([{ path, revision, action: 'file_delete', state: state.at }], context);
  const effect: Effect = {
    removed: current,
    written: null,
    content: null,
    history: [tombstoneOf(current, revision, operations)],
    events: [{ type: 'file.deleted', path, revision, hash: null, permissions: enforced(permissions) }],
    operations,
    markers: isMarkerPath(path) ? [{ directory: directoryOf(path), permissions: null }] : [],
    identity: null,
  };
  return { ok: true, effect, result: resultOf(current, revision, operations) };
}

function decideMove(change: MoveFile, state: ChangeState, context: ChangeContext): Decision {
  const { from, to } = change;
  if (state.to === null) throw new Error('a move was loaded without the state of its target');
  const invalid = invalidPath(change, to);
  if (invalid !== null) return invalid;
  const current = fileOf(state.at);
  const before = permissionsOf(state.at.markers, current);
  if (!mayTouch(before, context)) return forbidden(change);
  if (!mayTouch(permissionsOf(state.to.markers, null), context)) return forbidden(change);
  if (current === null) return refuse(change, 'not_found', 'there is no file at this path');
  const failed = failedPrecondition(change, change.precondition, current);
  if (failed !== null) return failed;
  const blocked = blockedMove(from, to, state.to);
  if (blocked !== null) return refuse(change, 'path_conflict', blocked);

  const { replacement } = change;
  const semantics = semanticsAfter(replacement?.semantics, current);
  const markerText = replacement === undefined ? state.markerText : (replacement.aclText ?? null);
  const marker = markerOf(to, semantics, markerText);
  if (marker !== null && !marker.ok) return refuse(change, 'invalid_content', marker.reason);
  const markers = [
    ...(isMarkerPath(from) ? [{ directory: directoryOf(from), permissions: null }] : []),
    ...(marker === null ? [] : [marker]),
  ];
  const leftAt = context.nextRevision;
  // The file keeps its provider's identity for it and, unless they are replaced, its content and metadata.
  const written: FileEntry = {
    ...current,
    path: to,
    revision: leftAt + 1,
    provider: providerOf(to),
    editedAtMs: context.atMs,
    ...(replacement === undefined
      ? {}
      : {
          hash: replacement.content.hash,
          sizeBytes: replacement.content.sizeBytes,
          contentType: replacement.contentType ?? current.contentType,
          encoding: replacement.encoding,
          semantics,
        }),
  };
  const operations = operationDrafts(
    [
      { path: from, revision: leftAt, action: 'file_delete', state: state.at },
      { path: to, revision: written.revision, action: 'file_upsert', state: state.to },
    ],
    context,
  );
  const after = permissionsOf(withMarkers(state.to.markers, markers), written);
  const effect: Effect = {
    removed: current,
    written,
    content: replacement?.content ?? null,
    history: [
      tombstoneOf(current, leftAt, operations.slice(0, 1)),
      historyOf(written, 'move', from, operations.slice(1)),
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
    markers,
    identity: null,
  };
  return { ok: true, effect, result: resultOf(written, written.revision, operations.slice(1)) };
}

/**
 * Contract 2, writeback ack. A file that the provider knows by an id is no draft. One that was edited since it was carried
 * away never goes; it moves, and the edit becomes an operation of its new place.
 */
function decideDraft(change: PlaceDraft, state: ChangeState, context: ChangeContext): Decision {
  const { from, to, externalId } = change;
  const current = fileOf(state.at);
  if (current === null) return refuse(change, 'not_found', 'there is no file at this path');
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
  if (!moved.ok || moved.effect?.written == null) return moved;
  const written: FileEntry = { ...moved.effect.written, providerObjectId: externalId };
  const operations = edited
    ? operationDrafts([{ path: to, revision: written.revision, action: 'file_upsert', state: state.at }], {
        ...context,
        makesOperations: true,
      })
    : [];
  const opId = opIdOf(operations);
  return {
    ok: true,
    effect: {
      ...moved.effect,
      written,
      operations,
      history: moved.effect.history.map((draft) => (draft.action === 'move' ? { ...draft, opId } : draft)),
    },
    result: { ...moved.result, opId },
  };
}

/** Only history changes: nobody is told, nothing is sent, nothing else stands at the path. */
function decideKeep(change: KeepVersion, state: ChangeState, context: ChangeContext): Decision {
  const current = fileOf(state.at);
  if (!mayTouch(permissionsOf(state.at.markers, current), context)) return forbidden(change);
  if (current === null) return refuse(change, 'not_found', 'there is no file at this path');
  const { content, encoding } = change;
  const kept: FileEntry = {
    ...current,
    revision: context.nextRevision,
    hash: content.hash,
    sizeBytes: content.sizeBytes,
    encoding,
  };
  const effect: Effect = {
    removed: null,
    written: null,
    content,
    history: [
      {
        ...historyOf(kept, 'write', null, []),
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

// ---- rules of access

function fileOf(state: PathState): FileEntry | null {
  return state.entry?.type === 'file' ? state.entry : null;
}

function permissionsOf(markers: readonly Marker[], file: FileEntry | null): readonly string[] {
  if (markers.length === 0) return file?.semantics.permissions ?? [];
  return effectivePermissions(
    markers.map((marker) => marker.permissions),
    file?.semantics.permissions ?? [],
  );
}

function mayTouch(permissions: readonly string[], context: ChangeContext): boolean {
  return permissions.length === 0 || isAllowed(effectiveRules([permissions], []), context.access);
}

/** Nothing at all where no permission is a rule: most events need none stored. */
function enforced(permissions: readonly string[]): readonly string[] {
  return effectiveRules([permissions], []).length === 0 ? [] : permissions;
}

/** The ancestors' markers as they will be once the change's own markers are in force. */
function withMarkers(inherited: readonly Marker[], changed: Effect['markers']): readonly Marker[] {
  if (changed.length === 0) return inherited;
  const kept = inherited.filter((marker) => !changed.some((one) => one.directory === marker.directory));
  const added = changed.flatMap(({ directory, permissions }) =>
    permissions === null ? [] : [{ directory, permissions }],
  );
  return [...kept, ...added];
}

function directoryOf(path: string): string {
  return parentOf(path) ?? '/';
}

/** null: not a marker. A marker's metadata names the permissions; without any, its JSON text does (contract 1.3). */
function markerOf(
  path: string,
  semantics: Semantics,
  text: string | null,
): null | ({ readonly ok: true } & Marker) | { readonly ok: false; readonly reason: string } {
  if (!isMarkerPath(path)) return null;
  const read = readMarker(semantics, text);
  if (!read.valid) return { ok: false, reason: `an access-rule file is not valid: ${read.reason}` };
  return { ok: true, directory: directoryOf(path), permissions: read.permissions };
}

/** Absent or empty metadata keeps what the file has. */
function semanticsAfter(given: Semantics | undefined, current: FileEntry | null): Semantics {
  const normal = given === undefined ? {} : normalizeSemantics(given);
  return isEmptySemantics(normal) ? (current?.semantics ?? {}) : normal;
}

// ---- what refuses a change

function refuse(change: FileChange, code: RefusalCode, message: string): Refusal {
  return { ok: false, path: pathOfChange(change), code, message };
}

function forbidden(change: FileChange): Refusal {
  return refuse(change, 'forbidden', 'access denied by ACL');
}

function invalidPath(change: FileChange, path: string): Refusal | null {
  const parsed = parseWritePath(path);
  if (!parsed.ok) return refuse(change, 'invalid_path', parsed.reason);
  return parsed.path === path
    ? null
    : refuse(change, 'invalid_path', `the path must be given as ${parsed.path}`);
}

/** One name cannot be a file and a directory (contract ruling 25). The text names the other path. */
function blockedBy(state: PathState, path: string): string | null {
  if (state.entry?.type === 'dir') return `${path} is a directory`;
  return state.fileAbove === null ? null : `${state.fileAbove} is a file`;
}

/** A move never replaces what stands at its target, and a file cannot become its own directory. */
function blockedMove(from: string, to: string, target: PathState): string | null {
  if (target.entry?.type === 'file') return `${to} exists`;
  // The moved file itself is gone by the time the target stands; only another file above blocks.
  if (target.fileAbove === from) return null;
  return blockedBy(target, to);
}

/** Contract 2 (PUT file) and ruling 28. null: it holds. */
export function failedPrecondition(
  change: FileChange,
  precondition: Precondition,
  current: FileEntry | null,
): Refusal | null {
  switch (precondition.kind) {
    case 'any':
      return null;
    case 'absent':
      return current === null ? null : conflict(change, '0', current);
    case 'revision':
      if (current === null) return refuse(change, 'not_found', 'there is no file at this path');
      return revisionName(current) === precondition.revision
        ? null
        : conflict(change, precondition.revision, current);
    case 'content':
      if (current === null) return refuse(change, 'not_found', 'there is no file at this path');
      return current.hash === precondition.hash ? null : conflict(change, precondition.hash, current);
    default:
      return precondition satisfies never;
  }
}

function conflict(change: FileChange, expectedRevision: string, current: FileEntry): Refusal {
  return {
    ...refuse(change, 'revision_conflict', 'the file is not in the expected state'),
    expectedRevision,
    currentRevision: revisionName(current),
    current,
  };
}
