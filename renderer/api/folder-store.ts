// The opened folders of one workspace, updated by live events. A folder loads page by page; events that arrive meanwhile are
// applied afterwards, by revision, so that neither a late page nor a late event restores a deleted entry.
import type { EventFrame } from '../../server/contract/events.ts';
import type { Tree, TreeEntry } from '../../server/contract/files.ts';
import { entryOf, revisionNumber, sorted } from '../model/files/folder-entries.ts';
import { nameOf, parentOf, withAncestors } from '../model/files/path.ts';

/** Limit of entries of one folder; a larger folder is cut and marked. */
export const folderEntriesMax = 200_000;
const foldersMax = 500;
/** Events that are held for one folder while it loads. After more of them it loads again. */
export const pendingEventsMax = 20_000;

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

type Entries = Map<string, TreeEntry>;

interface Folder {
  view: FolderView;
  /** The entries that are shown. */
  byName: Entries;
  dirty: boolean;
  /** Time at which `totalFiles` was asked for. */
  countedMs: number;
  /** Events of this folder since its loading began; null: it is not being loaded. */
  pendingEvents: EventFrame[] | null;
  /** More events came than are held. */
  isOutdated: boolean;
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
    let changed = false;
    const above = withAncestors(parentOf(event.path));
    for (const [index, path] of above.entries()) {
      const folder = this.#folders.get(path);
      if (folder === undefined) continue;
      const below = above[index + 1];
      hold(folder, below === undefined ? event : withoutContent(event));
      changed = this.#applyTo(folder, event, below) || changed;
    }
    if (event.type === 'file.deleted' && !this.#folders.has(parentOf(event.path))) {
      this.#checkEmpty(parentOf(event.path));
    }
    return changed;
  }

  /** `below`: the folder in `folder` that contains the file; undefined: the file is an entry of `folder`. */
  #applyTo(folder: Folder, event: EventFrame, below: string | undefined): boolean {
    const isCounted = recount(folder, event);
    if (below === undefined) {
      return (event.type === 'file.deleted' ? this.#remove(folder, event) : put(folder, event)) || isCounted;
    }
    // Folders are implied by files: the parents of a written file exist.
    return (event.type !== 'file.deleted' && putFolder(folder, below)) || isCounted;
  }

  #remove(folder: Folder, event: EventFrame): boolean {
    const old = folder.byName.get(nameOf(event.path));
    if (old === undefined || revisionNumber(old.revision) > revisionNumber(event.revision)) return false;
    folder.byName.delete(nameOf(event.path));
    folder.dirty = true;
    if (folder.byName.size === 0 && folder.view.state === 'ready') this.#removeFolder(parentOf(event.path));
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

  /**
   * Never rejects: a failure becomes the folder's state. A folder that is loaded again shows its entries until the new ones are all there:
   * a list that shrinks and grows loses its place, its focus and its selected rows.
   */
  async #read(path: string): Promise<void> {
    const old = this.#folders.get(path);
    const byName: Entries = old?.byName ?? new Map();
    const loaded: Entries = byName.size === 0 ? byName : new Map();
    const folder: Folder = {
      byName,
      pendingEvents: [],
      isOutdated: false,
      dirty: old?.dirty ?? false,
      countedMs: old?.countedMs ?? Date.now(),
      view:
        old?.view.state === 'ready'
          ? old.view
          : {
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
      const last = await this.#readPages(path, folder, loaded, isCurrent);
      if (last === null) return;
      folder.byName = loaded;
      folder.countedMs = last.askedMs;
      folder.view = { ...folder.view, state: 'ready', totalFiles: last.totalFiles, cut: last.cut };
      this.#applyPending(path, folder);
    } catch (error) {
      if (!isCurrent()) return;
      folder.pendingEvents = null;
      folder.view = { ...folder.view, state: 'failed', failure: this.#calls.describe(error) };
    }
    folder.dirty = true;
    this.#changed();
    if (folder.isOutdated && folder.view.state === 'ready') void this.#read(path);
  }

  /** What the pages may not have seen: by revision, so that an event which they have seen changes nothing. */
  #applyPending(path: string, folder: Folder): void {
    const events = folder.pendingEvents ?? [];
    folder.pendingEvents = null;
    for (const event of events) {
      const above = withAncestors(parentOf(event.path));
      this.#applyTo(folder, event, above[above.indexOf(path) + 1]);
    }
  }

  /** The last page; null: the folder is no longer of interest. */
  async #readPages(
    path: string,
    folder: Folder,
    loaded: Entries,
    isCurrent: () => boolean,
  ): Promise<{ readonly askedMs: number; readonly totalFiles: number | null; readonly cut: boolean } | null> {
    let cursor: string | null = null;
    for (;;) {
      const askedMs = Date.now();
      const page: FolderPage = await this.#calls.tree(path, cursor, this.#abort.signal);
      if (!isCurrent()) return null;
      for (const entry of page.entries) {
        const name = nameOf(entry.path);
        const held = loaded.get(name);
        if (held === undefined || revisionNumber(held.revision) <= revisionNumber(entry.revision)) {
          loaded.set(name, entry);
        }
      }
      cursor = page.nextCursor;
      const totalFiles = page.totalFiles ?? this.#noFiles;
      const cut = cursor !== null && loaded.size >= folderEntriesMax;
      if (cursor === null || cut) return { askedMs, totalFiles, cut };
      if (loaded !== folder.byName) continue;
      folder.view = { ...folder.view, totalFiles };
      folder.dirty = true;
      this.#changed();
    }
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

/** For a folder that is being loaded. */
function hold(folder: Folder, event: EventFrame): void {
  if (folder.pendingEvents === null) return;
  if (folder.pendingEvents.length < pendingEventsMax) folder.pendingEvents.push(event);
  else folder.isOutdated = true;
}

/** Updates the number of files below a folder. */
function recount(folder: Folder, event: EventFrame): boolean {
  const by = event.type === 'file.created' ? 1 : event.type === 'file.deleted' ? -1 : 0;
  // Agent and page share a clock: an event from before the number was asked for is included in it already.
  if (by === 0 || folder.view.state !== 'ready' || Date.parse(event.timestamp) < folder.countedMs)
    return false;
  folder.view = { ...folder.view, totalFiles: Math.max(0, (folder.view.totalFiles ?? 0) + by) };
  return true;
}

function put(folder: Folder, event: EventFrame): boolean {
  const name = nameOf(event.path);
  const old = folder.byName.get(name);
  if (old !== undefined && revisionNumber(old.revision) >= revisionNumber(event.revision)) return false;
  if (old === undefined && folder.byName.size >= folderEntriesMax) return false;
  folder.byName.set(name, entryOf(event, old));
  folder.dirty = true;
  return true;
}

function putFolder(folder: Folder, path: string): boolean {
  if (folder.byName.has(nameOf(path))) return false;
  folder.byName.set(nameOf(path), { path, type: 'dir', revision: 'dir' });
  folder.dirty = true;
  return true;
}

/** A burst below a large folder must not be held with its contents while the folder loads. */
function withoutContent({ content: _, ...event }: EventFrame): EventFrame {
  return event;
}
