// The filters of a search that need no content.
import type { FileEntry } from '../core/entry.ts';
import { parsePathGlob } from '../core/paths/path-glob.ts';
import { type SearchQuery, SearchQueryError } from './search-query.ts';

export interface FileFilter {
  path(path: string): boolean;
  file(file: FileEntry): boolean;
}

export function createFileFilter({ glob, provider, changedSinceMs }: SearchQuery): FileFilter {
  const matchesGlob = glob === null ? () => true : parsePathGlob(glob);
  if (matchesGlob === null)
    throw new SearchQueryError('glob is not valid: use *, ? and ** in a path, for example src/**/*.ts');
  return {
    path: matchesGlob,
    file: (file) =>
      (provider === null || file.provider === provider) &&
      (changedSinceMs === null || file.editedAtMs >= changedSinceMs),
  };
}
