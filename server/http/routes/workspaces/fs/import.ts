// W/fs/import/github-tarball: imports the files of a repository, from an uploaded archive or one that the agent fetches.
import { grantsScope } from '../../../../auth/scopes.ts';
import type { BulkErrorCode } from '../../../../contract/errors.ts';
import {
  TarballFetchBody,
  TarballImported,
  TarballJob,
  TarballParameters,
} from '../../../../contract/imports.ts';
import { TarballFetchHeaders, TarballJobParams } from '../../../../contract/parameters.ts';
import {
  FetchNotAllowedError,
  type TarballJobRow,
  TarballRefusedError,
  type TarballRequest,
  type TarballResult,
} from '../../../../inbound/imports/tarball-jobs.ts';
import type { Caller } from '../../../base/access.ts';
import { ApiError, correlationIdOf, workspaceNotFound } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { importRetryAfterSeconds } from '../../../base/limits.ts';
import { commandRoute, route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { bodyChecker, describedBody } from '../../../plugins/bodies.ts';
import { wireTime } from '../../../wire/records.ts';

const url = '/v1/workspaces/:workspaceId/fs/import/github-tarball';
const importPoints = [
  'Files are written below `/github/repos/{owner}/{repo}/contents/` in one change, without the leading directory of the archive. Existing files that are not in the archive remain.',
  'Skipped: generated directories such as `.git`, `node_modules`, `dist` and `coverage` (`ignored`), and files over 1 MiB (`too-large`).',
  'Links, devices and invalid paths are listed in `errors`.',
  'Makes no operations for providers.',
  'Refused as a whole: an invalid archive, more than 50,000 entries, more than 1 GiB unpacked, or more than 128 MiB of files to import.',
] as const;

export function registerImport(app: App, dependencies: HttpDependencies): void {
  registerUpload(app, dependencies);
  registerFetch(app, dependencies);
  registerJob(app, dependencies);
}

function registerUpload(app: App, { tarballs }: HttpDependencies): void {
  const check = bodyChecker(TarballParameters, url);
  app.post(
    url,
    route('fs:write', {
      operationId: 'importGithubTarball',
      tag: 'Files',
      summary: 'Import a GitHub source tarball',
      callers: 'Scope: any grant of `fs:write`; each file is checked separately.',
      points: ['The body is the gzipped tar.', ...importPoints],
      query: TarballParameters,
      body: {
        content: { 'application/gzip': { schema: { type: 'string', format: 'binary', ...describedBody } } },
      },
      answers: { 200: jsonAnswer(TarballImported, 'The result of the import.') },
      errors: ['payload_too_large', 'rate_limited'],
      config: { rawBody: true },
    }),
    async (request, reply) => {
      const query = queryOf(request);
      const named = Object.fromEntries(
        ['owner', 'repo', 'headSha', 'jobId'].flatMap((name) => {
          const value = query.text(name);
          return value === undefined ? [] : [[name, value]];
        }),
      );
      check(named);
      const asked = named as TarballParameters;
      const archive = request.body as unknown as Buffer | undefined;
      if (archive === undefined || archive.length === 0)
        throw new ApiError('bad_request', 'the body is empty: send the gzipped tar');
      const { workspaceId } = request.params;
      const correlationId = correlationIdOf(request);
      const agent = agentOf(callerOf(request));
      const source = { ...asked, workspaceId, agent, ref: null, jobId: asked.jobId ?? null };
      const about = requestOf(callerOf(request), workspaceId, asked, correlationId);
      const result = await tarballs.run(source, { ...about, archive }).catch((error: unknown) => {
        if (error instanceof TarballRefusedError) throw new ApiError(error.code, error.message);
        throw error;
      });
      if (result === null) throw busy();
      return sendJson(reply, TarballImported, 200, { ...wireResult(result), correlationId });
    },
  );
}

function registerFetch(app: App, { tarballs }: HttpDependencies): void {
  app.post(
    `${url}/fetch`,
    commandRoute('fs:write', {
      operationId: 'fetchGithubTarball',
      tag: 'Files',
      summary: 'Fetch and import a GitHub source tarball',
      points: [
        'Fetches only from hosts that the owner allows (`--import-host`, default: none), also after redirects; otherwise 403.',
        '`X-GitHub-Token` is sent only to the first host.',
        'Returns the job; a repeated request returns the running one. Jobs are discarded when the agent stops.',
        ...importPoints,
      ],
      body: TarballFetchBody,
      headers: TarballFetchHeaders,
      answers: { 202: jsonAnswer(TarballJob, 'The job.') },
      errors: ['rate_limited'],
    }),
    async (request, reply) => {
      const { workspaceId } = request.params;
      const { body } = request;
      const header = request.headers['x-github-token'];
      const token = typeof header === 'string' && header !== '' ? header : null;
      const agent = agentOf(callerOf(request));
      const source = { ...body, workspaceId, agent, ref: body.ref ?? null, jobId: body.jobId ?? null };
      const about = requestOf(callerOf(request), workspaceId, body, correlationIdOf(request));
      try {
        const job = tarballs.fetch(source, { url: body.tarballUrl, token }, about);
        if (job === null) throw busy();
        return sendJson(reply, TarballJob, 202, wireJob(job));
      } catch (error) {
        if (error instanceof FetchNotAllowedError) throw new ApiError('forbidden', error.message);
        throw error;
      }
    },
  );
}

function registerJob(app: App, { tarballs }: HttpDependencies): void {
  app.get(
    `${url}/jobs/:jobId`,
    route('fs:read', {
      operationId: 'getTarballJob',
      tag: 'Files',
      summary: 'Get the state of an import',
      points: [
        'Jobs of the token’s agent; the owner can read all.',
        'The newest 200 finished jobs are available while the agent runs.',
        'After a restart a job is unknown: it was interrupted or had finished. Repeat the request for the same commit to write the remaining files.',
      ],
      params: TarballJobParams,
      answers: { 200: jsonAnswer(TarballJob, 'The job.') },
      errors: ['not_found'],
    }),
    (request, reply) => {
      const { workspaceId, jobId } = request.params;
      const job = tarballs.get(workspaceId, jobId, agentOf(callerOf(request)));
      if (job === null) {
        throw new ApiError(
          'not_found',
          'there is no such job; jobs end with the agent that ran them, and the files that one had written stay',
        );
      }
      return sendJson(reply, TarballJob, 200, wireJob(job));
    },
  );
}

function agentOf({ access }: Caller): string | null {
  return access === null ? null : access.agent;
}

function requestOf(
  { token, access, actor }: Caller,
  workspaceId: string,
  { owner, repo, headSha }: TarballParameters,
  correlationId: string,
): Omit<TarballRequest, 'archive'> {
  return {
    workspaceId,
    directory: `/github/repos/${owner}/${repo}/contents`,
    headSha,
    actor,
    access,
    mayWrite: (path) => token.owner || grantsScope(token.scopes, 'fs:write', path),
    correlationId,
  };
}

function busy(): ApiError {
  return new ApiError('rate_limited', 'another import is running: try again when it has finished', {
    retryAfterSeconds: importRetryAfterSeconds,
  });
}

const codes: Readonly<Record<string, BulkErrorCode>> = {
  forbidden: 'forbidden',
  invalid_path: 'invalid_path',
  path_conflict: 'invalid_path',
  invalid_content: 'invalid_content',
};

function wireResult({ imported, bytesWritten, errors, skipped }: TarballResult) {
  return {
    imported,
    errorCount: errors.length,
    errors: errors.map(({ path, code, message }) => {
      if (code === 'workspace_not_found') throw workspaceNotFound();
      return { path, code: codes[code] ?? 'internal_error', message };
    }),
    skipped: skipped.map((one) => ({ ...one })),
    bytesWritten,
  };
}

function wireJob(job: TarballJobRow): TarballJob {
  return {
    jobId: job.jobId,
    workspaceId: job.workspaceId,
    owner: job.owner,
    repo: job.repo,
    ...(job.ref === null ? {} : { ref: job.ref }),
    headSha: job.headSha,
    status: job.status,
    ...wireResult(job.result),
    ...(job.lastError === null ? {} : { lastError: job.lastError }),
    createdAt: wireTime(job.createdAtMs),
    updatedAt: wireTime(job.updatedAtMs),
    ...(job.completedAtMs === null ? {} : { completedAt: wireTime(job.completedAtMs) }),
  };
}
