// The changes of a run as rows by folder, and the choice of those to commit. Pure.
import type { ForkChange, HistoryEntry } from '../../../sdk/index.ts';
import { nameOf, parentOf } from '../files/path.ts';
import { compareNames } from '../tables/sorting.ts';

export interface RunChange {
  readonly path: string;
  /** `written`: added or modified, as the history has it. */
  readonly kind: 'added' | 'modified' | 'deleted' | 'written';
  /** The workspace has changed the file since. */
  readonly isMoved: boolean;
  /** Revision of the file before; null: no file. */
  readonly before: string | null;
  /** Revision of a committed change; null: it is staged, or a deletion. */
  readonly after: string | null;
  /** Of the content; empty: a deletion. */
  readonly contentHash: string;
}

export type ChangeRow =
  | { readonly kind: 'heading'; readonly id: string; readonly text: string }
  | { readonly kind: 'file'; readonly id: string; readonly change: RunChange };

/** The letter that version control systems use. */
export const changeLetters = { added: 'A', modified: 'M', deleted: 'D', written: '' } as const;

export function stagedChange({ path, forkType, madeOn, conflicts, contentHash = '' }: ForkChange): RunChange {
  return {
    path,
    kind: forkType === 'delete' ? 'deleted' : madeOn === null ? 'added' : 'modified',
    isMoved: conflicts,
    before: madeOn,
    after: null,
    contentHash,
  };
}

/** The newest entry of each path. `before` of a committed change is found by its diff. */
export function committedChanges(entries: readonly HistoryEntry[]): readonly RunChange[] {
  const byPath = new Map<string, RunChange>();
  for (const { path, action, revision, contentHash = '' } of entries) {
    if (byPath.has(path)) continue;
    byPath.set(path, {
      path,
      kind: action === 'delete' ? 'deleted' : 'written',
      isMoved: false,
      before: null,
      after: revision,
      contentHash,
    });
  }
  return [...byPath.values()];
}

/** By folder, in the order of names. */
export function changeRows(changes: readonly RunChange[]): readonly ChangeRow[] {
  const sorted = changes.toSorted(
    (left, right) =>
      compareNames(parentOf(left.path), parentOf(right.path)) ||
      compareNames(nameOf(left.path), nameOf(right.path)),
  );
  let folder = '';
  return sorted.flatMap((change): readonly ChangeRow[] => {
    const parent = parentOf(change.path);
    const row: ChangeRow = { kind: 'file', id: change.path, change };
    if (parent === folder) return [row];
    folder = parent;
    return [
      { kind: 'heading', id: `heading ${parent}`, text: parent === '/' ? '/' : `${parent.slice(1)}/` },
      row,
    ];
  });
}

/** Globs of one commit. */
const globsMax = 100;

export type ChosenPaths =
  | { readonly kind: 'all' }
  | { readonly kind: 'some'; readonly globs: readonly string[] }
  /** They cannot be named in one commit. */
  | { readonly kind: 'none' | 'too_many' | 'ambiguous' };

/**
 * Names the chosen changes by as few globs as possible: a folder whose changes are all chosen is one. A name with `*` or `?` as a glob
 * also matches other names; if one of those is not chosen, the choice is ambiguous.
 */
export function chosenPaths(paths: readonly string[], excluded: ReadonlySet<string>): ChosenPaths {
  const chosen = paths.filter((path) => !excluded.has(path));
  if (chosen.length === paths.length) return { kind: 'all' };
  if (chosen.length === 0) return { kind: 'none' };
  const isSplit = new Set<string>(['/']);
  for (const path of paths)
    if (excluded.has(path))
      for (let at = parentOf(path); !isSplit.has(at); at = parentOf(at)) isSplit.add(at);
  const globs = new Set(chosen.map((path) => widest(path, isSplit)));
  if (globs.size > globsMax) return { kind: 'too_many' };
  const isAmbiguous = [...globs].some((glob) => {
    const text = glob.endsWith('/') ? glob.slice(0, -1) : glob;
    // A file that became a directory: its path chooses both.
    if (!/[*?]/.test(text)) return paths.some((path) => excluded.has(path) && path.startsWith(`${text}/`));
    const parts = text.split('/').map(patternOf).join('/');
    const pattern = new RegExp(`^${parts}${glob.endsWith('/') ? '/' : '$'}`, 'su');
    return paths.some((path) => excluded.has(path) && pattern.test(path));
  });
  return isAmbiguous ? { kind: 'ambiguous' } : { kind: 'some', globs: [...globs] };
}

/** The path, or its highest folder in which everything is chosen, with `/` at its end. */
function widest(path: string, isSplit: ReadonlySet<string>): string {
  let glob = path;
  for (let folder = parentOf(path); !isSplit.has(folder); folder = parentOf(folder)) glob = `${folder}/`;
  return glob;
}

function patternOf(name: string): string {
  if (name === '**') return '.*';
  return [...name]
    .map((character) => {
      if (character === '*') return '[^/]*';
      return character === '?' ? '[^/]' : character.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
    })
    .join('');
}
