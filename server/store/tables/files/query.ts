// Queries over metadata. One filter drives through its index, the others are applied row by row; core/access decides visibility.
// Long queries run in slices, so that other requests run in between.
import type { FileEntry } from '../../../core/entry.ts';
import { comparePaths } from '../../../core/paths/path.ts';
import { yieldToEventLoop } from '../../../platform/event-loop.ts';
import {
  type EntryRow,
  endOfSubtree,
  entryColumns,
  fileOf,
  justAfter,
  laterPath,
  startOfSubtree,
} from '../../database/rows.ts';
import type { ReadStatements } from '../../database/statements.ts';
import type { ContentReader, FileFilter } from '../../port/store.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';
import { metadataKinds } from './entry-metadata.ts';
import { AccessView } from './visible-files.ts';

/** Rows per slice. */
const sliceRows = 500;

export type QueryPage = Parameters<ContentReader['query']>[2];
export type QueryResultRows = Awaited<ReturnType<ContentReader['query']>>;

/** From (included) to (excluded), by the bytes of the path. */
interface Range {
  readonly from: string;
  readonly to: string;
}

/** The label whose index drives the search. */
interface Driver {
  readonly kind: number;
  readonly name: string;
  readonly value: string;
}

type Item = QueryResultRows['items'][number];

export async function queryFiles(
  statements: ReadStatements,
  workspaceId: string,
  filter: FileFilter,
  page: QueryPage,
): Promise<QueryResultRows> {
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return { items: [], more: false };
  const { ranges, driver } = statements.consistently(() => ({
    ranges: rangesOf(statements, workspace, filter),
    driver: driverOf(statements, workspace, filter),
  }));
  const items: Item[] = [];
  for (const range of ranges) {
    let from = laterPath(range.from, page.afterPath === null ? '' : justAfter(page.afterPath));
    while (comparePaths(from, range.to) < 0) {
      const slice = statements.consistently(() => {
        const view = new AccessView(statements, workspace, page.access);
        const rows = readSlice(statements, workspace, driver, { from, to: range.to });
        return {
          last: rows.length < sliceRows ? null : rows.at(-1),
          found: visibleMatches(rows, filter, view),
        };
      });
      items.push(...slice.found);
      if (items.length > page.limit) return { items: items.slice(0, page.limit), more: true };
      if (slice.last === null || slice.last === undefined) break;
      from = justAfter(slice.last.path);
      await yieldToEventLoop();
    }
  }
  return { items, more: false };
}

function readSlice(
  statements: ReadStatements,
  workspace: number,
  driver: Driver | null,
  range: Range,
): readonly EntryRow[] {
  if (driver === null) {
    return statements.all<EntryRow>(
      `SELECT ${entryColumns} FROM entries
         WHERE workspace = ? AND path >= ? AND path < ? AND files IS NULL ORDER BY path LIMIT ${sliceRows}`,
      workspace,
      range.from,
      range.to,
    );
  }
  return statements.all<EntryRow>(
    `SELECT ${entryColumns} FROM labels CROSS JOIN entries
         ON entries.workspace = labels.workspace AND entries.path = labels.path
       WHERE labels.workspace = ? AND labels.kind = ? AND labels.name = ? AND labels.value = ?
         AND labels.path >= ? AND labels.path < ? ORDER BY labels.path LIMIT ${sliceRows}`,
    workspace,
    driver.kind,
    driver.name,
    driver.value,
    range.from,
    range.to,
  );
}

function visibleMatches(rows: readonly EntryRow[], filter: FileFilter, view: AccessView): readonly Item[] {
  return rows.flatMap((row) => {
    const entry = fileOf(row);
    if (!matchesMetadata(entry, filter) || !view.allowsFile(entry)) return [];
    const effectivePermissions = view.effectivePermissions(entry);
    const { permission } = filter;
    return permission === undefined || effectivePermissions.includes(permission)
      ? [{ entry, effectivePermissions }]
      : [];
  });
}

export function matchesMetadata(entry: FileEntry, filter: FileFilter): boolean {
  const { semantics } = entry;
  if (filter.provider !== undefined && entry.provider !== filter.provider.toLowerCase()) return false;
  if (filter.relation !== undefined && !semantics.relations?.includes(filter.relation)) return false;
  if (filter.comment !== undefined && !semantics.comments?.includes(filter.comment)) return false;
  return Object.entries(filter.properties).every(([key, value]) => semantics.properties?.[key] === value);
}

/** Where matches can be, in order: at the path itself, below it, and there only below the provider's names. */
function rangesOf(statements: ReadStatements, workspace: number, filter: FileFilter): readonly Range[] {
  const within = atAndBelow(filter.path);
  if (filter.provider === undefined) return within;
  const tops = statements.all<{ path: string }>(
    'SELECT path FROM entries WHERE workspace = ? AND top = ? ORDER BY path',
    workspace,
    filter.provider.toLowerCase(),
  );
  return tops
    .flatMap(({ path }) => atAndBelow(path))
    .flatMap((range) => within.map((outer) => intersection(range, outer)))
    .filter(({ from, to }) => comparePaths(from, to) < 0);
}

export function atAndBelow(path: string): readonly Range[] {
  return [
    { from: path, to: justAfter(path) },
    { from: startOfSubtree(path), to: endOfSubtree(path) },
  ];
}

function intersection(left: Range, right: Range): Range {
  return {
    from: laterPath(left.from, right.from),
    to: comparePaths(left.to, right.to) < 0 ? left.to : right.to,
  };
}

/** null: no index narrows the search, and the ranges are read through. */
function driverOf(statements: ReadStatements, workspace: number, filter: FileFilter): Driver | null {
  const [property] = Object.entries(filter.properties);
  if (property !== undefined) return { kind: metadataKinds.property, name: property[0], value: property[1] };
  if (filter.relation !== undefined)
    return { kind: metadataKinds.relation, name: '', value: filter.relation };
  if (filter.comment !== undefined) return { kind: metadataKinds.comment, name: '', value: filter.comment };
  if (filter.permission === undefined) return null;
  // An ACL file gives its permissions to files without metadata rows of their own.
  const inherited = statements
    .all<{ permissions: string }>(
      'SELECT permissions FROM access_rules WHERE workspace = ? AND is_marker = 1',
      workspace,
    )
    .some(({ permissions }) => (JSON.parse(permissions) as string[]).includes(filter.permission ?? ''));
  return inherited ? null : { kind: metadataKinds.permission, name: '', value: filter.permission };
}
