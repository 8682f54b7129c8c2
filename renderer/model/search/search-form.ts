// What a person searches for, and the requests that answer it. Pure.
import type { SearchOptions } from '../../../sdk/index.ts';

export const searchKinds = ['all', 'names', 'words', 'exact', 'regex'] as const;
export type SearchKind = (typeof searchKinds)[number];

const hourMs = 3_600_000;
/** How long ago a file changed at most. */
export const changedWithin = {
  any: null,
  hour: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
  month: 30 * 24 * hourMs,
} as const;
export type ChangedWithin = keyof typeof changedWithin;
/** Within a time, or on a day or later: `2026-11-01`, as this machine counts days. */
export type Changed = ChangedWithin | Day;
type Day = `${number}-${number}-${number}`;

export function isDay(text: string): text is Day {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00`));
}

/** null: neither. */
export function changedOf(text: string): Changed | null {
  return isDay(text) ? text : Object.hasOwn(changedWithin, text) ? (text as ChangedWithin) : null;
}

export interface SearchForm {
  readonly q: string;
  readonly kind: SearchKind;
  /** null: all workspaces. */
  readonly workspaceId: string | null;
  /** Only files in this folder; empty: all. */
  readonly folder: string;
  /** Only paths that match; empty: all. */
  readonly glob: string;
  readonly changed: Changed;
  readonly caseSensitive: boolean;
}

/** Nothing is searched, everywhere. */
export const emptyForm: SearchForm = {
  q: '',
  kind: 'all',
  workspaceId: null,
  folder: '',
  glob: '',
  changed: 'any',
  caseSensitive: false,
};

/** One search of each workspace. It names no time, so that it can be a key. */
export interface SearchRequest {
  readonly q: string;
  readonly mode: NonNullable<SearchOptions['mode']>;
  readonly path: string;
  readonly glob: string;
  readonly changed: Changed;
  readonly caseSensitive: boolean;
}

/** null: names are not searched. Without a text, the files of a type are found by the end of their names. */
export function nameRequest(form: SearchForm): SearchRequest | null {
  if (form.kind !== 'all' && form.kind !== 'names') return null;
  const [, end = ''] = /^\*(\.[\p{L}\p{N}_+-]+)$/u.exec(form.glob.trim()) ?? [];
  const q = form.q.replaceAll('"', ' ').trim() || end;
  return q === '' ? null : { ...filtersOf(form), q, mode: 'name', caseSensitive: false };
}

/** null: contents are not searched. */
export function contentRequest(form: SearchForm): SearchRequest | null {
  const q = form.q.trim();
  if (form.kind === 'names' || q === '') return null;
  const request = { ...filtersOf(form), caseSensitive: form.caseSensitive };
  if (form.kind === 'exact') return { ...request, q: form.q, mode: 'literal' };
  if (form.kind === 'regex') return { ...request, q, mode: 'regex' };
  if (form.kind === 'all' && !/[\p{L}\p{N}]/u.test(q)) return { ...request, q, mode: 'literal' };
  return { ...request, q: asTyped(q), mode: 'text' };
}

export function hasFilters({ workspaceId, folder, glob, changed, caseSensitive }: SearchForm): boolean {
  return workspaceId !== null || folder !== '' || glob !== '' || changed !== 'any' || caseSensitive;
}

/** Options of the request, at this time. */
export function optionsOf({ q: _, changed, glob, ...request }: SearchRequest, nowMs: number): SearchOptions {
  const since = changedSince(changed, nowMs);
  return {
    ...request,
    ...(glob === '' ? {} : { glob }),
    ...(since === null ? {} : { changedSince: since }),
  };
}

function changedSince(changed: Changed, nowMs: number): Date | null {
  if (isDay(changed)) return new Date(`${changed}T00:00`);
  const withinMs = changedWithin[changed];
  return withinMs === null ? null : new Date(nowMs - withinMs);
}

/** The search in the address: `#search?q=harbour&kind=words`, without the defaults. */
export function searchFields(form: SearchForm): Readonly<Record<string, string>> {
  return {
    q: form.q,
    kind: form.kind === 'all' ? '' : form.kind,
    workspace: form.workspaceId ?? '',
    folder: form.folder,
    glob: form.glob,
    changed: form.changed === 'any' ? '' : form.changed,
    case: form.caseSensitive ? 'yes' : '',
  };
}

function filtersOf({ folder, glob, changed }: SearchForm): Pick<SearchRequest, 'path' | 'glob' | 'changed'> {
  const path = folder.trim();
  return { path: path.startsWith('/') ? path : `/${path}`, glob: glob.trim(), changed };
}

/** The last word may be incomplete while it is typed, so its beginning is searched. A quoted one is complete. */
function asTyped(q: string): string {
  const isQuoted = q.split('"').length % 2 === 0;
  return !isQuoted && /[\p{L}\p{N}]$/u.test(q) ? `${q}*` : q;
}
