// The only module that changes workspace content. Reads also pass through it, so that HTTP never imports the store.
import type { Authority } from '../core/access/authority.ts';
import type { ChangeFiles, ChangeResult, Content } from '../core/change/change.ts';
import type { AccessSubject, Entry, FileEntry } from '../core/entry.ts';
import type { Clock } from '../platform/clock.ts';
import { wholeContentBytesMax } from '../platform/json/content-json.ts';
import { permittedPaths } from '../store/port/permits.ts';
import type {
  ChangeCounters,
  ContentReader,
  ContentWriter,
  RemoteBaseUpdate,
  RestoreFiles,
  RestoreResult,
  WorkspaceRow,
  WorkspaceStore,
} from '../store/port/store.ts';
import { readEncoded } from './file-record.ts';

/** `remoteAgreement`: of a remote only, recorded in the transaction of the changes. */
export type ChangeCommand = Omit<ChangeFiles, 'kind'> & { readonly remoteAgreement?: RemoteBaseUpdate };

export interface WorkspaceService {
  /** Creates a workspace, by default with a new id (`rw_` and 8 characters of a-z0-9). Rejects with a WorkspaceTakenError. */
  create(input: { name: string; workspaceId?: string }): Promise<WorkspaceRow>;
  /** The workspace of this id, created if unknown. Idempotent, also for concurrent calls. null: it is deleted. */
  provision(workspaceId: string): Promise<WorkspaceRow | null>;
  /** null: unknown or deleted. */
  get(workspaceId: string): Promise<WorkspaceRow | null>;
  list(options?: { includeDeleted?: boolean }): Promise<readonly WorkspaceRow[]>;
  rename(workspaceId: string, name: string): Promise<WorkspaceRow | null>;
  remove(workspaceId: string): Promise<boolean>;
  restore(workspaceId: string): Promise<WorkspaceRow | null>;

  /** Stores bytes as content for a later `change`. */
  stage(bytes: Uint8Array): Promise<Content>;
  stageStream: ContentWriter['stageStream'];
  /** Releases staged content that no change will use. */
  unstage: ContentWriter['unstage'];
  /** The only way to change content. Durable when it resolves. */
  change(command: ChangeCommand): Promise<readonly ChangeResult[]>;
  /** Applies envelopes of a provider in order: their changes and their final states in one transaction. */
  applyEnvelopes: ContentWriter['applyEnvelopes'];
  /** The result of applying an envelope, without changing anything. */
  previewEnvelope: ContentWriter['previewEnvelope'];
  /** Finishes an operation and places its draft in one transaction. See the store's port. */
  acknowledgeOperation: ContentWriter['acknowledgeOperation'];
  finishAttempt: ContentWriter['finishAttempt'];

  /** Decides for each path, by the path grants and the current access rules. */
  permitted(
    workspaceId: string,
    paths: readonly string[],
    authority: Authority | null,
  ): Promise<readonly boolean[]>;
  getFile(
    workspaceId: string,
    path: string,
    access: AccessSubject | null,
  ): Promise<{ entry: FileEntry | null; allowed: boolean }>;
  /** The file if its workspace has no access rules, so that every subject may read it; null: ask for a subject. */
  getOpenFile(workspaceId: string, path: string): Promise<FileEntry | null>;
  /** Like `getFile`, with the content of a file that the subject may read, in its encoding; null when it cannot be read, or is so large
   * that it is written in pieces (platform/json/content-json.ts).
   * `forEveryone`: every subject gets this answer, while `changeCount` stays the same. */
  readFile(
    workspaceId: string,
    path: string,
    access: AccessSubject | null,
  ): Promise<{ entry: FileEntry | null; allowed: boolean; content: string | null; forEveryone: boolean }>;
  /** The change counter of the workspace (ChangeCounters of the store). null: nothing that is read now may be kept. */
  changeCount(workspaceId: string): number | null;
  getEntry(workspaceId: string, path: string): Promise<Entry | null>;
  readContent(hash: string): Promise<Uint8Array | null>;
  /** The content of a file or a retained revision as a string in its encoding; null when it cannot be read. */
  readEncoded(content: Pick<FileEntry, 'hash' | 'encoding'>): Promise<string | null>;
  openContent: ContentReader['open'];
  tree: ContentReader['tree'];
  query: ContentReader['query'];
  listFiles: ContentReader['list'];
  history: ContentReader['history'];
  /** Writes a past state as one atomic change. Durable when it resolves. */
  restoreFiles(command: RestoreFiles): Promise<RestoreResult>;
  isKnownContent: ContentReader['isKnownContent'];
  snapshot: ContentReader['snapshot'];
}

export interface WorkspaceServiceDeps {
  readonly store: {
    readonly workspaces: WorkspaceStore;
    readonly files: ContentReader;
    readonly content: ContentWriter;
    readonly changes: Pick<ChangeCounters, 'of'>;
  };
  readonly clock: Pick<Clock, 'nowMs'>;
  /** A random string of that many characters of a-z0-9. */
  readonly randomId: (length: number) => string;
}

/** Thrown by `create` when a workspace, also a deleted one, has the id. HTTP: 409 `invalid_state`. */
export class WorkspaceTakenError extends Error {
  override readonly name = 'WorkspaceTakenError';
  readonly code = 'invalid_state';
}

const workspaceIdPrefix = 'rw_';
const workspaceIdLength = 8;
/** With 36^8 ids a second attempt is already unlikely. */
const idAttemptsMax = 10;

type Management = Pick<
  WorkspaceService,
  'create' | 'provision' | 'get' | 'list' | 'rename' | 'remove' | 'restore'
>;

function workspaceManagement({ store: { workspaces }, clock, randomId }: WorkspaceServiceDeps): Management {
  const get = async (workspaceId: string) => {
    const row = await workspaces.get(workspaceId);
    return row === null || row.deletedAtMs !== null ? null : row;
  };
  const createWithId = async (workspaceId: string, name: string) => {
    const created = await workspaces.create({ workspaceId, name, createdAtMs: clock.nowMs() });
    return created ? await get(workspaceId) : null;
  };
  return {
    async create({ name, workspaceId }) {
      const attemptsMax = workspaceId === undefined ? idAttemptsMax : 1;
      for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
        const row = await createWithId(workspaceId ?? workspaceIdPrefix + randomId(workspaceIdLength), name);
        if (row !== null) return row;
      }
      throw new WorkspaceTakenError(
        `the workspace id ${workspaceId ?? ''} is taken: choose another id, or restore the deleted workspace`,
      );
    },
    async provision(workspaceId) {
      // A deleted workspace causes no write. Of concurrent callers the store lets one create it; all read the same row.
      if ((await workspaces.get(workspaceId)) !== null) return await get(workspaceId);
      return (await createWithId(workspaceId, workspaceId)) ?? (await get(workspaceId));
    },
    get,
    list: (options) => workspaces.list({ includeDeleted: options?.includeDeleted ?? false }),
    async rename(workspaceId, name) {
      if ((await get(workspaceId)) === null) return null;
      await workspaces.rename({ workspaceId, name });
      return await get(workspaceId);
    },
    async remove(workspaceId) {
      if ((await get(workspaceId)) === null) return false;
      return await workspaces.setDeleted({ workspaceId, deletedAtMs: clock.nowMs() });
    },
    async restore(workspaceId) {
      await workspaces.setDeleted({ workspaceId, deletedAtMs: null });
      return await get(workspaceId);
    },
  };
}

export function createWorkspaceService({ store, clock, randomId }: WorkspaceServiceDeps): WorkspaceService {
  const { files, content: writer } = store;
  return {
    ...workspaceManagement({ store, clock, randomId }),

    stage: (bytes) => writer.stage(bytes),
    stageStream: (source, bytesMax) => writer.stageStream(source, bytesMax),
    unstage: (content) => writer.unstage(content),
    change: (command) => writer.change({ kind: 'change_files', ...command }),
    applyEnvelopes: (input) => writer.applyEnvelopes(input),
    previewEnvelope: (input) => writer.previewEnvelope(input),
    acknowledgeOperation: (input) => writer.acknowledgeOperation(input),
    finishAttempt: (input) => writer.finishAttempt(input),

    permitted: (workspaceId, paths, authority) => permittedPaths(files, workspaceId, paths, authority),
    async getFile(workspaceId, path, access) {
      const { entry, allowed } = await files.getChecked(workspaceId, path, access);
      return { entry: entry?.type === 'file' ? entry : null, allowed };
    },
    getOpenFile: (workspaceId, path) => files.getOpen(workspaceId, path),
    async readFile(workspaceId, path, access) {
      const { entry, allowed, text, forEveryone } = await files.getCheckedText(workspaceId, path, access);
      if (entry?.type !== 'file') return { entry: null, allowed, content: null, forEveryone: false };
      const isRead = allowed && entry.sizeBytes <= wholeContentBytesMax;
      const content = text ?? (isRead ? await readEncoded(files, entry) : null);
      return { entry, allowed, content, forEveryone };
    },
    changeCount: (workspaceId) => store.changes.of(workspaceId),
    getEntry: (workspaceId, path) => files.get(workspaceId, path),
    readContent: (hash) => files.read(hash),
    readEncoded: (content) => readEncoded(files, content),
    openContent: (hash, range) => files.open(hash, range),
    tree: (workspaceId, query) => files.tree(workspaceId, query),
    query: (workspaceId, filter, page) => files.query(workspaceId, filter, page),
    listFiles: (workspaceId, path, afterPath, limit) => files.list(workspaceId, path, afterPath, limit),
    history: (workspaceId, path, limit, beforeRevision) =>
      files.history(workspaceId, path, limit, beforeRevision),
    restoreFiles: (command) => writer.restore(command),
    isKnownContent: (workspaceId, path, hash) => files.isKnownContent(workspaceId, path, hash),
    snapshot: () => files.snapshot(),
  };
}
