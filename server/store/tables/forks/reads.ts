// Reads through a fork: one file, a page of the tree, a query, all files for an export. The shapes are those of the same reads
// of a workspace. Long searches go in slices, so that other requests get their turn in between.

import { isAclPath } from '../../../core/access/acl.ts';
import type { AccessSubject, Entry, FileEntry } from '../../../core/entry.ts';
import { depthOf } from '../../../core/paths/path.ts';
import { yieldToEventLoop } from '../../../platform/event-loop.ts';
import { readInParts } from '../../database/read-in-parts.ts';
import { endOfSubtree, justAfter, laterPath, startOfSubtree } from '../../database/rows.ts';
import type { ReadStatements } from '../../database/statements.ts';
import type { FileFilter, TreePage, TreeQuery } from '../../port/store.ts';
import { entryAt } from '../files/files.ts';
import { atAndBelow, matchesMetadata, type QueryPage, type QueryResultRows } from '../files/query.ts';
import { ancestorAtDepth } from '../files/tree.ts';
import { AccessView } from '../files/visible-files.ts';
import { openForkById, stagedPaths, viewReads } from './rows.ts';
import { ForkView, pageStart, type VisibleFile } from './view.ts';
import { ForkVisibility } from './visibility.ts';

/** Files that one slice of a query looks at. */
const sliceFiles = 500;

interface ForkReads {
  readonly view: ForkView;
  readonly visibility: ForkVisibility;
}

/** null: it is gone. */
function openReads(
  statements: ReadStatements,
  forkId: string,
  access: AccessSubject | null,
): ForkReads | null {
  const fork = openForkById(statements, forkId);
  if (fork === null) return null;
  const view = new ForkView(statements, fork);
  return { view, visibility: new ForkVisibility(statements, view, access) };
}

export function getCheckedInFork(
  statements: ReadStatements,
  forkId: string,
  path: string,
  access: AccessSubject | null,
): { entry: Entry | null; allowed: boolean } {
  return statements.consistently(() => {
    const look = openReads(statements, forkId, access);
    if (look === null) return { entry: null, allowed: true };
    const { view, visibility } = look;
    const file = view.file(path);
    if (file !== null) return { entry: file.entry, allowed: visibility.allows(file) };
    const directory = view.directory(path, () => true);
    if (directory === null) return { entry: null, allowed: visibility.allowsNew(path) };
    return { entry: directory, allowed: view.directory(path, (one) => visibility.allows(one)) !== null };
  });
}

/** Files at or below a path that the subject may see, in order. For a snapshot: the connection must not move on meanwhile. */
export function* forkFiles(
  statements: ReadStatements,
  forkId: string,
  path: string,
  access: AccessSubject | null,
): Generator<FileEntry, undefined> {
  const look = openReads(statements, forkId, access);
  if (look === null) return;
  const self = look.view.file(path);
  const files = self === null ? look.view.files(startOfSubtree(path), endOfSubtree(path)) : [self];
  for (const file of files) if (look.visibility.allows(file)) yield file.entry;
}

// ---- tree

export function readForkTree(statements: ReadStatements, forkId: string, query: TreeQuery): TreePage {
  return statements.consistently(() => {
    const look = openReads(statements, forkId, query.access);
    const empty: TreePage = { entries: [], more: false, totalFiles: 0, forEveryone: false };
    if (look === null) return empty;
    if (look.view.file(query.path) !== null) return empty;
    return {
      ...readPage(look, query),
      totalFiles: countVisible(statements, look, query),
      forEveryone: false,
    };
  });
}

function readPage(look: ForkReads, query: TreeQuery): Pick<TreePage, 'entries' | 'more'> {
  const end = endOfSubtree(query.path);
  const depthMax = depthOf(query.path) + query.depth;
  const entries: Entry[] = [];
  let from: string | null = pageStart(query.path, query.afterPath);
  while (from !== null) {
    const start: string = from;
    from = null;
    for (const { path, file } of look.view.candidates(start, end, true)) {
      if (depthOf(path) > depthMax) {
        // What lies too deep is jumped over.
        from = endOfSubtree(ancestorAtDepth(path, depthMax));
        break;
      }
      const entry = visibleAt(look, path, file);
      if (entry === null) continue;
      if (entries.length === query.limit) return { entries, more: true };
      entries.push(entry);
    }
  }
  return { entries, more: false };
}

function visibleAt({ view, visibility }: ForkReads, path: string, file: VisibleFile | null): Entry | null {
  if (file !== null) return visibility.allows(file) ? file.entry : null;
  return path === '/' ? null : view.directory(path, (one) => visibility.allows(one));
}

/** The workspace's own count, put right where the fork differs: that costs what differs, not what is there. */
function countVisible(
  statements: ReadStatements,
  { view, visibility }: ForkReads,
  { path, access }: TreeQuery,
): number {
  const { workspace } = view.fork;
  if (!visibility.addsNothing && stagedPaths(statements, view.fork).some((one) => isAclPath(one.path))) {
    return countOneByOne(view, visibility, path);
  }
  const live = new AccessView(statements, workspace, access);
  const directory = entryAt(statements, workspace, path);
  const files = directory?.type === 'dir' ? live.visibleFiles(path, directory.files) : 0;
  const changes = readInParts(
    statements,
    [...view.differing(path)].filter((one) => one !== path),
    (one) => viewReads(view.fork, one),
    (one) => {
      const now = entryAt(statements, workspace, one);
      const seen = view.file(one);
      const before = now?.type === 'file' && live.allowsFile(now) ? 1 : 0;
      return (seen !== null && visibility.allows(seen) ? 1 : 0) - before;
    },
  );
  return changes.reduce((sum, change) => sum + change, files);
}

function countOneByOne(view: ForkView, visibility: ForkVisibility, path: string): number {
  let files = 0;
  for (const file of view.files(startOfSubtree(path), endOfSubtree(path)))
    if (visibility.allows(file)) files += 1;
  return files;
}

// ---- query

export async function queryFork(
  statements: ReadStatements,
  forkId: string,
  filter: FileFilter,
  page: QueryPage,
): Promise<QueryResultRows> {
  const items: QueryResultRows['items'][number][] = [];
  for (const range of atAndBelow(filter.path)) {
    let from: string | null = laterPath(range.from, page.afterPath === null ? '' : justAfter(page.afterPath));
    while (from !== null) {
      const start: string = from;
      const slice = statements.consistently(() =>
        readSlice(statements, forkId, filter, page, start, range.to),
      );
      items.push(...slice.found);
      if (items.length > page.limit) return { items: items.slice(0, page.limit), more: true };
      from = slice.last === null ? null : justAfter(slice.last);
      if (from !== null) await yieldToEventLoop();
    }
  }
  return { items, more: false };
}

function readSlice(
  statements: ReadStatements,
  forkId: string,
  filter: FileFilter,
  { access }: QueryPage,
  from: string,
  to: string,
): { readonly found: QueryResultRows['items'][number][]; readonly last: string | null } {
  const look = openReads(statements, forkId, access);
  const found: QueryResultRows['items'][number][] = [];
  if (look === null) return { found, last: null };
  let looked = 0;
  for (const file of look.view.files(from, to)) {
    const { entry } = file;
    looked += 1;
    if (matchesMetadata(entry, filter) && look.visibility.allows(file)) {
      const effectivePermissions = look.visibility.effectivePermissions(entry);
      if (filter.permission === undefined || effectivePermissions.includes(filter.permission)) {
        found.push({ entry, effectivePermissions });
      }
    }
    if (looked === sliceFiles) return { found, last: entry.path };
  }
  return { found, last: null };
}
