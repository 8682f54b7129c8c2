// W/conflicts: lists, shows and resolves conflicts of mirrors and of the remote. Owner or UI token only.

import type {
  ConflictAnswer,
  ConflictVersions,
  ListedConflict,
  Resolution,
  Version,
} from '../../../conflicts/conflicts.ts';
import {
  type Conflict,
  ConflictDetail,
  ConflictList,
  type ConflictMerge,
  ConflictResolveBody,
  ConflictResolved,
  type ConflictVersion,
} from '../../../contract/conflicts.ts';
import { ConflictParams } from '../../../contract/parameters.ts';
import { isoTime } from '../../../platform/json/json-text.ts';
import {
  decodeContent,
  decodeLong,
  isShortContent,
  type LongText,
} from '../../../workspaces/decode-content.ts';
import { ApiError, correlationIdOf } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandRoute, route } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { callerOf } from '../../plugins/auth.ts';
import { refusalError } from '../../request/file-writes.ts';

const url = '/v1/workspaces/:workspaceId/conflicts';

export function registerConflicts(app: App, dependencies: HttpDependencies): void {
  registerListConflicts(app, dependencies);
  registerGetConflict(app, dependencies);
  registerResolve(app, dependencies);
}

function registerListConflicts(app: App, { conflicts }: HttpDependencies): void {
  app.get(
    url,
    route('owner-workspace', {
      operationId: 'listConflicts',
      tag: 'Conflicts',
      summary: 'List conflicts of a workspace',
      points: [
        'Conflicts of all its mirrors and of its remote, oldest first.',
        'Of a remote, `folder` is the version of this workspace, and `workspace` that of the other server.',
      ],
      answers: { 200: jsonAnswer(ConflictList, 'The unresolved conflicts.') },
    }),
    async (request, reply) => {
      const found = await conflicts.list(request.params.workspaceId);
      return sendJson(reply, ConflictList, 200, { conflicts: found.map(conflictWire) });
    },
  );
}

function registerGetConflict(app: App, { conflicts }: HttpDependencies): void {
  app.get(
    `${url}/:conflictId`,
    route('owner-workspace', {
      operationId: 'getConflict',
      tag: 'Conflicts',
      summary: 'Get a conflict with its versions',
      points: ['Both versions, their base and, if possible, the merge of the three texts.'],
      params: ConflictParams,
      answers: { 200: jsonAnswer(ConflictDetail, 'The conflict.') },
      errors: ['not_found', 'rate_limited'],
    }),
    async (request, reply) => {
      const { workspaceId, conflictId } = request.params;
      const found = await conflicts.get(workspaceId, conflictId);
      if (found === null) throw conflictNotFound();
      return sendJson(reply, ConflictDetail, 200, detailWire(found));
    },
  );
}

function registerResolve(app: App, { conflicts, workspaces, config }: HttpDependencies): void {
  app.post(
    `${url}/:conflictId/resolve`,
    commandRoute('owner-workspace', {
      operationId: 'resolveConflict',
      tag: 'Conflicts',
      summary: 'Resolve a conflict',
      points: [
        '`folder` or `merged`: that version becomes the file at `path`, and the conflict copy is deleted.',
        '`workspace`: the conflict copy is deleted.',
        '`both`: the conflict copy remains as an ordinary file.',
        'A deleted version remains in the history of its path.',
        'With revisions in the request, a version that changed since is a 409 `revision_conflict`, and nothing changes.',
      ],
      params: ConflictParams,
      body: ConflictResolveBody,
      answers: { 200: jsonAnswer(ConflictResolved, 'The conflict is resolved.') },
      errors: ['not_found', 'revision_conflict', 'invalid_state', 'rate_limited'],
      config: { longMember: 'merged' },
      bodyBytesMax: config.maxBodyBytes,
    }),
    async (request, reply) => {
      const { workspaceId, conflictId } = request.params;
      const answer = await answerOf(request.body);
      const caller = callerOf(request);
      const resolution = await conflicts.resolve(workspaceId, conflictId, answer, {
        actor: caller.actor,
        access: caller.access,
        correlationId: correlationIdOf(request),
      });
      const { path, revision } = await resolvedOr(resolution, (refusal) => refusalError(workspaces, refusal));
      return sendJson(reply, ConflictResolved, 200, {
        conflictId,
        path,
        kept: answer.keep,
        revision,
      });
    },
  );
}

async function resolvedOr(
  resolution: Resolution,
  errorOf: (refusal: Extract<Resolution, { kind: 'refused' }>['refusal']) => Promise<ApiError>,
): Promise<Extract<Resolution, { kind: 'resolved' }>> {
  switch (resolution.kind) {
    case 'resolved':
      return resolution;
    case 'unknown':
      throw conflictNotFound();
    case 'unfit':
      throw new ApiError('invalid_state', resolution.reason);
    case 'refused':
      throw await errorOf(resolution.refusal);
  }
}

async function answerOf(body: ConflictResolveBody): Promise<ConflictAnswer> {
  const { keep, encoding, workspaceRevision, folderRevision } = body;
  const merged: string | LongText | undefined = body.merged;
  const seen = {
    ...(workspaceRevision === undefined ? {} : { workspaceRevision }),
    ...(folderRevision === undefined ? {} : { folderRevision }),
  };
  if (keep !== undefined && merged === undefined) return { keep, ...seen };
  if (keep !== undefined || merged === undefined) {
    throw new ApiError('bad_request', 'invalid body: use either keep or merged');
  }
  const decoded = isShortContent(merged)
    ? decodeContent(merged, encoding)
    : await decodeLong(merged, encoding);
  if (!decoded.ok) throw new ApiError('bad_request', `invalid input: ${decoded.message}`);
  return { keep: 'merged', bytes: decoded.bytes, ...seen };
}

// ---- JSON

function conflictWire({ source, row, kind, choices }: ListedConflict): Conflict {
  const isMirror = source.kind === 'mirror';
  return {
    conflictId: row.conflictId,
    workspaceId: source.workspaceId,
    mirrorId: isMirror ? source.id : null,
    dir: isMirror ? source.place : null,
    remoteId: isMirror ? null : source.id,
    url: isMirror ? null : source.place,
    kind,
    path: row.path,
    copyPath: row.copyPath,
    detectedAt: isoTime(row.atMs),
    choices: [...choices],
  };
}

function detailWire(found: ConflictVersions): ConflictDetail {
  return {
    conflict: conflictWire(found),
    base: versionWire(found.base),
    folder: versionWire(found.folder),
    workspace: versionWire(found.workspace),
    merge: mergeWire(found.merge),
  };
}

function versionWire(version: Version | null): ConflictVersion | null {
  if (version === null) return null;
  const { hash, sizeBytes, revision, editedAtMs, by, encoding, bytes } = version;
  return {
    revision,
    contentHash: hash,
    size: sizeBytes,
    editedAt: editedAtMs === null ? null : isoTime(editedAtMs),
    by: by === null ? null : { kind: by.kind, name: by.name },
    content: bytes === null ? null : Buffer.from(bytes).toString(encoding === 'base64' ? 'base64' : 'utf8'),
    encoding,
  };
}

const sideNames = {
  same: 'same',
  mine: 'folder',
  theirs: 'workspace',
  both: 'both',
  clash: 'clash',
} as const;

function mergeWire(merge: ConflictVersions['merge']): ConflictMerge | null {
  if (merge === null) return null;
  return {
    clean: merge.kind === 'clean',
    content: merge.kind === 'clean' ? merge.text : null,
    clashes: merge.kind === 'clean' ? 0 : merge.conflicts.length,
    pieces: merge.hunks.map(({ kind, base, mine, theirs }) => ({
      kind: sideNames[kind],
      base,
      folder: mine,
      workspace: theirs,
    })),
  };
}

function conflictNotFound(): ApiError {
  return new ApiError('not_found', 'conflict not found: it was resolved, or its file changed');
}
