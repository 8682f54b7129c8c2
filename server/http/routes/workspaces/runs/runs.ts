// W/runs: creates, lists, reads and discards runs. The filesystem routes with the `forkId` of a run read and write its files; end-run.ts
// has commit and undo.
import { tokenChainIds } from '../../../../auth/tokens.ts';
import {
  RunParams,
  RunSummaryQueryParameters,
  RunsQueryParameters,
} from '../../../../contract/parameters.ts';
import { CreateRunBody, Run, RunList, RunSummary } from '../../../../contract/runs.ts';
import { unusableFork } from '../../../../workspaces/forks.ts';
import { normalizeReadPath } from '../../../../workspaces/model.ts';
import { ApiError, workspaceNotFound } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { runsLimit } from '../../../base/limits.ts';
import { commandRoute, route } from '../../../base/route-options.ts';
import { type App, emptyAnswer, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { globsOf } from '../../../request/globs.ts';
import { runCaller } from '../../../request/run-caller.ts';
import { wireRun, wireSummary } from '../../../wire/runs.ts';
import { registerCommitRun, registerUndoRun } from './end-run.ts';
import { registerRunFolder } from './run-folder.ts';

const url = '/v1/workspaces/:workspaceId/runs';
const cursorPattern = /^[1-9]\d{0,14}$/;

export function registerRuns(app: App, dependencies: HttpDependencies): void {
  registerCreate(app, dependencies);
  registerList(app, dependencies);
  registerShow(app, dependencies);
  registerSummary(app, dependencies);
  registerCommitRun(app, dependencies);
  registerUndoRun(app, dependencies);
  registerDiscard(app, dependencies);
  registerRunFolder(app, dependencies);
}

function registerCreate(app: App, { runs }: HttpDependencies): void {
  app.post(
    url,
    commandRoute('fs:write', {
      operationId: 'createRun',
      tag: 'Runs',
      summary: 'Create a run',
      points: [
        'A run has a fork: its files are read and written with `forkId`, and the workspace does not change until the commit.',
        'It ends with a commit, a discard, or after 30 days. It has the limits of a fork.',
      ],
      body: CreateRunBody,
      answers: { 200: jsonAnswer(Run, 'The run.') },
      errors: ['invalid_state'],
    }),
    async (request, reply) => {
      const { workspaceId } = request.params;
      const { name = '', path = '/', command = [] } = request.body;
      if (![name, path, ...command].every((text) => text.isWellFormed()))
        throw new ApiError('bad_request', 'invalid input: a text is not well-formed');
      const { actor, token } = callerOf(request);
      const created = await runs.create({
        workspaceId,
        name,
        path: normalizeReadPath(path),
        command,
        by: actor,
        creatorTokens: token.owner ? [] : tokenChainIds(token),
      });
      switch (created.kind) {
        case 'open':
          return sendJson(reply, Run, 200, wireRun(created.run));
        case 'too_many':
          throw new ApiError(
            'invalid_state',
            'the workspace has the maximum number of open forks and runs: commit or discard one',
          );
        case 'workspace_not_found':
          throw workspaceNotFound();
      }
    },
  );
}

function registerList(app: App, { runs }: HttpDependencies): void {
  app.get(
    url,
    route('fs:read', {
      operationId: 'listRuns',
      tag: 'Runs',
      summary: 'List runs',
      points: [
        'Newest first: runs that the token created, and open runs with a staged path that it may read; the owner can read all.',
        'Counts and bytes include only such paths. A page can have fewer runs than `limit`.',
      ],
      query: RunsQueryParameters,
      answers: { 200: jsonAnswer(RunList, 'One page of runs.') },
    }),
    async (request, reply) => {
      const query = queryOf(request);
      const cursor = query.text('cursor');
      if (cursor !== undefined && !cursorPattern.test(cursor))
        throw new ApiError('bad_request', 'invalid cursor: use the nextCursor of a page');
      const { runs: page, next } = await runs.list(request.params.workspaceId, runCaller(request), {
        before: cursor === undefined ? null : Number(cursor),
        limit: query.integer('limit', runsLimit),
      });
      return sendJson(reply, RunList, 200, {
        runs: page.map(wireRun),
        nextCursor: next === null ? null : String(next),
      });
    },
  );
}

function registerShow(app: App, { runs }: HttpDependencies): void {
  app.get(
    `${url}/:runId`,
    route('fs:read', {
      operationId: 'getRun',
      tag: 'Runs',
      summary: 'Get one run',
      points: [
        'Counts and bytes include only paths that the token may read. The staged changes and their patches: `GET .../forks/{forkId}/changes`.',
      ],
      params: RunParams,
      answers: { 200: jsonAnswer(Run, 'The run.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, runId } = request.params;
      return sendJson(reply, Run, 200, wireRun(await runs.get(workspaceId, runId, runCaller(request))));
    },
  );
}

function registerSummary(app: App, { runs }: HttpDependencies): void {
  app.get(
    `${url}/:runId/summary`,
    route('fs:read', {
      operationId: 'getRunSummary',
      tag: 'Runs',
      summary: 'Count the changes of an open run',
      points: [
        'Files and lines that a commit would change, of paths that the token may read. With `glob`: a commit of these paths.',
      ],
      params: RunParams,
      query: RunSummaryQueryParameters,
      answers: { 200: jsonAnswer(RunSummary, 'The counts.') },
      errors: ['not_found', 'invalid_state', 'rate_limited'],
    }),
    async (request, reply) => {
      const { workspaceId, runId } = request.params;
      const summary = await runs.summary(workspaceId, runId, runCaller(request), globsOf(request));
      return sendJson(reply, RunSummary, 200, wireSummary(summary));
    },
  );
}

function registerDiscard(app: App, { runs }: HttpDependencies): void {
  app.delete(
    `${url}/:runId`,
    commandRoute('fs:write', {
      operationId: 'discardRun',
      tag: 'Runs',
      summary: 'Discard a run',
      callers:
        'Scope: `fs:write` on every staged path, subject to access rules; the creator of the run and the owner need any grant only.',
      points: [
        'Deletes the staged changes; the workspace does not change. The run stays in the list.',
        'What was committed in part before stays committed, and can be undone.',
        'Idempotent.',
      ],
      params: RunParams,
      answers: { 204: emptyAnswer('The run has no staged changes any more.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, runId } = request.params;
      const kind = await runs.discard(workspaceId, runId, runCaller(request));
      if (kind === 'forbidden') throw unusableFork(kind);
      return reply.code(204).send();
    },
  );
}
