// Tree pages of the past: the entries below a directory at a point in time, from the retained revisions. A page reads the paths
// that it shows, however many revisions each has, and skips subtrees that are too deep as soon as one file in them is found. The
// direct entries of a directory, which the UI asks for, are read many subtrees at a time. The
// number of fruitless reads is limited, too: such a page is short and returns a position to continue from.
import type { Semantics } from '../../../contract/common.ts';
import { comparePaths, depthOf, isWithin, providerOf } from '../../../core/paths/path.ts';
import {
  encodingOf,
  endOfSubtree,
  hexHash,
  hexText,
  historyOfPath,
  justAfter,
  laterPath,
  startOfSubtree,
} from '../../database/rows.ts';
import type { ReadStatements } from '../../database/statements.ts';
import type { PastTreeEntry, PastTreePage, PastTreeQuery, TreeFile } from '../../port/store.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';
import { HistoryVisibility, revisionAt } from './history.ts';
import { ancestorAtDepth } from './tree.ts';

/** Paths per read: few at first, one after a jump, more while there is nothing to skip. */
const pathsFirst = 16;
const pathsAfterJump = 1;
const pathsMax = 1_024;
/** Paths scanned per page: about 3 µs each. */
const pathsScannedMax = 5_000;

interface PastRow {
  readonly path: string;
  /** null: the path did not exist yet. */
  readonly revision: number | null;
  /** Hex; empty for a tombstone. */
  readonly hash: string;
  readonly size: number;
  readonly base64: number;
  readonly at: number;
  readonly semantics: string | null;
  readonly rules: string | null;
}

const nextPath = (condition: string) =>
  `(SELECT path FROM ${historyOfPath} WHERE workspace = ? AND ${condition} AND path < ? ORDER BY path LIMIT 1)`;

/** Of each of the paths its newest revision that is not later. */
const asTheyWere = `SELECT paths.path AS path, revision, ${hexHash}, size, base64, at, semantics, rules
  FROM (SELECT path FROM paths WHERE path IS NOT NULL LIMIT ?) AS paths
  LEFT JOIN history ON history.workspace = ? AND history.revision =
    (SELECT revision FROM ${historyOfPath}
       WHERE workspace = ? AND path = paths.path AND revision <= ? ORDER BY revision DESC LIMIT 1)
  ORDER BY paths.path`;

/**
 * Steps from path to path along the index: two lookups per path. The rows of a recursion are in the order in which they were
 * produced (https://sqlite.org/lang_with.html#recursive_query_examples).
 */
const selectPaths = `WITH RECURSIVE paths (path) AS (
    SELECT ${nextPath('path >= ?')}
    UNION ALL SELECT ${nextPath('path > paths.path')} FROM paths WHERE paths.path IS NOT NULL) ${asTheyWere}`;
/** The first of them alone, without the cost of a recursion. */
const selectFirst = `WITH paths (path) AS (SELECT ${nextPath('path >= ?')}) ${asTheyWere}`;

/**
 * Of each direct entry of a directory its first path: one statement in place of one for each subtree, whose call would cost ten
 * times the lookups in it. The first `?` is the position of the character after the directory's `/`, the second that position less
 * two: with the position of the next `/` it is the length of the subtree's path.
 */
const selectFirstOfEach = `WITH RECURSIVE paths (path) AS (
    SELECT ${nextPath('path >= ?')}
    UNION ALL SELECT CASE WHEN instr(substr(paths.path, ?), '/') > 0
      THEN ${nextPath("path >= substr(paths.path, 1, ? + instr(substr(paths.path, ?), '/')) || '0'")}
      ELSE ${nextPath('path > paths.path')} END FROM paths WHERE paths.path IS NOT NULL) ${asTheyWere}`;

/** null: the position is outside of the directory. */
export function readTreeAt(
  statements: ReadStatements,
  workspaceId: string,
  query: PastTreeQuery,
): PastTreePage | null {
  return statements.consistently(() => {
    const workspace = workspaceNumber(statements, workspaceId);
    if (query.after !== null && !isInside(query.path, query.after)) return null;
    if (workspace === null) return { entries: [], next: null, forEveryone: false };
    return new PastPage(statements, workspace, query).read();
  });
}

function isInside(directory: string, position: string): boolean {
  return position.startsWith('/') && isWithin(directory, position) && position !== directory;
}

/** A directory sorts as its first file does: as if its path ended with `/`. */
function positionOf({ type, path }: PastTreeEntry): string {
  return type === 'dir' ? `${path}/` : path;
}

class PastPage {
  readonly #statements: ReadStatements;
  readonly #workspace: number;
  readonly #query: PastTreeQuery;
  readonly #visibility: HistoryVisibility;
  readonly #revision: number;
  readonly #depthMin: number;
  readonly #depthMax: number;
  readonly #entries: PastTreeEntry[] = [];
  /** Paths, shown or not. */
  #looked = 0;
  #rulesAsked: boolean;
  /** Of the last entry, or the end of the previous page. */
  #position: string;

  constructor(statements: ReadStatements, workspace: number, query: PastTreeQuery) {
    this.#statements = statements;
    this.#workspace = workspace;
    this.#query = query;
    this.#visibility = new HistoryVisibility(statements, workspace, query.access);
    this.#rulesAsked = this.#visibility.hasRules;
    this.#revision = revisionAt(statements, workspace, query.atMs);
    this.#depthMin = depthOf(query.path) + 1;
    this.#depthMax = depthOf(query.path) + query.depth;
    this.#position = query.after ?? '';
  }

  read(): PastTreePage {
    const end = endOfSubtree(this.#query.path);
    const full =
      this.#query.depth === 1 ? this.#readDirect(this.#start(), end) : this.#readRange(this.#start(), end);
    return full ?? this.#page(null);
  }

  /** The entries of a range of paths; null: all are read, otherwise the page that ends before. */
  #readRange(start: string, end: string): PastTreePage | null {
    let from = start;
    let asked = pathsFirst;
    for (;;) {
      const rows = this.#rows(from, end, asked);
      const last = rows.at(-1);
      let next = last === undefined || rows.length < asked ? null : justAfter(last.path);
      asked = Math.min(asked * 4, pathsMax);
      for (const row of rows) {
        const full = this.#look(row);
        if (full !== null) return full;
        if (!this.#existed(row) || depthOf(row.path) <= this.#depthMax) continue;
        next = endOfSubtree(ancestorAtDepth(row.path, this.#depthMax));
        // The next such subtree is near: usually its first path shows it.
        asked = pathsAfterJump;
        break;
      }
      if (next === null || comparePaths(next, end) >= 0) return null;
      from = next;
    }
  }

  /** The same one level deep: where the first path of a subtree did not exist, the subtree is read until one did. */
  #readDirect(start: string, end: string): PastTreePage | null {
    let from = start;
    let asked = pathsFirst;
    for (;;) {
      const rows = this.#firstOfEach(from, end, asked);
      let next: string | null = null;
      for (const row of rows) {
        const isDeep = depthOf(row.path) > this.#depthMax;
        const subtreeEnd = isDeep ? endOfSubtree(ancestorAtDepth(row.path, this.#depthMax)) : null;
        const isDecided = subtreeEnd === null || this.#existed(row);
        const full = this.#look(row) ?? (isDecided ? null : this.#readRange(justAfter(row.path), subtreeEnd));
        if (full !== null) return full;
        next = subtreeEnd ?? justAfter(row.path);
      }
      if (next === null || rows.length < asked) return null;
      from = next;
      asked = Math.min(asked * 4, pathsMax);
    }
  }

  /** Adds what the path shows. Otherwise than null: the page ends here. */
  #look(row: PastRow): PastTreePage | null {
    this.#looked += 1;
    this.#rulesAsked ||= row.rules !== null;
    if (this.#existed(row)) return this.#add(row) ? null : this.#page(this.#position);
    return this.#looked < pathsScannedMax || !this.#canReport(row.path) ? null : this.#page(row.path);
  }

  #page(next: string | null): PastTreePage {
    return { entries: this.#entries, next, forEveryone: !this.#rulesAsked };
  }

  #start(): string {
    const { path, after } = this.#query;
    const first = justAfter(startOfSubtree(path));
    if (after === null) return first;
    // A directory beyond the depth is shown without its entries.
    const directory = after.endsWith('/') ? after.slice(0, -1) : null;
    if (directory !== null && depthOf(directory) === this.#depthMax) return endOfSubtree(directory);
    return laterPath(first, justAfter(after));
  }

  #rows(from: string, end: string, count: number): readonly PastRow[] {
    const workspace = this.#workspace;
    const then = [workspace, workspace, this.#revision];
    return count === 1
      ? this.#statements.all<PastRow>(selectFirst, workspace, from, end, 1, ...then)
      : this.#statements.all<PastRow>(selectPaths, workspace, from, end, workspace, end, count, ...then);
  }

  #firstOfEach(from: string, end: string, count: number): readonly PastRow[] {
    const workspace = this.#workspace;
    // Characters as SQL counts them, which are code points.
    const afterSlash = [...startOfSubtree(this.#query.path)].length + 1;
    return this.#statements.all<PastRow>(
      selectFirstOfEach,
      ...[workspace, from, end],
      afterSlash,
      ...[workspace, afterSlash - 2, afterSlash, end],
      ...[workspace, end],
      count,
      ...[workspace, workspace, this.#revision],
    );
  }

  #existed(row: PastRow): boolean {
    return row.revision !== null && row.hash !== '' && this.#visibility.canRead(row);
  }

  /** The directories that the file implies, and itself where it is not too deep. false: the page is full. */
  #add(row: PastRow): boolean {
    const depth = depthOf(row.path);
    for (let level = this.#depthMin; level <= Math.min(this.#depthMax, depth - 1); level += 1) {
      if (!this.#put({ type: 'dir', path: ancestorAtDepth(row.path, level) })) return false;
    }
    return depth > this.#depthMax || this.#put(fileOf(row));
  }

  #put(entry: PastTreeEntry): boolean {
    const position = positionOf(entry);
    // A directory was shown with its first file.
    if (this.#position !== '' && comparePaths(position, this.#position) <= 0) return true;
    if (this.#entries.length === this.#query.limit) return false;
    this.#entries.push(entry);
    this.#position = position;
    return true;
  }

  /** A position to continue from must not reveal that a hidden path exists. */
  #canReport(path: string): boolean {
    if (this.#query.access === null) return true;
    const newest = this.#statements.get<{ path: string; rules: string | null }>(
      `SELECT path, rules FROM ${historyOfPath} WHERE workspace = ? AND path = ? ORDER BY revision DESC LIMIT 1`,
      this.#workspace,
      path,
    );
    return newest !== undefined && this.#visibility.canRead(newest);
  }
}

function fileOf(row: PastRow): TreeFile {
  return {
    type: 'file',
    path: row.path,
    revision: row.revision ?? 0,
    hash: hexText(row.hash),
    sizeBytes: row.size,
    encoding: encodingOf(row.base64),
    provider: providerOf(row.path),
    providerObjectId: null,
    editedAtMs: row.at,
    semantics: row.semantics === null ? {} : (JSON.parse(row.semantics) as Semantics),
  };
}
