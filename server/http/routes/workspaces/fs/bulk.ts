// POST W/fs/bulk: writes many files in one transaction with one fsync. A refused file is a result, not an error of the request.
import type { FastifyRequest } from 'fastify';
import { grantsScope } from '../../../../auth/scopes.ts';
import type { BulkErrorCode } from '../../../../contract/errors.ts';
import { BulkBody, type BulkFile, BulkResult, type WriteFileBody } from '../../../../contract/files.ts';
import { ForkQueryParameters } from '../../../../contract/parameters.ts';
import { TimeSlices } from '../../../../platform/event-loop.ts';
import { isRecord } from '../../../../platform/json/json.ts';
import {
  type Applied,
  type ChangeResult,
  normalizeReadPath,
  type Refusal,
} from '../../../../workspaces/model.ts';
import type { WorkspaceService } from '../../../../workspaces/service.ts';
import type { Caller } from '../../../base/access.ts';
import { ApiError, correlationIdOf, workspaceNotFound } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { bulkFilesMax } from '../../../base/limits.ts';
import { commandRoute } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf } from '../../../plugins/auth.ts';
import { changeCommand } from '../../../request/change-files.ts';
import {
  preconditionOf,
  toWriteChange,
  UnwritableError,
  type WriteFileChange,
} from '../../../request/file-writes.ts';
import { type ForkRefusal, filesOf, forkRefusal, isForkRefusal } from '../../../request/fork-access.ts';
import { revisionName } from '../../../wire/records.ts';

type BulkError = BulkResult['errors'][number];
type BulkWritten = BulkResult['results'][number];

export function registerBulk(app: App, dependencies: HttpDependencies): void {
  const { workspaces, config } = dependencies;
  app.post(
    '/v1/workspaces/:workspaceId/fs/bulk',
    commandRoute('fs:write', {
      operationId: 'bulkWrite',
      tag: 'Files',
      summary: 'Write many files',
      callers: 'Scope: any grant of `fs:write`; each path is checked separately.',
      points: [
        'At most 10,000 files.',
        'The accepted files commit together and are durable once the request is answered. Refused files are listed in `errors`: `conflict`, `forbidden`, `invalid_path`, `invalid_encoding`, `invalid_content`.',
        'Without `ifMatch`, a file is created or overwritten.',
        'With `forkId`, the files are staged in the fork. An unknown, expired or full fork refuses each file: `not_found`, `fork_expired`, `invalid_input`.',
        'A repeated `contentIdentity` within its lifetime returns the earlier result and writes nothing. With another path or content it is a `conflict`.',
        'A `conflict` has `expectedRevision`, and `currentRevision` if the token may read the existing file.',
      ],
      query: ForkQueryParameters,
      body: BulkBody,
      answers: { 202: jsonAnswer(BulkResult, 'The result of each file, in the order of the request.') },
      errors: ['rate_limited'],
      config: { longMember: 'content', forks: true },
      bodyBytesMax: config.maxBodyBytes,
    }),
    async (request, reply) => {
      const caller = callerOf(request);
      const files = request.body.files ?? [];
      if (files.length === 0) throw new ApiError('bad_request', 'missing files');
      if (files.length > bulkFilesMax) throw tooManyFiles(files.length);
      const outcomes: (BulkError | null)[] = [];
      const changes: WriteFileChange[] = [];
      const slices = new TimeSlices();
      for (const file of files) {
        await slices.next();
        const change = await acceptedChange(workspaces, caller, file);
        if (change.kind === 'write_file') changes.push(change);
        outcomes.push(change.kind === 'write_file' ? null : change.error);
      }
      const results = changes.length === 0 ? [] : await changeEach(dependencies, request, changes);
      return sendJson(reply, BulkResult, 202, bulkResult(outcomes, results, correlationIdOf(request)));
    },
  );
}

/** A fork that is gone refuses each file (docs/wire-contract.md#bulk-writes). */
async function changeEach(
  dependencies: HttpDependencies,
  request: FastifyRequest<{ Params: { workspaceId: string } }>,
  changes: readonly WriteFileChange[],
): Promise<readonly (ChangeResult | ForkRefusal)[]> {
  const { workspaceId } = request.params;
  try {
    const files = await filesOf(dependencies, request, workspaceId);
    return await files.change(changeCommand(request, workspaceId, changes));
  } catch (error) {
    const refusal = forkRefusal(error);
    if (refusal === null) throw error;
    return changes.map(({ path }) => ({ ok: false, path, ...refusal }));
  }
}

async function acceptedChange(
  workspaces: WorkspaceService,
  caller: Caller,
  file: BulkFile,
): Promise<WriteFileChange | { readonly kind: 'refused'; readonly error: BulkError }> {
  const path = file.path ?? '';
  try {
    if (path === '') throw new UnwritableError('invalid_path', 'the path is empty');
    if (!mayWrite(caller, path)) return refused(path, 'forbidden', 'file access denied by path scope');
    return await toWriteChange(workspaces, {
      path,
      content: file.content,
      contentType: file.contentType,
      encoding: file.encoding,
      contentIdentity: file.contentIdentity,
      semantics: semanticsOf(file.semantics),
      replaceSemantics: file.replaceSemantics,
      precondition: preconditionOf(file.ifMatch) ?? { kind: 'any' },
    });
  } catch (error) {
    if (error instanceof UnwritableError) return refused(path, error.code, error.message);
    throw error;
  }
}

function tooManyFiles(count: number): ApiError {
  return new ApiError(
    'payload_too_large',
    `a bulk write has at most ${bulkFilesMax} files, this one has ${count}: send it in several requests`,
  );
}

function mayWrite({ token }: Caller, path: string): boolean {
  return token.owner || grantsScope(token.scopes, 'fs:write', normalizeReadPath(path));
}

function refused(path: string, code: BulkErrorCode, message: string) {
  return { kind: 'refused', error: { path, code, message } } as const;
}

/** The schema of the body does not check it, so that one invalid file does not refuse all. */
function semanticsOf(value: unknown): WriteFileBody['semantics'] {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) throw new UnwritableError('invalid_content', 'semantics must be an object');
  const { properties, relations, permissions, comments } = value;
  if (properties !== undefined && !isRecord(properties)) {
    throw new UnwritableError('invalid_content', 'semantics.properties must be an object');
  }
  return {
    ...(properties === undefined ? {} : { properties }),
    ...(relations === undefined ? {} : { relations: textsOf('relations', relations) }),
    ...(permissions === undefined ? {} : { permissions: textsOf('permissions', permissions) }),
    ...(comments === undefined ? {} : { comments: textsOf('comments', comments) }),
  };
}

function textsOf(name: string, value: unknown): string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new UnwritableError('invalid_content', `semantics.${name} must be a list of strings`);
}

/** `outcomes` is null where a change was made; `results` has those changes in order. */
function bulkResult(
  outcomes: readonly (BulkError | null)[],
  results: readonly (ChangeResult | ForkRefusal)[],
  correlationId: string,
): BulkResult {
  const errors: BulkError[] = [];
  const written: BulkWritten[] = [];
  let writtenCount = 0;
  let next = 0;
  for (const outcome of outcomes) {
    if (outcome !== null) {
      errors.push(outcome);
      continue;
    }
    const result = results[next];
    next += 1;
    if (result === undefined) throw new Error('a change has no result');
    if (!result.ok) errors.push(bulkError(result));
    else {
      written.push(bulkWritten(result));
      if (!result.repeated) writtenCount += 1;
    }
  }
  return { written: writtenCount, errorCount: errors.length, errors, results: written, correlationId };
}

const bulkCodes: Readonly<Record<Exclude<Refusal['code'], 'workspace_not_found'>, BulkErrorCode>> = {
  revision_conflict: 'conflict',
  not_found: 'conflict',
  forbidden: 'forbidden',
  invalid_path: 'invalid_path',
  path_conflict: 'invalid_path',
  invalid_content: 'invalid_content',
  not_applied: 'internal_error',
};

function bulkError(refusal: Refusal | ForkRefusal): BulkError {
  if (isForkRefusal(refusal)) {
    return { path: refusal.path, code: refusal.forkCode, message: refusal.message };
  }
  if (refusal.code === 'workspace_not_found') throw workspaceNotFound();
  const { path, message, expectedRevision, currentRevision } = refusal;
  return {
    path,
    code: bulkCodes[refusal.code],
    message,
    ...(expectedRevision === undefined ? {} : { expectedRevision }),
    ...(currentRevision === undefined ? {} : { currentRevision }),
  };
}

function bulkWritten(applied: Applied): BulkWritten {
  return {
    path: applied.path,
    revision: revisionName(applied),
    contentType: applied.contentType,
    ...(applied.opId === null ? {} : { opId: applied.opId }),
    ...(applied.contentIdentity === undefined ? {} : { contentIdentity: applied.contentIdentity }),
    writeback: { provider: applied.provider, state: 'pending' },
  };
}
