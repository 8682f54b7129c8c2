// Globs over paths: `*` any characters within a name, `?` one character, `**` any number of names. Without a leading slash it
// matches at any depth. Pure, and without backtracking: the work is bounded by the product of both lengths.

/** Characters of a glob. */
export const pathGlobCharactersMax = 512;

/** null: not a valid glob. */
export function parsePathGlob(glob: string): ((path: string) => boolean) | null {
  if (glob === '' || glob.length > pathGlobCharactersMax || !glob.isWellFormed()) return null;
  const names = (glob.startsWith('/') ? glob.slice(1) : `**/${glob}`).split('/');
  if (names.some((name, index) => name === '' && index < names.length - 1)) return null;
  // A directory means all below it.
  if (names.at(-1) === '') names[names.length - 1] = '**';
  return (path) =>
    matches(names, path.slice(1).split('/'), '**', (pattern, name) =>
      matches([...pattern], [...name], '*', (one, character) => one === '?' || one === character),
    );
}

/** Does the list match the patterns, where `any` matches any number of items? */
function matches(
  patterns: readonly string[],
  items: readonly string[],
  any: string,
  matchesOne: (pattern: string, item: string) => boolean,
): boolean {
  // reached[at]: the patterns so far match the first `at` items.
  let reached = items.map(() => false);
  reached = [true, ...reached];
  for (const pattern of patterns) {
    let isReached = false;
    reached = reached.map((before, at) => {
      isReached =
        pattern === any
          ? isReached || before
          : at > 0 && reached[at - 1] === true && matchesOne(pattern, items[at - 1] as string);
      return isReached;
    });
  }
  return reached.at(-1) === true;
}
