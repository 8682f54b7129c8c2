// Tree pages: the entries below a directory, down to a depth, in the byte order of paths. Directories are rows with counts, so a
// page costs what it shows: subtrees that are too deep are skipped, not walked.
import { depthOf } from '../../../core/paths/path.ts';
import {
  endOfSubtree,
  justAfter,
  laterPath,
  startOfSubtree,
  type TreeRow,
  treeColumns,
  treeEntryOf,
} from '../../database/rows.ts';
import type { ReadStatements } from '../../database/statements.ts';
import type { TreeEntry, TreePage, TreeQuery } from '../../port/store.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';
import { AccessView } from './visible-files.ts';

/** Rows per read: few at first and after a jump, more while there is nothing to skip. */
const rowsFirst = 16;
const rowsMax = 1_024;
/** Below a listing of this depth there is rarely anything to skip, so a whole page is read at once: a hub's database answers once in place of four times. */
const deepListing = 5;

const selectRange = `SELECT ${treeColumns} FROM entries WHERE workspace = ? AND path >= ? AND path < ? ORDER BY path LIMIT ?`;

/** What a page begins with, in one statement: a hub waits for the answer of each. */
const selectBase = `SELECT workspace, files,
    EXISTS (SELECT 1 FROM access_rules WHERE access_rules.workspace = entries.workspace) AS has_rules
  FROM entries WHERE workspace = (SELECT number FROM workspaces WHERE workspace_id = ?) AND path = ? AND files IS NOT NULL`;

/** Of a directory. */
interface BaseRow {
  readonly workspace: number;
  readonly files: number;
  readonly has_rules: number;
}

/**
 * Shows the state that is committed when it is called. A cursor is a position: the answer does not depend on whether an entry is
 * there or visible.
 */
export function readTree(statements: ReadStatements, workspaceId: string, query: TreeQuery): TreePage {
  return statements.consistently(() => {
    const base = statements.get<BaseRow>(selectBase, workspaceId, query.path);
    if (base === undefined) return { entries: [], more: false, totalFiles: 0, forEveryone: false };
    const view = new AccessView(statements, base.workspace, query.access, base.has_rules === 1);
    return {
      ...readPage(statements, base.workspace, view, query),
      totalFiles: view.visibleFiles(query.path, base.files),
      forEveryone: !view.hasRules,
    };
  });
}

function readPage(
  statements: ReadStatements,
  workspace: number,
  view: AccessView,
  query: TreeQuery,
): Pick<TreePage, 'entries' | 'more'> {
  const end = endOfSubtree(query.path);
  const depthMax = depthOf(query.path) + query.depth;
  const entries: TreePage['entries'][number][] = [];
  let from = laterPath(justAfter(startOfSubtree(query.path)), justAfter(query.afterPath ?? ''));
  let rowsAsked = query.depth < deepListing ? rowsFirst : rowsMax;
  for (;;) {
    // Where nothing is hidden: only the rest of a page that is nearly full, and one more row that shows whether an entry follows.
    if (view.isOpen) rowsAsked = Math.min(rowsAsked, query.limit - entries.length + 1);
    const rows = statements.all<TreeRow>(selectRange, workspace, from, end, rowsAsked);
    const last = rows.at(-1);
    let next = last === undefined || rows.length < rowsAsked ? null : justAfter(last.path);
    rowsAsked = Math.min(rowsAsked * 4, rowsMax);
    for (const row of rows) {
      if (depthOf(row.path) > depthMax) {
        next = endOfSubtree(ancestorAtDepth(row.path, depthMax));
        // The next such subtree may be near: do not read far into it.
        rowsAsked = rowsFirst;
        break;
      }
      const entry = visibleEntry(view, treeEntryOf(row));
      if (entry === null) continue;
      if (entries.length === query.limit) return { entries, more: true };
      entries.push(entry);
    }
    if (next === null) return { entries, more: false };
    from = next;
  }
}

/** The entry as the subject sees it; null when it does not. */
function visibleEntry(view: AccessView, entry: TreeEntry): TreeEntry | null {
  if (entry.type === 'file') return view.allowsFile(entry) ? entry : null;
  const files = view.visibleFiles(entry.path, entry.files);
  return files === 0 ? null : { ...entry, files };
}

export function ancestorAtDepth(path: string, depth: number): string {
  let end = 0;
  for (let level = 0; level < depth; level += 1) end = path.indexOf('/', end + 1);
  return path.slice(0, end);
}

/** Skips from one top-level entry to the next along the index, however many files are below each. */
const nextTops = `WITH RECURSIVE tops (top) AS (
    SELECT min(top) FROM entries WHERE workspace = ? AND top > ?
    UNION ALL
    SELECT (SELECT min(top) FROM entries WHERE workspace = ? AND top > tops.top) FROM tops WHERE top IS NOT NULL
  )
  SELECT top FROM tops WHERE top IS NOT NULL LIMIT ?`;

export function fileProviders(
  statements: ReadStatements,
  workspaceId: string,
  after: string,
  limit: number,
): readonly string[] {
  const workspace = workspaceNumber(statements, workspaceId);
  return statements.all<{ top: string }>(nextTops, workspace, after, workspace, limit).map(({ top }) => top);
}
