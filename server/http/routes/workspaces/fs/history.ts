// GET W/fs/history and W/fs/diff: the revisions of a path, and the diff between two of them.
import { FileDiff, HistoryPage } from '../../../../contract/history.ts';
import { DiffQueryParameters, HistoryQueryParameters } from '../../../../contract/parameters.ts';
import type { WorkspaceHistory } from '../../../../workspaces/history.ts';
import { type AccessSubject, normalizeReadPath, type RevisionRow } from '../../../../workspaces/model.ts';
import type { WorkspaceService } from '../../../../workspaces/service.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { historyLimit } from '../../../base/limits.ts';
import type { Query } from '../../../base/query.ts';
import { route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import {
  batchNumber,
  diffSide,
  historyCursor,
  historyEntry,
  historyPosition,
  retention,
  revisionNumber,
} from '../../../wire/history.ts';
import { requiredPath } from './file-request.ts';

const url = '/v1/workspaces/:workspaceId/fs';
const access = { kind: 'workspace', scope: 'fs:read', path: 'query' } as const;

export function registerHistory(app: App, dependencies: HttpDependencies): void {
  registerList(app, dependencies);
  registerDiff(app, dependencies);
}

function registerList(app: App, { workspaces, history, config }: HttpDependencies): void {
  app.get(
    `${url}/history`,
    route(access, {
      operationId: 'getHistory',
      tag: 'History',
      summary: 'List the history of a path',
      points: [
        'Newest first: actor, time and request of each revision.',
        'Continues with the revisions before a move to the path, unless `follow=false`.',
        'A revision is visible if the access rules of its time and the current ones allow it.',
        '`deleted=true`: the last deletion of each file below the path that does not exist now. To put a file back, restore its path to the revision before.',
        'A page can be short and still have a `nextCursor`.',
      ],
      query: HistoryQueryParameters,
      answers: { 200: jsonAnswer(HistoryPage, 'One page.') },
    }),
    async (request, reply) => {
      const query = queryOf(request);
      const path = normalizeReadPath(query.first('path') ?? '');
      const { workspaceId } = request.params;
      const caller = callerOf(request);
      await requireVisible(workspaces, workspaceId, path, caller.access);
      const page = await history.page({
        workspaceId,
        from: historyPosition(query.text('cursor'), path),
        what: whatOf(query),
        follow: query.text('follow') !== 'false',
        limit: query.integer('limit', historyLimit),
        access: caller.access,
      });
      return sendJson(reply, HistoryPage, 200, {
        path,
        entries: page.rows.map(historyEntry),
        nextCursor: historyCursor(page.next, path),
        retention: await retention({ config, history }),
      });
    },
  );
}

function whatOf(query: Query): Parameters<WorkspaceHistory['page']>[0]['what'] {
  const batch = query.text('batch');
  if (batch !== undefined) return { kind: 'batch', batch: batchNumber(batch) };
  if (query.text('deleted') === 'true') return { kind: 'deleted' };
  return { kind: query.text('below') === 'true' ? 'below' : 'path' };
}

function registerDiff(app: App, { workspaces, history }: HttpDependencies): void {
  app.get(
    `${url}/diff`,
    route(access, {
      operationId: 'diffRevisions',
      tag: 'History',
      summary: 'Compare two revisions of a file',
      points: [
        'For text: a unified diff for `git apply`, from the first to the second revision. For other content: only its kind.',
        'The work of a comparison is limited. Texts that differ too much have a patch that replaces the whole text.',
      ],
      query: DiffQueryParameters,
      answers: { 200: jsonAnswer(FileDiff, 'The diff.') },
      errors: ['not_found', 'rate_limited'],
    }),
    async (request, reply) => {
      const query = queryOf(request);
      const path = requiredPath(request);
      const { workspaceId } = request.params;
      const { access: subject } = callerOf(request);
      await requireVisible(workspaces, workspaceId, path, subject);
      const rows = new Rows(history, workspaceId, path, subject);
      const to = await rows.named(query.text('to'), 'to', () => rows.before(null));
      const from = await rows.named(query.text('from'), 'from', () =>
        to === null ? Promise.resolve(null) : rows.before(to),
      );
      if (from === null && to === null)
        throw new ApiError('not_found', 'no revision of this path is retained');
      const difference = await history.difference(path, from, to);
      if (difference === null)
        throw new ApiError(
          'unavailable',
          'the content of a revision cannot be read at the moment: try again',
        );
      return sendJson(reply, FileDiff, 200, {
        path,
        from: diffSide(from),
        to: diffSide(to),
        ...difference,
      });
    },
  );
}

/** The two revisions of a comparison. */
class Rows {
  readonly #history: WorkspaceHistory;
  readonly #workspaceId: string;
  readonly #path: string;
  readonly #access: AccessSubject | null;

  constructor(history: WorkspaceHistory, workspaceId: string, path: string, subject: AccessSubject | null) {
    this.#history = history;
    this.#workspaceId = workspaceId;
    this.#path = path;
    this.#access = subject;
  }

  async named(
    text: string | undefined,
    name: string,
    otherwise: () => Promise<RevisionRow | null>,
  ): Promise<RevisionRow | null> {
    if (text === undefined) return await otherwise();
    if (text === '0') return null;
    const revision = revisionNumber(text, name);
    return await requiredRevision(this.#history, this.#workspaceId, this.#path, revision, this.#access);
  }

  /** The newest visible revision before this one (null: of all), across renames; null: none. */
  async before(row: RevisionRow | null): Promise<RevisionRow | null> {
    const page = await this.#history.page({
      workspaceId: this.#workspaceId,
      from:
        row === null
          ? { path: this.#path, beforeRevision: null }
          : { path: row.path, beforeRevision: row.revision + 1 },
      what: { kind: 'path' },
      follow: true,
      limit: row === null ? 1 : 2,
      access: this.#access,
    });
    return page.rows[row === null ? 0 : 1] ?? null;
  }
}

/** Throws `not_found`, or `forbidden` where access rules hide the revision. */
export async function requiredRevision(
  history: WorkspaceHistory,
  workspaceId: string,
  path: string,
  revision: number,
  subject: AccessSubject | null,
): Promise<RevisionRow> {
  const found = await history.revision(workspaceId, path, revision, subject);
  if (found.kind === 'hidden') throw new ApiError('forbidden', 'access denied by ACL');
  if (found.kind === 'missing')
    throw new ApiError('not_found', `rev_${revision} of this file is not retained`);
  return found.row;
}

/** The root is not a file, and no rule applies to it. */
export async function requireVisible(
  workspaces: WorkspaceService,
  workspaceId: string,
  path: string,
  subject: AccessSubject | null,
): Promise<void> {
  if (subject === null || path === '/') return;
  const { allowed } = await workspaces.getFile(workspaceId, path, subject);
  if (!allowed) throw new ApiError('forbidden', 'access denied by ACL');
}
