// Creates, reads, rebases, commits and discards forks of a workspace. Every change of a fork passes through here; a commit is a
// change of the workspace and uses the same path as every other one.
import type { ChangeFiles, ChangeResult } from '../core/change/change.ts';
import { type ForkChange, forkExpiryMs, type SeenChanges } from '../core/change/forks.ts';
import type { AccessSubject, Actor } from '../core/entry.ts';
import type { Clock } from '../platform/clock.ts';
import { wholeContentBytesMax } from '../platform/json/content-json.ts';
import type {
  CommitForkResult,
  ContentReader,
  ContentWriter,
  CreateForkResult,
  DiscardForkResult,
  ForkReader,
  ForkRow,
  ForkUnusable,
  RebaseForkResult,
  StagedChange,
  StagedCounts,
} from '../store/port/store.ts';
import { readEncoded } from './file-record.ts';
import { ForkChanges, type ForkFileChange } from './fork-changes.ts';
import type { WorkspaceService } from './service.ts';

export type { CommitForkResult, ForkRow, StagedChange } from '../store/port/store.ts';

/** Files as the routes read and write them: those of a workspace, or a fork's view of them. */
export type Files = Pick<WorkspaceService, 'getFile' | 'readFile' | 'tree' | 'query' | 'change'>;

/** The fork does not exist or has expired. HTTP: 404 `not_found` and 410 `fork_expired`. */
export class ForkGoneError extends Error {
  override readonly name = 'ForkGoneError';
  readonly kind: 'missing' | 'expired';

  constructor(kind: 'missing' | 'expired') {
    super(
      kind === 'expired'
        ? 'the fork has expired: its staged changes were deleted; create a new fork'
        : 'fork not found',
    );
    this.kind = kind;
  }
}

/** The fork has staged changes that the caller may not write, and the caller is not its creator. HTTP: 403 `forbidden`. */
export class ForkForbiddenError extends Error {
  override readonly name = 'ForkForbiddenError';

  constructor() {
    super(
      'the fork has staged changes that this token may not write: use the token of its creator, the owner token, or one that may write all of them',
    );
  }
}

/** The error for a fork that cannot be changed. */
export function unusableFork(kind: ForkUnusable['kind']): ForkGoneError | ForkForbiddenError {
  return kind === 'forbidden' ? new ForkForbiddenError() : new ForkGoneError(kind);
}

/** The fork would exceed its size limit; nothing was staged. HTTP: 413 `payload_too_large`. */
export class ForkFullError extends Error {
  override readonly name = 'ForkFullError';
}

/** A fork with the counts of the staged changes that the caller may read. */
export interface VisibleFork extends ForkRow, StagedCounts {}

interface ForkRequest {
  readonly workspaceId: string;
  readonly forkId: string;
  readonly access: AccessSubject | null;
  readonly actor: Actor;
  readonly correlationId: string;
}

export interface ForkService {
  /** The same proposal returns its existing fork. `ttlSeconds` absent or 0: the default. */
  create(input: {
    readonly workspaceId: string;
    readonly proposalId: string;
    readonly ttlSeconds: number | undefined;
    readonly by: Actor;
    /** The token of `by` and the tokens that issued it; empty: the owner. */
    readonly creatorTokens: readonly string[];
  }): Promise<CreateForkResult>;
  /** Throws a ForkGoneError. */
  open(workspaceId: string, forkId: string): Promise<ForkRow>;
  /** Any caller that knows the id may read it, limited to the files that it may read. Throws a ForkGoneError. */
  get(workspaceId: string, forkId: string, access: AccessSubject | null): Promise<VisibleFork>;
  /** Open forks, oldest first: all for the owner (null), else those that the token created and those with a staged path that it may read. */
  list(
    workspaceId: string,
    by: { readonly access: AccessSubject | null; readonly tokenId: string | null },
  ): Promise<readonly VisibleFork[]>;
  staged(
    forkId: string,
    page: {
      readonly access: AccessSubject | null;
      readonly afterPath: string | null;
      readonly limit: number;
    },
  ): Promise<readonly StagedChange[]>;
  /** Files of the fork. Throws a ForkGoneError; its `change` also throws a ForkForbiddenError or ForkFullError. */
  files(workspaceId: string, forkId: string): Promise<Files>;
  /** Commits all staged changes, or those of the paths, as one change of the workspace, or none. Durable when it resolves. */
  commit(
    request: ForkRequest & { readonly paths?: readonly string[]; readonly seen?: SeenChanges },
  ): Promise<CommitForkResult>;
  rebase(request: Omit<ForkRequest, 'correlationId'>): Promise<RebaseForkResult>;
  discard(request: Omit<ForkRequest, 'correlationId'>): Promise<DiscardForkResult>;
  /** Stages changes, with what a mirror of the fork agreed on. Throws as `files` does. */
  change(command: Omit<ChangeFiles, 'kind'> & { readonly forkId: string }): Promise<readonly ChangeResult[]>;
  /** For mirrors of forks. */
  readonly changes: ForkChanges;
}

export interface ForkServiceDeps {
  readonly store: {
    readonly files: Pick<ContentReader, 'read' | 'readText'>;
    readonly forks: ForkReader;
    readonly content: ContentWriter;
  };
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly uuid: () => string;
}

export function createForks({ store, clock, uuid }: ForkServiceDeps): ForkService {
  const { forks, content } = store;
  const changes = new ForkChanges();
  const open: ForkService['open'] = async (workspaceId, forkId) => {
    const fork = await forks.find(workspaceId, forkId);
    if (fork === null) throw new ForkGoneError('missing');
    if (fork.expiresAtMs <= clock.nowMs()) throw new ForkGoneError('expired');
    return fork;
  };
  return {
    create: ({ workspaceId, proposalId, ttlSeconds, by, creatorTokens }) =>
      content.createFork({
        workspaceId,
        proposalId,
        forkId: `fork_${uuid()}`,
        createdBy: by.name,
        creatorTokens,
        expiresAtMs: forkExpiryMs(clock.nowMs(), ttlSeconds),
      }),
    open,
    async get(workspaceId, forkId, access) {
      const fork = await open(workspaceId, forkId);
      return { ...fork, ...(await forks.counts(forkId, access)) };
    },
    async list(workspaceId, { access, tokenId }) {
      const seen: VisibleFork[] = [];
      for (const fork of await forks.list(workspaceId)) {
        if (fork.expiresAtMs <= clock.nowMs()) continue;
        const counts = await forks.counts(fork.forkId, access);
        const isCreator = access === null || (tokenId !== null && fork.creatorTokens.includes(tokenId));
        if (isCreator || counts.writes + counts.deletes > 0) seen.push({ ...fork, ...counts });
      }
      return seen;
    },
    staged: (forkId, page) => forks.staged(forkId, page),
    async files(workspaceId, forkId) {
      await open(workspaceId, forkId);
      return forkFiles(store, changes, forkId);
    },
    async commit(request) {
      const result = await content.commitFork(request);
      if (result.kind === 'committed') {
        if (result.isWhole) changes.forget(request.forkId);
        else changes.reset(request.forkId);
      }
      return result;
    },
    async rebase(request) {
      const result = await content.rebaseFork(request);
      changes.reset(request.forkId);
      return result;
    },
    async discard(request) {
      const result = await content.discardFork(request);
      if (result.kind !== 'forbidden') changes.forget(request.forkId);
      return result;
    },
    change: (command) => changeFork(content, changes, command.forkId, command),
    changes,
  };
}

/** Files of an open fork, for the callers of a workspace's files. */
function forkFiles(
  { files, forks, content }: ForkServiceDeps['store'],
  forkChanges: ForkChanges,
  forkId: string,
): Files {
  const getFile: Files['getFile'] = async (_workspaceId, path, access) => {
    const { entry, allowed } = await forks.getChecked(forkId, path, access);
    return { entry: entry?.type === 'file' ? entry : null, allowed };
  };
  return {
    getFile,
    async readFile(workspaceId, path, access) {
      const { entry, allowed } = await getFile(workspaceId, path, access);
      const isRead = entry !== null && allowed && entry.sizeBytes <= wholeContentBytesMax;
      const content = isRead ? await readEncoded(files, entry) : null;
      return { entry, allowed, content, forEveryone: false };
    },
    tree: (_workspaceId, query) => forks.tree(forkId, query),
    query: (_workspaceId, filter, page) => forks.query(forkId, filter, page),
    change: (command) => changeFork(content, forkChanges, forkId, { ...command, atomic: false }),
  };
}

async function changeFork(
  content: ContentWriter,
  forkChanges: ForkChanges,
  forkId: string,
  { workspaceId, changes, atomic, actor, access, correlationId, agreement }: Omit<ChangeFiles, 'kind'>,
): Promise<readonly ChangeResult[]> {
  const result = await content.changeFork({
    workspaceId,
    forkId,
    changes: changes.map(forkChange),
    atomic,
    actor,
    access,
    correlationId,
    ...(agreement === undefined ? {} : { agreement }),
  });
  if (result.kind === 'full') throw new ForkFullError(result.message);
  if (result.kind !== 'changed') throw unusableFork(result.kind);
  const { results } = result;
  forkChanges.record(
    forkId,
    changes.flatMap((change, index): readonly ForkFileChange[] => {
      const applied = results[index];
      if (applied?.ok !== true) return [];
      if (change.kind !== 'write_file') return [{ path: applied.path, file: null }];
      return [{ path: applied.path, file: { revision: applied.revision, hash: change.content.hash } }];
    }),
  );
  return results;
}

function forkChange(change: ChangeFiles['changes'][number]): ForkChange {
  if (change.kind === 'write_file' || change.kind === 'delete_file') return change;
  throw new Error(`a fork cannot stage a ${change.kind}`);
}
