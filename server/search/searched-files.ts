// The files that a search may show: those of a workspace or of a fork that the subject may read, as the store has them now. For the
// statements of one consistent read.
import type { AccessSubject, FileEntry } from '../core/entry.ts';
import { comparePaths, isWithin } from '../core/paths/path.ts';
import {
  type EntryRow,
  endOfSubtree,
  entryColumns,
  fileOf,
  justAfter,
  laterPath,
  startOfSubtree,
} from '../store/database/rows.ts';
import type { ReadStatements } from '../store/database/statements.ts';
import { fileAt } from '../store/tables/files/files.ts';
import { AccessView } from '../store/tables/files/visible-files.ts';
import { openFork } from '../store/tables/forks/rows.ts';
import { ForkView } from '../store/tables/forks/view.ts';
import { ForkVisibility } from '../store/tables/forks/visibility.ts';

export interface SearchedFiles {
  /** null: there is no file, or the subject may not read it. */
  file(path: string): FileEntry | null;
  /** The files that the subject may read, in the byte order of their paths, after a position. */
  after(path: string): Iterable<FileEntry>;
  /** Nothing is hidden from the subject. */
  readonly isOpen: boolean;
}

/** What is searched: a path with its descendants, or the path alone. */
export interface SearchedPlace {
  readonly workspace: number;
  readonly forkId: string | null;
  readonly path: string;
  readonly pathOnly: boolean;
  readonly access: AccessSubject | null;
}

/** null: the fork is gone. */
export function searchedFiles(store: ReadStatements, place: SearchedPlace): SearchedFiles | null {
  if (place.forkId === null) return workspaceFiles(store, place);
  const fork = openFork(store, place.workspace, place.forkId);
  if (fork === null) return null;
  const view = new ForkView(store, fork);
  const visibility = new ForkVisibility(store, view, place.access);
  const file = (path: string) => {
    const seen = view.file(path);
    return seen === null || !visibility.allows(seen) ? null : seen.entry;
  };
  return {
    file,
    *after(path) {
      yield* itself(place, path, file);
      if (place.pathOnly) return;
      for (const seen of view.files(startAfter(place, path), endOfSubtree(place.path)))
        if (visibility.allows(seen)) yield seen.entry;
    },
    isOpen: visibility.isOpen,
  };
}

function workspaceFiles(store: ReadStatements, place: SearchedPlace): SearchedFiles {
  const view = new AccessView(store, place.workspace, place.access);
  const file = (path: string) => {
    const entry = fileAt(store, place.workspace, path);
    return entry === null || !view.allowsFile(entry) ? null : entry;
  };
  return {
    file,
    *after(path) {
      yield* itself(place, path, file);
      if (place.pathOnly) return;
      for (let from: string | null = startAfter(place, path); from !== null; ) {
        const rows: EntryRow[] = store.all<EntryRow>(
          `SELECT ${entryColumns} FROM entries
             WHERE workspace = ? AND path >= ? AND path < ? AND files IS NULL ORDER BY path LIMIT 64`,
          place.workspace,
          from,
          endOfSubtree(place.path),
        );
        for (const row of rows) {
          const entry = fileOf(row);
          if (view.allowsFile(entry)) yield entry;
        }
        const last = rows.at(-1);
        from = last === undefined || rows.length < 64 ? null : justAfter(last.path);
      }
    },
    isOpen: view.isOpen,
  };
}

function startAfter({ path }: SearchedPlace, after: string): string {
  return laterPath(justAfter(startOfSubtree(path)), after === '' ? '' : justAfter(after));
}

/** A searched path can be a file. */
function* itself(
  { path }: SearchedPlace,
  after: string,
  file: (path: string) => FileEntry | null,
): Generator<FileEntry, undefined> {
  if (after !== '' || path === '/') return;
  const entry = file(path);
  if (entry !== null) yield entry;
}

function isInPlace({ path, pathOnly }: Pick<SearchedPlace, 'path' | 'pathOnly'>, file: string): boolean {
  return pathOnly ? file === path : isWithin(path, file);
}

/** Paths at which a fork can differ from its workspace, sorted; at most `limit` + 1. Empty for a workspace. */
export function differingPaths(
  store: ReadStatements,
  place: SearchedPlace,
  limit: number,
): readonly string[] {
  const fork = place.forkId === null ? null : openFork(store, place.workspace, place.forkId);
  if (fork === null) return [];
  const paths: string[] = [];
  for (const path of new ForkView(store, fork).differing(place.path)) {
    if (isInPlace(place, path)) paths.push(path);
    if (paths.length > limit) break;
  }
  return paths.toSorted(comparePaths);
}
