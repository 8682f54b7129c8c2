// A choice of paths by globs. Pure.
import { parsePathGlob } from './path-glob.ts';

/** null: all. */
export type PathChoice = ((path: string) => boolean) | null;

/** HTTP: 400 `bad_request`. */
export class InvalidGlobError extends Error {
  override readonly name = 'InvalidGlobError';
}

/** The paths that one of the globs matches; without globs all. A path without `*` and `?` also chooses what is below it, as it may be a directory.
 * Throws an InvalidGlobError. */
export function choiceOf(globs: readonly string[]): PathChoice {
  if (globs.length === 0) return null;
  const tests = globs.map((glob) => {
    const test = parsePathGlob(glob);
    if (test === null) throw new InvalidGlobError(`invalid path glob: ${glob}`);
    return isPath(glob) ? (path: string) => test(path) || path.startsWith(`${glob}/`) : test;
  });
  return (path) => tests.some((test) => test(path));
}

function isPath(glob: string): boolean {
  return glob.startsWith('/') && !glob.endsWith('/') && !/[*?]/.test(glob);
}
