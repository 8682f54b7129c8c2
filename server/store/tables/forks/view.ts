// The view of a fork: the workspace at the base revision, with the staged changes over it. Nothing is copied: entries unchanged
// since the base are read from the workspace, changed ones from the history, which retention keeps while the fork is open.
import type { Semantics } from '../../../contract/common.ts';
import type { StagedPath } from '../../../core/change/forks.ts';
import type { DirEntry, Entry, FileEntry } from '../../../core/entry.ts';
import { ancestorsOf, comparePaths, providerOf } from '../../../core/paths/path.ts';
import { inParts, readInParts } from '../../database/read-in-parts.ts';
import {
  type EntryRow,
  encodingOf,
  endOfSubtree,
  entryColumns,
  entryOf,
  hexText,
  historyOfPath,
  justAfter,
  laterPath,
  startOfSubtree,
} from '../../database/rows.ts';
import type { ReadStatements } from '../../database/statements.ts';
import { entryAt } from '../files/files.ts';
import { type HistoryRow, historyColumns } from '../files/history.ts';
import { holdingOf, type OpenFork, selectStaged, stagedAt, viewReads } from './rows.ts';

/** Rows per read: few at first, since the first one is often enough. No statement stays open in between. */
const rowsFirst = 8;
const rowsMax = 512;

const selectRange = `SELECT ${entryColumns} FROM entries WHERE workspace = ? AND path >= ? AND path < ? ORDER BY path LIMIT ?`;

/** A file as a fork shows it. */
export interface VisibleFile {
  readonly entry: FileEntry;
  /** Access rules at this revision, as JSON, where the workspace has a newer one. */
  readonly rules: string | null;
}

/** For the statements of one consistent read, or of one command. */
export class ForkView {
  readonly fork: OpenFork;
  readonly #statements: ReadStatements;
  readonly #holding: number;
  #deletedSince: readonly string[] | null = null;

  constructor(statements: ReadStatements, fork: OpenFork) {
    this.#statements = statements;
    this.fork = fork;
    this.#holding = holdingOf(fork.number);
  }

  staged(path: string): StagedPath | null {
    return stagedAt(this.#statements, this.fork, path);
  }

  file(path: string): VisibleFile | null {
    const staged = this.staged(path);
    if (staged === null) return this.base(path);
    return staged.file === null ? null : { entry: staged.file, rules: null };
  }

  /** The file at the base revision. */
  base(path: string): VisibleFile | null {
    const { workspace, baseRevision } = this.fork;
    const live = entryAt(this.#statements, workspace, path);
    if (live?.type === 'file' && live.revision <= baseRevision) return { entry: live, rules: null };
    const row = this.#statements.get<HistoryRow>(
      `SELECT ${historyColumns} FROM ${historyOfPath}
         WHERE workspace = ? AND path = ? AND revision <= ? ORDER BY revision DESC LIMIT 1`,
      workspace,
      path,
      baseRevision,
    );
    if (row === undefined || row.hash === '') return null;
    return { entry: fileOfHistory(row), rules: row.rules };
  }

  entry(path: string): Entry | null {
    const file = this.file(path);
    return file === null ? this.directory(path, () => true) : file.entry;
  }

  /** null: no counted file is below it. Its number of files says only that there is one. */
  directory(path: string, counts: (file: VisibleFile) => boolean): DirEntry | null {
    for (const file of this.files(startOfSubtree(path), endOfSubtree(path))) {
      if (!counts(file)) continue;
      return { type: 'dir', path, files: 1, updatedAtMs: this.#directoryTime(path) ?? file.entry.editedAtMs };
    }
    return path === '/' ? { type: 'dir', path, files: 0, updatedAtMs: this.#directoryTime(path) ?? 0 } : null;
  }

  /** Another file among the ancestors, which blocks the path. */
  fileAbove(path: string): string | null {
    return ancestorsOf(path).findLast((ancestor) => this.file(ancestor) !== null) ?? null;
  }

  /** Files of a range, in the byte order of paths. */
  *files(from: string, to: string): Generator<VisibleFile, undefined> {
    for (const { file } of this.candidates(from, to, false)) if (file !== null) yield file;
  }

  /** Paths that may have an entry, in order, without repeats, with their files; with directories on request. */
  *candidates(
    from: string,
    to: string,
    directories: boolean,
  ): Generator<{ readonly path: string; readonly file: VisibleFile | null }, undefined> {
    const statements = this.#statements;
    const paths = this.#merged(from, to, directories);
    for (const part of inParts(paths, statements.readsTogether)) {
      yield* readInParts(
        statements,
        part,
        ({ path }) => viewReads(this.fork, path),
        ({ path, live }) => ({ path, file: this.#unchanged(live) ?? this.file(path) }),
      );
    }
  }

  /** `live`: what the workspace has there. */
  *#merged(
    from: string,
    to: string,
    directories: boolean,
  ): Generator<{ readonly path: string; readonly live: Entry | null }, undefined> {
    const sources = [
      this.#rows(this.fork.workspace, from, to),
      this.#rows(this.#holding, from, to),
      this.#deleted(from, to, directories),
    ];
    const heads = sources.map((source) => source.next().value ?? null);
    for (;;) {
      let path: string | null = null;
      for (const head of heads) {
        if (head !== null && (path === null || comparePaths(head.path, path) < 0)) path = head.path;
      }
      if (path === null) return;
      let live: Entry | null = null;
      let isFile = false;
      for (const [index, head] of heads.entries()) {
        if (head?.path !== path) continue;
        if (index === 0) live = head.entry;
        isFile ||= head.entry?.type !== 'dir';
        heads[index] = sources[index]?.next().value ?? null;
      }
      if (isFile || directories) yield { path, live };
    }
  }

  /** Paths at or below one where the view may differ from the workspace. */
  *differing(path: string): Generator<string, undefined> {
    const changed = this.#statements.all<{ path: string }>(
      `SELECT DISTINCT +path AS path FROM history
         WHERE workspace = ? AND revision > ? AND (path = ? OR (path > ? AND path < ?))
       UNION SELECT path FROM fork_paths WHERE fork = ? AND (path = ? OR (path > ? AND path < ?))`,
      this.fork.workspace,
      this.fork.baseRevision,
      path,
      startOfSubtree(path),
      endOfSubtree(path),
      this.fork.number,
      path,
      startOfSubtree(path),
      endOfSubtree(path),
    );
    for (const one of changed) yield one.path;
  }

  #unchanged(entry: Entry | null): VisibleFile | null {
    if (entry?.type !== 'file' || entry.revision > this.fork.baseRevision) return null;
    const staged = this.#statements.get(selectStaged, this.fork.number, entry.path);
    return staged === undefined ? { entry, rules: null } : null;
  }

  *#rows(
    holding: number,
    start: string,
    to: string,
  ): Generator<{ readonly path: string; readonly entry: Entry | null }, undefined> {
    let from = start;
    for (let asked = rowsFirst; ; asked = Math.min(asked * 4, rowsMax)) {
      const rows = this.#statements.all<EntryRow>(selectRange, holding, from, to, asked);
      for (const row of rows) yield { path: row.path, entry: entryOf(row) };
      const last = rows.at(-1);
      if (last === undefined || rows.length < asked) return;
      from = justAfter(last.path);
    }
  }

  /** Paths that the workspace has deleted since the base, with the directories that may be deleted with them. */
  *#deleted(
    from: string,
    to: string,
    directories: boolean,
  ): Generator<{ readonly path: string; readonly entry: Entry | null }, undefined> {
    this.#deletedSince ??= this.#statements
      .all<{ path: string }>(
        'SELECT DISTINCT path FROM history WHERE workspace = ? AND revision > ? AND action = 1 ORDER BY path',
        this.fork.workspace,
        this.fork.baseRevision,
      )
      .map(({ path }) => path);
    if (this.#deletedSince.length === 0) return;
    const within = new Map<string, Entry | null>();
    const isWithin = (path: string) => comparePaths(path, from) >= 0 && comparePaths(path, to) < 0;
    for (const path of this.#deletedSince) {
      if (directories) {
        for (const above of ancestorsOf(path)) {
          if (isWithin(above) && !within.has(above)) {
            within.set(above, { type: 'dir', path: above, files: 0, updatedAtMs: 0 });
          }
        }
      }
      if (isWithin(path)) within.set(path, null);
    }
    for (const path of [...within.keys()].toSorted(comparePaths)) {
      yield { path, entry: within.get(path) ?? null };
    }
  }

  #directoryTime(path: string): number | null {
    const times = [this.fork.workspace, this.#holding].flatMap((holding) => {
      const entry = entryAt(this.#statements, holding, path);
      return entry?.type === 'dir' ? [entry.updatedAtMs] : [];
    });
    return times.length === 0 ? null : Math.max(...times);
  }
}

function fileOfHistory(row: HistoryRow): FileEntry {
  return {
    type: 'file',
    path: row.path,
    revision: row.revision,
    hash: hexText(row.hash),
    sizeBytes: row.size,
    contentType: row.content_type,
    encoding: encodingOf(row.base64),
    provider: providerOf(row.path),
    providerObjectId: null,
    editedAtMs: row.at,
    semantics: row.semantics === null ? {} : (JSON.parse(row.semantics) as Semantics),
  };
}

/** The start of a page after a cursor, within the descendants of a directory. */
export function pageStart(directory: string, afterPath: string | null): string {
  return laterPath(justAfter(startOfSubtree(directory)), afterPath === null ? '' : justAfter(afterPath));
}
