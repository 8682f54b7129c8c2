// Forks of a workspace: made, looked into, committed, given up. What a fork changes goes through here and nowhere else; a commit
// is a change of the workspace and takes the same inner door as every other one.
import type { ChangeFiles, ChangeResult } from '../core/change/change.ts';
import { type ForkChange, forkExpiryMs } from '../core/change/forks.ts';
import type { AccessSubject, Actor } from '../core/entry.ts';
import type { Clock } from '../platform/clock.ts';
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
import type { WorkspaceService } from './service.ts';

export type { CommitForkResult, ForkRow, StagedChange } from '../store/port/store.ts';

/** Files as the routes read and write them: those of a workspace, or a fork's view of them. */
export type Files = Pick<WorkspaceService, 'getFile' | 'readFile' | 'tree' | 'query' | 'change'>;

/** Thrown where a fork is named that is not there, or whose time is over. HTTP says 404 `not_found` and 410 `fork_expired`. */
export class ForkGoneError extends Error {
  override readonly name = 'ForkGoneError';
  readonly kind: 'missing' | 'expired';

  constructor(kind: 'missing' | 'expired') {
    super(kind === 'expired' ? 'the fork has expired' : 'there is no such fork');
    this.kind = kind;
  }
}

/** Thrown where a fork has staged what the caller may not write, and the caller did not create it. HTTP says 403 `forbidden`. */
export class ForkForbiddenError extends Error {
  override readonly name = 'ForkForbiddenError';

  constructor() {
    super(
      'the fork has staged changes that this token may not write: only its creator, the owner, or a token that may write all of them can change it',
    );
  }
}

/** The error for a fork that cannot be changed. */
export function unusableFork(kind: ForkUnusable['kind']): ForkGoneError | ForkForbiddenError {
  return kind === 'forbidden' ? new ForkForbiddenError() : new ForkGoneError(kind);
}

/** Thrown when a fork would hold more than one may; nothing was staged. HTTP says 413 `payload_too_large`. */
export class ForkFullError extends Error {
  override readonly name = 'ForkFullError';
}

/** A fork, with figures of what whoever asks may see of it. */
export interface SeenFork extends ForkRow, StagedCounts {}

interface By {
  readonly workspaceId: string;
  readonly forkId: string;
  readonly access: AccessSubject | null;
  readonly actor: Actor;
  readonly correlationId: string;
}

export interface ForkService {
  /** The same proposal answers the fork that it has. `ttlSeconds` absent or 0: the default. */
  create(input: {
    readonly workspaceId: string;
    readonly proposalId: string;
    readonly ttlSeconds: number | undefined;
    readonly by: Actor;
    /** The token of `by` and those under which it was made; none: the owner. */
    readonly creatorTokens: readonly string[];
  }): Promise<CreateForkResult>;
  /** Throws a ForkGoneError. */
  open(workspaceId: string, forkId: string): Promise<ForkRow>;
  /** Its id lets anybody look at it, who sees as much of it as of its files. Throws a ForkGoneError. */
  get(workspaceId: string, forkId: string, access: AccessSubject | null): Promise<SeenFork>;
  /** Those that are open, oldest first: all for the owner (null), else what the token created and what has staged a path that it sees. */
  list(
    workspaceId: string,
    by: { readonly access: AccessSubject | null; readonly tokenId: string | null },
  ): Promise<readonly SeenFork[]>;
  staged(
    forkId: string,
    page: {
      readonly access: AccessSubject | null;
      readonly afterPath: string | null;
      readonly limit: number;
    },
  ): Promise<readonly StagedChange[]>;
  /** What the fork shows and takes. Throws a ForkGoneError; so does its `change`, or a ForkForbiddenError or ForkFullError. */
  files(workspaceId: string, forkId: string): Promise<Files>;
  /** All that is staged becomes one change of the workspace, or nothing does. Durable when it resolves. */
  commit(by: By): Promise<CommitForkResult>;
  rebase(by: Omit<By, 'correlationId'>): Promise<RebaseForkResult>;
  discard(by: Omit<By, 'correlationId'>): Promise<DiscardForkResult>;
}

export interface ForkServiceParts {
  readonly store: {
    readonly files: Pick<ContentReader, 'read' | 'readText'>;
    readonly forks: ForkReader;
    readonly content: ContentWriter;
  };
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly uuid: () => string;
}

export function createForks({
  store: { files, forks, content },
  clock,
  uuid,
}: ForkServiceParts): ForkService {
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
      const seen: SeenFork[] = [];
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
      const getFile: Files['getFile'] = async (_workspaceId, path, access) => {
        const { entry, allowed } = await forks.getChecked(forkId, path, access);
        return { entry: entry?.type === 'file' ? entry : null, allowed };
      };
      return {
        getFile,
        async readFile(_workspaceId, path, access) {
          const { entry, allowed } = await getFile(workspaceId, path, access);
          const content = entry !== null && allowed ? await readEncoded(files, entry) : null;
          return { entry, allowed, content };
        },
        tree: (_workspaceId, query) => forks.tree(forkId, query),
        query: (_workspaceId, filter, page) => forks.query(forkId, filter, page),
        change: (command) => change(forkId, command),
      };
    },
    commit: (by) => content.commitFork(by),
    rebase: (by) => content.rebaseFork(by),
    discard: (by) => content.discardFork(by),
  };

  async function change(
    forkId: string,
    { workspaceId, changes, actor, access, correlationId }: Omit<ChangeFiles, 'kind'>,
  ): Promise<readonly ChangeResult[]> {
    const result = await content.changeFork({
      workspaceId,
      forkId,
      changes: changes.map(forkChange),
      actor,
      access,
      correlationId,
    });
    if (result.kind === 'changed') return result.results;
    if (result.kind === 'full') throw new ForkFullError(result.message);
    throw unusableFork(result.kind);
  }
}

function forkChange(one: ChangeFiles['changes'][number]): ForkChange {
  if (one.kind === 'write_file' || one.kind === 'delete_file') return one;
  throw new Error(`a fork does not take a ${one.kind}`);
}
