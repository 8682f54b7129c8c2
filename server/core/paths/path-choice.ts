// A choice of paths by globs. Pure.
import { parsePathGlob } from './path-glob.ts';

/** null: all. */
export type PathChoice = ((path: string) => boolean) | null;

/** HTTP: 400 `bad_request`. */
export class InvalidGlobError extends Error {
  override readonly name = 'InvalidGlobError';
}

/** The paths that one of the globs matches; without globs all. Throws an InvalidGlobError. */
export function choiceOf(globs: readonly string[]): PathChoice {
  if (globs.length === 0) return null;
  const tests = globs.map((glob) => {
    const test = parsePathGlob(glob);
    if (test === null) throw new InvalidGlobError(`invalid path glob: ${glob}`);
    return test;
  });
  return (path) => tests.some((test) => test(path));
}
