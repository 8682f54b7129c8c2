// W/forks: creates, lists and discards forks. The filesystem routes with `forkId` read and write their files; commit.ts has rebase and
// commit.
import { tokenChainIds } from '../../../../auth/tokens.ts';
import {
  CreateForkBody,
  Fork,
  type ForkChange,
  ForkChanges,
  ForkHandle,
  ForkList,
} from '../../../../contract/forks.ts';
import { ForkChangesQueryParameters, ForkParams } from '../../../../contract/parameters.ts';
import { type StagedChange, unusableFork } from '../../../../workspaces/forks.ts';
import type { AccessSubject } from '../../../../workspaces/model.ts';
import { ApiError, workspaceNotFound } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { forkChangesLimit, forkPatchesCharactersMax, forkPatchesLimit } from '../../../base/limits.ts';
import { commandRoute, route } from '../../../base/route-options.ts';
import { type App, emptyAnswer, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { isForked } from '../../../request/fork-access.ts';
import { choiceOfQuery } from '../../../request/globs.ts';
import { forkHandle, wireChange, wireFork } from '../../../wire/forks.ts';
import { registerCommit, registerRebase } from './commit.ts';

const url = '/v1/workspaces/:workspaceId/forks';

export function registerForks(app: App, dependencies: HttpDependencies): void {
  registerCreate(app, dependencies);
  registerList(app, dependencies);
  registerShow(app, dependencies);
  registerChanges(app, dependencies);
  registerRebase(app, dependencies);
  registerCommit(app, dependencies);
  registerDiscard(app, dependencies);
}

function registerCreate(app: App, { forks }: HttpDependencies): void {
  app.post(
    url,
    commandRoute('fs:write', {
      operationId: 'createFork',
      tag: 'Forks',
      summary: 'Create a fork of the workspace',
      points: [
        'A fork shows the workspace at this moment plus its own staged changes. These make no events, no operations and no changes of mirrored folders.',
        'The same proposal returns its existing fork.',
        'Only its creator, the owner, and tokens that may write every staged path can change or discard it.',
        'A workspace has at most 100 open forks; a fork has at most 10,000 staged paths and 1 GiB.',
      ],
      body: CreateForkBody,
      answers: { 200: jsonAnswer(ForkHandle, 'The fork.') },
      errors: ['nested_forks_not_supported', 'proposal_conflict', 'invalid_state'],
      config: { forks: true },
    }),
    async (request, reply) => {
      if (isForked(request)) {
        throw new ApiError('nested_forks_not_supported', 'a fork of a fork is not supported: omit forkId', {
          fields: { error: 'nested_forks_not_supported' },
        });
      }
      const { workspaceId } = request.params;
      const { proposalId, ttlSeconds } = request.body;
      if (!proposalId.isWellFormed())
        throw new ApiError('bad_request', 'invalid input: proposalId is not well-formed');
      const { actor, token } = callerOf(request);
      const result = await forks.create({
        workspaceId,
        proposalId,
        ttlSeconds,
        by: actor,
        creatorTokens: token.owner ? [] : tokenChainIds(token),
      });
      switch (result.kind) {
        case 'open':
          return sendJson(reply, ForkHandle, 200, forkHandle(result.fork));
        case 'taken':
          throw new ApiError(
            'proposal_conflict',
            'the proposal belongs to a fork of another workspace: use another proposalId',
          );
        case 'too_many':
          throw new ApiError(
            'invalid_state',
            'the workspace has the maximum number of open forks: commit or discard one',
          );
        case 'workspace_not_found':
          throw workspaceNotFound();
      }
    },
  );
}

function registerList(app: App, { forks }: HttpDependencies): void {
  app.get(
    url,
    route('fs:read', {
      operationId: 'listForks',
      tag: 'Forks',
      summary: 'List open forks',
      points: [
        'Forks that the token created, and forks with a staged path that it may read; the owner can read all.',
        'Counts and bytes include only such paths.',
        'Oldest first, without expired forks.',
      ],
      answers: { 200: jsonAnswer(ForkList, 'The forks.') },
    }),
    async (request, reply) => {
      const { access, token } = callerOf(request);
      const rows = await forks.list(request.params.workspaceId, { access, tokenId: token.tokenId });
      return sendJson(reply, ForkList, 200, { forks: rows.map(wireFork) });
    },
  );
}

function registerShow(app: App, { forks }: HttpDependencies): void {
  app.get(
    `${url}/:forkId`,
    route('fs:read', {
      operationId: 'getFork',
      tag: 'Forks',
      summary: 'Get one fork',
      points: ['Counts and bytes include only paths that the token may read.'],
      params: ForkParams,
      answers: { 200: jsonAnswer(Fork, 'The fork.') },
      errors: ['not_found', 'fork_expired'],
    }),
    async (request, reply) => {
      const { workspaceId, forkId } = request.params;
      return sendJson(
        reply,
        Fork,
        200,
        wireFork(await forks.get(workspaceId, forkId, callerOf(request).access)),
      );
    },
  );
}

function registerChanges(app: App, dependencies: HttpDependencies): void {
  const { forks } = dependencies;
  app.get(
    `${url}/:forkId/changes`,
    route('fs:read', {
      operationId: 'listForkChanges',
      tag: 'Forks',
      summary: 'List the staged changes of a fork',
      callers:
        'Scope: any grant of `fs:read`; paths outside the token’s scopes or hidden by access rules are omitted.',
      points: [
        'In the byte order of paths, each with the current state of the path in the workspace.',
        'With `glob`, a page can have fewer changes than `limit`.',
        'With `patch=true`, also the diff that a commit would apply, for `git apply`. Such a page has at most 20 changes and ends after 4 MiB of patches.',
      ],
      params: ForkParams,
      query: ForkChangesQueryParameters,
      answers: { 200: jsonAnswer(ForkChanges, 'One page of changes.') },
      errors: ['not_found', 'fork_expired', 'rate_limited'],
    }),
    async (request, reply) => {
      const { workspaceId, forkId } = request.params;
      const query = queryOf(request);
      const patched = query.text('patch') === 'true';
      const limit = query.integer('limit', patched ? forkPatchesLimit : forkChangesLimit);
      const afterPath = query.text('cursor') ?? null;
      const { access } = callerOf(request);
      // Read before the changes: it never covers more than they show.
      const { stagedRevision } = await forks.open(workspaceId, forkId);
      const staged = await forks.staged(forkId, { access, afterPath, limit: limit + 1 });
      const isChosen = choiceOfQuery(request);
      const changes: ForkChange[] = [];
      let characters = 0;
      let lookedAt = 0;
      for (const change of staged.slice(0, limit)) {
        lookedAt += 1;
        if (isChosen?.(change.path) === false) continue;
        const diff = patched ? await differenceOf(dependencies, workspaceId, change, access) : null;
        changes.push({ ...wireChange(change), ...(diff === null ? {} : { diff }) });
        characters += diff?.patch?.length ?? 0;
        if (characters >= forkPatchesCharactersMax) break;
      }
      return sendJson(reply, ForkChanges, 200, {
        changes,
        stagedRevision,
        nextCursor: staged.length > lookedAt ? (staged[lookedAt - 1]?.path ?? null) : null,
      });
    },
  );
}

/** null: the subject may not read the workspace's file. */
async function differenceOf(
  { workspaces, history }: HttpDependencies,
  workspaceId: string,
  { path, file }: StagedChange,
  access: AccessSubject | null,
): Promise<NonNullable<ForkChange['diff']> | null> {
  const live = await workspaces.getFile(workspaceId, path, access);
  if (!live.allowed) return null;
  const difference = await history.difference(path, live.entry, file);
  if (difference === null)
    throw new ApiError('unavailable', 'the content of a file cannot be read at the moment: try again');
  return { ...difference, ...(live.entry === null ? {} : { liveSize: live.entry.sizeBytes }) };
}

function registerDiscard(app: App, { forks }: HttpDependencies): void {
  app.delete(
    `${url}/:forkId`,
    commandRoute('fs:write', {
      operationId: 'discardFork',
      tag: 'Forks',
      summary: 'Discard a fork',
      callers:
        'Scope: `fs:write` on every staged path, subject to access rules; the creator of the fork and the owner need any grant only.',
      points: ['Deletes the staged changes; the workspace does not change.', 'Idempotent.'],
      params: ForkParams,
      answers: { 204: emptyAnswer('The fork does not exist any more.') },
    }),
    async (request, reply) => {
      const { workspaceId, forkId } = request.params;
      const { access, actor } = callerOf(request);
      const { kind } = await forks.discard({ workspaceId, forkId, access, actor });
      if (kind === 'forbidden') throw unusableFork(kind);
      return reply.code(204).send();
    },
  );
}
