// Keeps the index current: follows the events of the store, and walks once over the files that were there before. An event only names a
// path; what is indexed is the entry that the path has now, so events and the walk may come in any order. Runs in slices.
import { readCounter } from '../store/database/counters.ts';
import { inParts, readInParts } from '../store/database/read-in-parts.ts';
import type { ReadStatements } from '../store/database/statements.ts';
import { fileAt, fileRead } from '../store/tables/files/files.ts';
import type { IndexDatabase, WalkPosition } from './index-database.ts';
import { batchEvents, batchFiles, batchTextBytes } from './limits.ts';
import type { Pace } from './pace.ts';
import { textsTogether } from './texts-together.ts';

interface PathInStore {
  readonly workspace: number;
  readonly path: string;
}

export interface IndexerDeps {
  readonly store: ReadStatements;
  readonly index: IndexDatabase;
  readonly readText: (hash: string) => string | null;
  readonly pace: Pace;
}

export class Indexer {
  readonly #deps: IndexerDeps;
  #through: number;
  #walk: WalkPosition | null;
  /** Of the open transaction. */
  #batchCharacters = 0;
  #batchPaths = 0;

  constructor(deps: IndexerDeps) {
    this.#deps = deps;
    this.#through = deps.index.indexedThrough;
    this.#walk = deps.index.walk;
  }

  get indexedThrough(): number {
    return this.#through;
  }

  /** The files of an earlier time are not all indexed. */
  get isWalking(): boolean {
    return this.#walk !== null;
  }

  /** The next bounded step: new events before the walk. false: nothing is left to do. */
  async step(): Promise<boolean> {
    const newest = readCounter(this.#deps.store, 'event');
    // A walk is no single save.
    this.#deps.pace.eventsBehind = this.isWalking ? Number.POSITIVE_INFINITY : newest - this.#through;
    if (newest > this.#through) {
      await this.#follow(Math.min(newest, this.#through + batchEvents));
      return true;
    }
    if (this.#walk === null) return false;
    await this.#walkPage(this.#walk);
    return true;
  }

  async #follow(to: number): Promise<void> {
    const { store, index } = this.#deps;
    const changed = store.all<PathInStore>(
      `SELECT DISTINCT number AS workspace, events.path AS path FROM workspaces CROSS JOIN events
         WHERE events.workspace = number AND seq > ? AND seq <= ? AND type >= 'file.' AND type < 'file/'`,
      this.#through,
      to,
    );
    await this.#inTransactions(async (next) => {
      await this.#putAll(changed, next);
      index.indexedThrough = to;
    });
    this.#through = to;
  }

  /** Makes one page of paths equal to the store: adds what is missing, removes what is gone. */
  async #walkPage({ workspace, path }: WalkPosition): Promise<void> {
    const { store, index } = this.#deps;
    const rows = store.all<{ path: string }>(
      `SELECT path FROM entries
         WHERE workspace = ? AND path > ? AND files IS NULL ORDER BY path LIMIT ?`,
      workspace,
      path,
      batchFiles,
    );
    const last = rows.length < batchFiles ? null : (rows.at(-1)?.path ?? null);
    const next = last === null ? this.#nextWorkspace(workspace) : { workspace, path: last };
    await this.#inTransactions(async (slice) => {
      const live = new Set(rows.map((row) => row.path));
      for (const indexed of this.#indexedPaths(workspace, path, last)) {
        if (!live.has(indexed) && fileAt(store, workspace, indexed) === null)
          index.remove(workspace, indexed);
      }
      await this.#putAll(
        rows.map((row) => ({ workspace, path: row.path })),
        slice,
      );
      index.walk = next;
    });
    this.#walk = next;
  }

  /** Makes the index equal to the store at these paths. What changes in between is followed afterwards. */
  async #putAll(paths: readonly PathInStore[], slice: () => Promise<void>): Promise<void> {
    const { store, index, readText } = this.#deps;
    for (const part of inParts(paths, store.readsTogether)) {
      const files = readInParts(
        store,
        part,
        ({ workspace, path }) => [fileRead(workspace, path)],
        ({ workspace, path }) => fileAt(store, workspace, path),
      );
      // One text alone is read when it is put, and none when the index is full.
      const read = part.length < 2 || index.isFull ? [] : files.filter((file) => file !== null);
      const unknown = read.filter(({ hash }) => !index.hasContent(hash));
      const textOf = textsTogether(store, unknown, readText);
      for (const [at, { workspace, path }] of part.entries()) {
        const file = files[at] ?? null;
        if (file === null) index.remove(workspace, path);
        else this.#batchCharacters += index.put(workspace, file, textOf);
        await slice();
      }
    }
  }

  *#indexedPaths(workspace: number, from: string, to: string | null): Generator<string, undefined> {
    for (let after = from; ; ) {
      const paths = this.#deps.index.paths(workspace, after, to, batchFiles);
      yield* paths;
      const last = paths.at(-1);
      if (last === undefined || paths.length < batchFiles) return;
      after = last;
    }
  }

  /** By number. null: the walk is complete. */
  #nextWorkspace(after: number): WalkPosition | null {
    const row = this.#deps.store.get<{ number: number }>(
      'SELECT number FROM workspaces WHERE number > ? ORDER BY number LIMIT 1',
      after,
    );
    return row === undefined ? null : { workspace: row.number, path: '' };
  }

  /** Files of workspaces that retention has deleted. */
  async removeDeletedWorkspaces(): Promise<void> {
    const { store, index } = this.#deps;
    for (const workspace of index.workspaces()) {
      if (store.get('SELECT 1 FROM workspaces WHERE number = ?', workspace) !== undefined) continue;
      await this.#inTransactions(async (slice) => {
        for (const path of this.#indexedPaths(workspace, '', null)) {
          index.remove(workspace, path);
          await slice();
        }
      });
    }
  }

  /** Runs `write` in transactions of bounded size. Each of them leaves an index that can be used and continued. `slice` is to be called after
   * each path. */
  async #inTransactions(write: (slice: () => Promise<void>) => Promise<void>): Promise<void> {
    const { pace } = this.#deps;
    this.#begin();
    try {
      await write(async () => {
        this.#batchPaths += 1;
        const isFull = this.#batchCharacters >= batchTextBytes || this.#batchPaths >= batchFiles;
        if (isFull || (pace.isOver && pace.isBusy)) {
          // A long pause with an open transaction would keep what is new from searches.
          this.#commit();
          await pace.pause();
          this.#begin();
        } else if (pace.isOver) await pace.pause();
      });
      this.#commit();
    } catch (error) {
      if (this.#deps.index.write.inTransaction) this.#deps.index.write.exec('ROLLBACK');
      throw error;
    }
  }

  #begin(): void {
    this.#batchCharacters = 0;
    this.#batchPaths = 0;
    this.#deps.index.write.exec('BEGIN');
  }

  #commit(): void {
    this.#deps.index.write.exec('COMMIT');
  }
}
