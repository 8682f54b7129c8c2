// The opened folders of one workspace, updated by live events. A folder loads page by page; events that arrive meanwhile are
// applied afterwards, by revision, so that neither a late page nor a late event restores a deleted entry.
import type { EventFrame } from '../../server/contract/events.ts';
import type { Tree, TreeEntry } from '../../server/contract/files.ts';
import { entryOf, revisionNumber, sorted } from '../model/files/folder-entries.ts';
import { nameOf, parentOf, withAncestors } from '../model/files/path.ts';

/** Limit of entries of one folder; a larger folder is cut and marked. */
export const folderEntriesMax = 200_000;
const foldersMax = 500;

export interface FolderFailure {
  readonly text: string;
  /** The agent did not respond: the folder is loaded again when it does. */
  readonly unreachable: boolean;
}

export interface FolderView {
  readonly state: 'reading' | 'ready' | 'failed';
  /** Folders first, then files, each by name. */
  readonly entries: readonly TreeEntry[];
  /** Number of files below; null: not counted, for a point in time. */
  readonly totalFiles: number | null;
  readonly failure: FolderFailure | null;
  readonly cut: boolean;
  /** Time at which loading began. */
  readonly loadBeganMs: number;
}

interface Folder {
  view: FolderView;
  readonly byName: Map<string, TreeEntry>;
  readonly pendingEvents: EventFrame[];
  dirty: boolean;
}

export type FolderPage = Pick<Tree, 'entries' | 'nextCursor' | 'totalFiles'>;

export interface FolderCalls {
  tree(path: string, cursor: string | null, signal: AbortSignal): Promise<FolderPage>;
  describe(error: unknown): FolderFailure;
  /** false: pages have no number of files. */
  readonly countsFiles: boolean;
}

export class FolderStore {
  readonly #calls: FolderCalls;
  readonly #folders = new Map<string, Folder>();
  readonly #listeners = new Set<() => void>();
  readonly #abort = new AbortController();
  /** Folders with a running existence check. */
  readonly #checking = new Set<string>();
  #version = 0;

  constructor(calls: FolderCalls) {
    this.#calls = calls;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Changes whenever any folder does. */
  version = (): number => this.#version;

  /** The loaded state of a folder; undefined: not opened. */
  view(path: string): FolderView | undefined {
    const folder = this.#folders.get(path);
    if (folder?.dirty) {
      folder.dirty = false;
      folder.view = { ...folder.view, entries: sorted(folder.byName) };
    }
    return folder?.view;
  }

  find(path: string): TreeEntry | undefined {
    return this.#folders.get(parentOf(path))?.byName.get(nameOf(path));
  }

  open(path: string): void {
    const known = this.#folders.get(path);
    if (known !== undefined && known.view.state !== 'failed') return;
    if (this.#folders.size >= foldersMax) this.#dropOldest();
    void this.#read(path);
  }

  /** Loads failed folders again, when the agent responds. */
  retryFailed(): void {
    for (const [path, folder] of [...this.#folders]) {
      if (folder.view.state === 'failed') void this.#read(path);
    }
  }

  /** After a gap in the stream every folder may be outdated. */
  reload(): void {
    for (const path of [...this.#folders.keys()]) void this.#read(path);
  }

  close(): void {
    this.#abort.abort();
  }

  apply(events: readonly EventFrame[]): void {
    let changed = false;
    for (const event of events) {
      if (!event.type.startsWith('file.')) continue;
      changed = this.#applyOne(event) || changed;
    }
    if (changed) this.#changed();
  }

  #applyOne(event: EventFrame): boolean {
    const above = withAncestors(parentOf(event.path));
    let changed = this.#recount(event, above);
    if (event.type === 'file.deleted') return this.#remove(event) || changed;
    changed = this.#put(event) || changed;
    // Folders are implied by files: the parents of a written file exist.
    for (const [index, path] of above.entries()) {
      const parent = above[index - 1];
      if (parent !== undefined) changed = this.#putFolder(parent, path) || changed;
    }
    return changed;
  }

  /** Updates the number of files below each loaded folder. */
  #recount(event: EventFrame, above: readonly string[]): boolean {
    const by = event.type === 'file.created' ? 1 : event.type === 'file.deleted' ? -1 : 0;
    if (by === 0) return false;
    const atMs = Date.parse(event.timestamp);
    let changed = false;
    for (const path of above) {
      const folder = this.#folders.get(path);
      // Agent and page share a clock: an event from before the load is included in its count already.
      if (folder?.view.state !== 'ready' || atMs < folder.view.loadBeganMs) continue;
      folder.view = { ...folder.view, totalFiles: Math.max(0, (folder.view.totalFiles ?? 0) + by) };
      changed = true;
    }
    return changed;
  }

  #put(event: EventFrame): boolean {
    const folder = this.#folders.get(parentOf(event.path));
    if (folder === undefined) return false;
    if (folder.view.state === 'reading') folder.pendingEvents.push(event);
    const name = nameOf(event.path);
    const old = folder.byName.get(name);
    if (old !== undefined && revisionNumber(old.revision) >= revisionNumber(event.revision)) return false;
    if (old === undefined && folder.byName.size >= folderEntriesMax) return false;
    folder.byName.set(name, entryOf(event, old));
    folder.dirty = true;
    return true;
  }

  #putFolder(parent: string, path: string): boolean {
    const folder = this.#folders.get(parent);
    if (folder === undefined || folder.byName.has(nameOf(path))) return false;
    folder.byName.set(nameOf(path), { path, type: 'dir', revision: 'dir' });
    folder.dirty = true;
    return true;
  }

  #remove(event: EventFrame): boolean {
    const folderPath = parentOf(event.path);
    const folder = this.#folders.get(folderPath);
    if (folder === undefined) {
      this.#checkEmpty(folderPath);
      return false;
    }
    if (folder.view.state === 'reading') folder.pendingEvents.push(event);
    const old = folder.byName.get(nameOf(event.path));
    if (old === undefined || revisionNumber(old.revision) > revisionNumber(event.revision)) return false;
    folder.byName.delete(nameOf(event.path));
    folder.dirty = true;
    if (folder.byName.size === 0 && folder.view.state === 'ready') this.#removeFolder(folderPath);
    return true;
  }

  #removeFolder(path: string): void {
    if (path === '/') return;
    const parent = this.#folders.get(parentOf(path));
    if (parent === undefined || !parent.byName.delete(nameOf(path))) return;
    parent.dirty = true;
    if (parent.byName.size === 0 && parent.view.state === 'ready') this.#removeFolder(parentOf(path));
  }

  /** A file was deleted in a folder that was never opened: checks once whether the folder still exists. */
  #checkEmpty(path: string): void {
    const shown = withAncestors(path).find((above) => {
      const parent = this.#folders.get(parentOf(above));
      return above !== '/' && parent?.byName.has(nameOf(above)) && !this.#folders.has(above);
    });
    if (shown === undefined || this.#checking.has(shown)) return;
    this.#checking.add(shown);
    void this.#check(shown);
  }

  async #check(path: string): Promise<void> {
    try {
      const page = await this.#calls.tree(path, null, this.#abort.signal);
      if (page.entries.length === 0) {
        this.#removeFolder(path);
        this.#changed();
      }
    } catch (error) {
      // The entry stays until the next event below it or the next load; nothing else depends on it.
      if (!this.#abort.signal.aborted)
        console.warn('could not check folder', path, this.#calls.describe(error).text);
    } finally {
      this.#checking.delete(path);
    }
  }

  /** Never rejects: a failure becomes the folder's state. */
  async #read(path: string): Promise<void> {
    const old = this.#folders.get(path);
    const folder: Folder = {
      byName: new Map(),
      pendingEvents: [],
      dirty: false,
      view: {
        state: 'reading',
        entries: old?.view.entries ?? [],
        totalFiles: old?.view.totalFiles ?? this.#noFiles,
        failure: null,
        cut: false,
        loadBeganMs: Date.now(),
      },
    };
    this.#folders.set(path, folder);
    this.#changed();
    const isCurrent = (): boolean => this.#folders.get(path) === folder && !this.#abort.signal.aborted;
    try {
      await this.#readPages(path, folder, isCurrent);
      if (!isCurrent()) return;
      folder.view = { ...folder.view, state: 'ready' };
      for (const event of folder.pendingEvents.splice(0)) this.#applyOne(event);
    } catch (error) {
      if (!isCurrent()) return;
      folder.view = { ...folder.view, state: 'failed', failure: this.#calls.describe(error) };
    }
    folder.dirty = true;
    this.#changed();
  }

  async #readPages(path: string, folder: Folder, isCurrent: () => boolean): Promise<void> {
    let cursor: string | null = null;
    do {
      const page: FolderPage = await this.#calls.tree(path, cursor, this.#abort.signal);
      if (!isCurrent()) return;
      for (const entry of page.entries) {
        const name = nameOf(entry.path);
        const held = folder.byName.get(name);
        if (held === undefined || revisionNumber(held.revision) <= revisionNumber(entry.revision)) {
          folder.byName.set(name, entry);
        }
      }
      cursor = page.nextCursor;
      const cut = cursor !== null && folder.byName.size >= folderEntriesMax;
      folder.view = { ...folder.view, totalFiles: page.totalFiles ?? this.#noFiles, cut };
      folder.dirty = true;
      this.#changed();
      if (cut) return;
    } while (cursor !== null);
  }

  /** The value for a page without a number. */
  get #noFiles(): number | null {
    return this.#calls.countsFiles ? 0 : null;
  }

  #dropOldest(): void {
    const oldest = [...this.#folders.keys()].find((path) => path !== '/');
    if (oldest !== undefined) this.#folders.delete(oldest);
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
