// A workspace as one mirror sees it: paths are relative to the mirror's root, which may be a directory of the workspace. Paths
// outside are hidden. It delegates to the workspace service and decides nothing.
import type { ChangeFiles, ChangeResult, FileChange } from '../../core/change/change.ts';
import type { Entry, FileEntry } from '../../core/entry.ts';
import { isWithin } from '../../core/paths/path.ts';
import type { WorkspaceService } from '../../workspaces/service.ts';

export type MirroredWorkspace = Pick<
  WorkspaceService,
  | 'get'
  | 'stage'
  | 'stageStream'
  | 'unstage'
  | 'getEntry'
  | 'readContent'
  | 'openContent'
  | 'listFiles'
  | 'history'
  | 'isKnownContent'
> & {
  change(command: Omit<ChangeFiles, 'kind'>): Promise<readonly MirrorChangeResult[]>;
};

/** What became of one change of the mirror. */
export type MirrorChangeResult = ChangeResult | ForkFull;

/** A fork has limits that a workspace has not. */
export interface ForkFull {
  readonly ok: false;
  readonly path: string;
  readonly code: 'fork_full';
  readonly message: string;
}

/** `/a` below the root `/docs` is `/docs/a` in the workspace. */
export function workspacePath(root: string, path: string): string {
  if (root === '/') return path;
  return path === '/' ? root : root + path;
}

/** The way back; null: it lies outside, or is the root itself. */
export function mirrorPath(root: string, path: string): string | null {
  if (root === '/') return path;
  return path !== root && isWithin(root, path) ? path.slice(root.length) : null;
}

export function scopedWorkspace(workspaces: MirroredWorkspace, root: string): MirroredWorkspace {
  return root === '/' ? workspaces : new ScopedWorkspace(workspaces, root);
}

class ScopedWorkspace implements MirroredWorkspace {
  readonly #inner: MirroredWorkspace;
  readonly #root: string;

  constructor(inner: MirroredWorkspace, root: string) {
    this.#inner = inner;
    this.#root = root;
  }

  get: MirroredWorkspace['get'] = (workspaceId) => this.#inner.get(workspaceId);
  stage: MirroredWorkspace['stage'] = (bytes) => this.#inner.stage(bytes);
  stageStream: MirroredWorkspace['stageStream'] = (source, bytesMax) =>
    this.#inner.stageStream(source, bytesMax);
  unstage: MirroredWorkspace['unstage'] = (content) => this.#inner.unstage(content);
  openContent: MirroredWorkspace['openContent'] = (hash, range) => this.#inner.openContent(hash, range);
  readContent: MirroredWorkspace['readContent'] = (hash) => this.#inner.readContent(hash);

  change(command: Omit<ChangeFiles, 'kind'>): Promise<readonly MirrorChangeResult[]> {
    return this.#inner.change({ ...command, changes: command.changes.map((change) => this.#below(change)) });
  }

  async getEntry(workspaceId: string, path: string): Promise<Entry | null> {
    const entry = await this.#inner.getEntry(workspaceId, this.#outer(path));
    return entry === null ? null : { ...entry, path };
  }

  async listFiles(
    workspaceId: string,
    path: string,
    afterPath: string | null,
    limit: number,
  ): Promise<readonly FileEntry[]> {
    const after = afterPath === null ? null : this.#outer(afterPath);
    const files = await this.#inner.listFiles(workspaceId, this.#outer(path), after, limit);
    return files.flatMap((file) => {
      const below = mirrorPath(this.#root, file.path);
      return below === null ? [] : [{ ...file, path: below }];
    });
  }

  history: MirroredWorkspace['history'] = (workspaceId, path, limit, beforeRevision) =>
    this.#inner.history(workspaceId, this.#outer(path), limit, beforeRevision);

  isKnownContent(workspaceId: string, path: string, hash: string): Promise<boolean> {
    return this.#inner.isKnownContent(workspaceId, this.#outer(path), hash);
  }

  #below(change: FileChange): FileChange {
    switch (change.kind) {
      case 'move_file':
      case 'place_draft':
        return { ...change, from: this.#outer(change.from), to: this.#outer(change.to) };
      case 'write_file':
      case 'delete_file':
      case 'keep_version':
      case 'restore_file':
        return { ...change, path: this.#outer(change.path) };
    }
  }

  #outer(path: string): string {
    return workspacePath(this.#root, path);
  }
}
