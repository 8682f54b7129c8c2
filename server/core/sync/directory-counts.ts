// Finds the few directories that contain most of many paths: more useful than a list of thousands. Pure; the memory is bounded.
import { ancestorsOf, comparePaths, parentOf } from '../paths/path.ts';

export interface DirectoryCount {
  readonly path: string;
  /** Paths in it and below it, less those of directories that are listed before it. */
  readonly count: number;
}

/** Paths of more directories are counted in the nearest directory above that is counted already. */
export const countedDirectoriesMax = 2000;

export class DirectoryTally {
  readonly #own = new Map<string, number>();

  add(path: string): void {
    const parent = parentOf(path) ?? '/';
    const isCounted = this.#own.has(parent) || this.#own.size < countedDirectoriesMax;
    const directory = isCounted
      ? parent
      : (ancestorsOf(parent).findLast((above) => this.#own.has(above)) ?? '/');
    this.#own.set(directory, (this.#own.get(directory) ?? 0) + 1);
  }

  /** At most so many directories, none within a later one, the first with most of the paths. */
  largest(max: number): readonly DirectoryCount[] {
    const left = new Map(this.#own);
    const found: DirectoryCount[] = [];
    while (left.size > 0 && found.length < max) {
      const next = densest(left);
      found.push(next);
      for (const directory of left.keys())
        if (directory === next.path || (next.path !== '/' && directory.startsWith(`${next.path}/`)))
          left.delete(directory);
    }
    return found.sort(largestFirst);
  }
}

/** From the root towards where most of it is, as long as that is at least half. */
function densest(own: ReadonlyMap<string, number>): DirectoryCount {
  const { sums, children } = subtreesOf(own);
  let path = '/';
  for (;;) {
    const sum = sums.get(path) ?? 0;
    const below = largestOf(children.get(path) ?? [], sums);
    // The root alone is no information: it is named only for its own files.
    if (path === '/' && below !== null && below.count > (own.get('/') ?? 0)) path = below.path;
    else if (path === '/') return { path, count: own.get('/') ?? 0 };
    else if (below !== null && below.count * 2 >= sum) path = below.path;
    else return { path, count: sum };
  }
}

function subtreesOf(own: ReadonlyMap<string, number>) {
  const sums = new Map<string, number>();
  const children = new Map<string, Set<string>>();
  for (const [directory, count] of own) {
    const line = [...ancestorsOf(directory).filter((above) => above !== '/'), directory];
    let above = '/';
    for (const at of line) {
      if (at === '/') continue;
      sums.set(at, (sums.get(at) ?? 0) + count);
      const siblings = children.get(above) ?? new Set();
      children.set(above, siblings.add(at));
      above = at;
    }
  }
  return { sums, children };
}

function largestOf(paths: Iterable<string>, sums: ReadonlyMap<string, number>): DirectoryCount | null {
  const counted = [...paths].map((path): DirectoryCount => ({ path, count: sums.get(path) ?? 0 }));
  return counted.sort(largestFirst)[0] ?? null;
}

function largestFirst(left: DirectoryCount, right: DirectoryCount): number {
  return right.count - left.count || comparePaths(left.path, right.path);
}
