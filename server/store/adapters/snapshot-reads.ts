// Reads of a snapshot: one consistent view of the workspaces, on statements that hold a state.
import type { AccessSubject, FileEntry } from '../../core/entry.ts';
import { yieldToEventLoop } from '../../platform/event-loop.ts';
import { type EntryRow, endOfSubtree, entryColumns, fileOf, startOfSubtree } from '../database/rows.ts';
import type { ReadStatements } from '../database/statements.ts';
import type { Snapshot } from '../port/store.ts';
import { entryAt } from '../tables/files/files.ts';
import { AccessView } from '../tables/files/visible-files.ts';
import { forkFiles } from '../tables/forks/reads.ts';
import { workspaceNumber } from '../tables/workspaces/workspaces.ts';

/** Rows that are read at once; no statement stays open between two calls of the iterator. */
const pageRows = 500;
/** The same for a sum, which makes no objects: less than 5 ms. */
const summedRows = 10_000;

/** Pages of the files at or below `path`, byte-wise by path; `forkId`: as the fork shows them. */
export function snapshotPages(
  statements: ReadStatements,
  ...[workspaceId, path, access, forkId]: Parameters<Snapshot['files']>
): AsyncGenerator<readonly FileEntry[], undefined> {
  return forkId === undefined
    ? workspacePages(statements, workspaceId, path, access)
    : pagesOf(forkFiles(statements, forkId, path, access));
}

async function* workspacePages(
  statements: ReadStatements,
  workspaceId: string,
  path: string,
  access: AccessSubject | null,
): AsyncGenerator<readonly FileEntry[], undefined> {
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return;
  const view = new AccessView(statements, workspace, access);
  const self = entryAt(statements, workspace, path);
  if (self?.type === 'file') {
    if (view.allowsFile(self)) yield [self];
    return;
  }
  let after = startOfSubtree(path);
  for (;;) {
    const rows = statements.all<EntryRow>(
      `SELECT ${entryColumns} FROM entries
         WHERE workspace = ? AND path > ? AND path < ? AND files IS NULL ORDER BY path LIMIT ${pageRows}`,
      workspace,
      after,
      endOfSubtree(path),
    );
    yield rows.map(fileOf).filter((entry) => view.allowsFile(entry));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = last.path;
  }
}

async function* pagesOf(files: Iterable<FileEntry>): AsyncGenerator<readonly FileEntry[], undefined> {
  let page: FileEntry[] = [];
  for (const file of files) {
    page.push(file);
    if (page.length < pageRows) continue;
    yield page;
    page = [];
  }
  yield page;
}

interface TotalsRow {
  readonly files: number;
  readonly blocks: number | null;
  /** null: the page is empty. */
  readonly last: string | null;
}

/** Of the files at or below `path`, each size rounded up to whole blocks. null: rules hide some of them. */
export async function snapshotTotals(
  statements: ReadStatements,
  { workspaceId, path, access, blockBytes }: Parameters<Snapshot['totals']>[0],
): ReturnType<Snapshot['totals']> {
  const total = { files: 0, bytes: 0 };
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return total;
  if (!new AccessView(statements, workspace, access).isOpen) return null;
  const self = entryAt(statements, workspace, path);
  if (self?.type === 'file') return { files: 1, bytes: Math.ceil(self.sizeBytes / blockBytes) * blockBytes };
  for (let after: string | null = startOfSubtree(path); after !== null; ) {
    const page: TotalsRow | undefined = statements.get<TotalsRow>(
      `SELECT count(*) AS files, sum(CAST((size + ? - 1) / ? AS INTEGER)) AS blocks, max(path) AS last
         FROM (SELECT path, size FROM entries
           WHERE workspace = ? AND path > ? AND path < ? AND files IS NULL ORDER BY path LIMIT ${summedRows}) AS page`,
      blockBytes,
      blockBytes,
      workspace,
      after,
      endOfSubtree(path),
    );
    total.files += page?.files ?? 0;
    total.bytes += (page?.blocks ?? 0) * blockBytes;
    after = page?.last ?? null;
    if (after !== null) await yieldToEventLoop();
  }
  return total;
}
