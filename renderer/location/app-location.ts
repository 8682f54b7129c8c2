// The location of the app in the hash: `#files/docs/readme.md?workspace=rw_…`. Links, Back and reload work, and the same bundle
// runs behind `http://` and `app://`. Contains wouter's location hook and the location of Files.
import { useSyncExternalStore } from 'react';
import { useLocation, useSearch } from 'wouter';
import { linkedPastTime } from '../model/files/point-in-time.ts';
import { canLeaveTo, promptedHash } from './unsaved-changes.ts';

interface NavigateOptions {
  readonly replace?: boolean;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  window.addEventListener('popstate', listener);
  return () => {
    window.removeEventListener('hashchange', listener);
    window.removeEventListener('popstate', listener);
  };
}

/** `/files/docs?x=1` of `#files/docs?x=1`. */
function current(): string {
  return `/${location.hash.replace(/^#\/?/, '')}`;
}

function pathOf(address: string): string {
  return address.split('?', 1)[0] ?? '/';
}

function navigate(to: string, options: NavigateOptions = {}): void {
  if (canLeaveTo(to, () => go(to, options))) go(to, options);
}

function go(to: string, options: NavigateOptions): void {
  const url = `#${to.replace(/^\//, '')}`;
  if (options.replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Back, Forward and typed addresses have changed the hash already: it is restored before the prompt. */
function onMoved(): void {
  const to = current();
  if (!canLeaveTo(to, () => go(to, {}))) history.pushState(null, '', promptedHash());
}
// Registered before any component listens, so that none sees a location that the prompt rejects.
window.addEventListener('popstate', onMoved);
window.addEventListener('hashchange', onMoved);

export const useHashLocation = Object.assign(
  (): [string, (to: string, options?: NavigateOptions) => void] => [
    useSyncExternalStore(subscribe, () => pathOf(current())),
    navigate,
  ],
  {
    hrefs: (href: string): string => `#${href.replace(/^\//, '')}`,
    searchHook: (): string =>
      useSyncExternalStore(subscribe, () => current().slice(pathOf(current()).length + 1)),
  },
);

/** The location of Files. A path with `/` at its end is a folder. */
export interface FilesLocation {
  readonly workspaceId: string | null;
  readonly folder: string;
  /** Path of the selected file. */
  readonly file: string | null;
  readonly view: 'content' | 'details' | 'history' | 'explain';
  readonly filter: string;
  /** As of `model/tables/sorting.ts`; empty: by name. */
  readonly sort: string;
  /** The point in time that is shown; null: now. */
  readonly atMs: number | null;
  /** The line that is shown, from 1; null: the first. */
  readonly line: number | null;
}

export function useFilesLocation(): FilesLocation {
  useLocation();
  useSearch();
  return filesLocation();
}

/** The first part of the address: `files`. */
export function screenInAddress(): string {
  return pathOf(current()).split('/', 2)[1] ?? '';
}

export function filesLocation(): FilesLocation {
  const address = current();
  const search = new URLSearchParams(address.slice(pathOf(address).length + 1));
  // Wouter decodes the path and loses a `%` in a name, so it is read from the address.
  const raw = pathOf(address).replace(/^\/files/, '');
  const path = raw.split('/').map(decodeSegment).join('/');
  const isFolder = path === '' || path.endsWith('/');
  const cut = path.lastIndexOf('/');
  return {
    workspaceId: search.get('workspace'),
    folder: path.slice(0, Math.max(cut, 0)) || '/',
    file: isFolder ? null : path,
    view: viewOf(search.get('view')),
    filter: search.get('filter') ?? '',
    sort: search.get('sort') ?? '',
    atMs: linkedPastTime(search.get('at') ?? ''),
    line: lineOf(search.get('line')),
  };
}

function lineOf(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

function viewOf(text: string | null): FilesLocation['view'] {
  return text === 'details' || text === 'history' || text === 'explain' ? text : 'content';
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The address of a file, or of a folder when `kind` is `dir`. */
export function filesHref(
  workspaceId: string,
  path: string,
  kind: 'file' | 'dir',
  extra: Partial<Pick<FilesLocation, 'view' | 'filter' | 'sort' | 'atMs' | 'line'>> = {},
): string {
  const encoded = path === '/' ? '/' : path.split('/').map(encodeURIComponent).join('/');
  const end = kind === 'dir' && encoded !== '/' ? '/' : '';
  const search = new URLSearchParams({ workspace: workspaceId });
  if (extra.view !== undefined && extra.view !== 'content') search.set('view', extra.view);
  if (extra.filter !== undefined && extra.filter !== '') search.set('filter', extra.filter);
  if (extra.sort !== undefined && extra.sort !== '') search.set('sort', extra.sort);
  if (extra.line != null) search.set('line', String(extra.line));
  if (extra.atMs != null) search.set('at', new Date(extra.atMs).toISOString());
  return `/files${encoded}${end}?${search}`;
}
