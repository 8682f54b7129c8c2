// All problems of a mirror, counted by cause and directory. A limited number per cause is listed; the others are only counted. No I/O.
import type { MirrorProblem, MirrorProblemGroup } from '../../contract/workspaces.ts';
import { comparePaths } from '../../core/paths/path.ts';
import { DirectoryTally } from '../../core/sync/directory-counts.ts';
import { isExpectedProblem, problemSummary } from '../../core/sync/problem-summary.ts';

/** Problems per cause that are listed; further ones are counted. */
export const problemsListedMax = 5000;
/** Directories that a group names. */
const directoriesNamedMax = 5;

interface Group {
  readonly kind: string;
  readonly directories: DirectoryTally;
  readonly listed: { readonly problem: MirrorProblem; readonly position: number }[];
  /** The common next step; null: it differs. */
  next: string | null;
  count: number;
}

export interface ProblemPage {
  readonly items: readonly MirrorProblem[];
  readonly nextCursor: string | null;
}

export class ProblemList {
  readonly #groups = new Map<string, Group>();
  #count = 0;
  /** Cached: it is read far more often than the list changes. */
  #groupCache: readonly MirrorProblemGroup[] | null = null;

  add(problem: MirrorProblem): void {
    this.addLazily(problem, () => problem);
  }

  /** `make` is called only for a problem that is listed. */
  addLazily(
    { kind, path, next }: Pick<MirrorProblem, 'kind' | 'path' | 'next'>,
    make: () => MirrorProblem,
  ): void {
    this.#groupCache = null;
    const group = this.#groups.get(kind) ?? {
      kind,
      directories: new DirectoryTally(),
      listed: [],
      next,
      count: 0,
    };
    this.#groups.set(kind, group);
    group.directories.add(path);
    if (group.listed.length < problemsListedMax)
      group.listed.push({ problem: make(), position: this.#count });
    if (group.next !== next) group.next = null;
    group.count += 1;
    this.#count += 1;
  }

  get count(): number {
    return this.#count;
  }

  countOf(kind: string): number {
    return this.#groups.get(kind)?.count ?? 0;
  }

  /** Unexpected problems first, then the most frequent. */
  groups(): readonly MirrorProblemGroup[] {
    this.#groupCache ??= this.#buildGroups();
    return this.#groupCache;
  }

  #buildGroups(): readonly MirrorProblemGroup[] {
    return [...this.#groups.values()]
      .sort(
        (left, right) =>
          Number(isExpectedProblem(left.kind)) - Number(isExpectedProblem(right.kind)) ||
          right.count - left.count ||
          comparePaths(left.kind, right.kind),
      )
      .map(({ kind, count, directories, listed, next }) => {
        const largest = count === 1 ? [] : directories.largest(directoriesNamedMax);
        const summary = problemSummary(kind, count, largest);
        return { kind, count, listed: listed.length, summary, next, directories: [...largest] };
      });
  }

  /** The first problems in their order; where there are more than `max`, some of each cause. */
  first(max: number): readonly MirrorProblem[] {
    const groups = [...this.#groups.values()];
    const chosen: Group['listed'] = [];
    for (let index = 0; chosen.length < max; index += 1) {
      const round = groups.flatMap(({ listed }) => listed[index] ?? []);
      if (round.length === 0) break;
      chosen.push(...round);
    }
    const shown = this.#count <= max ? chosen : chosen.slice(0, max);
    return shown.sort((left, right) => left.position - right.position).map(({ problem }) => problem);
  }

  /** In the order of causes and paths. `kind` null: every cause. `cursor` '': from the start. */
  page(kind: string | null, cursor: string, limit: number): ProblemPage {
    const kinds = [...this.#groups.keys()]
      .filter((each) => kind === null || each === kind)
      .sort(comparePaths);
    const after = readCursor(cursor);
    const items: MirrorProblem[] = [];
    let last: Position | null = null;
    for (const each of kinds) {
      let position: Position = { kind: each, path: '', number: 0 };
      for (const problem of this.#sorted(each)) {
        const isSamePath = position.path === problem.path && position.number > 0;
        position = { kind: each, path: problem.path, number: isSamePath ? position.number + 1 : 1 };
        if (after !== null && compare(position, after) <= 0) continue;
        if (items.length === limit) return { items, nextCursor: cursorOf(last) };
        items.push(problem);
        last = position;
      }
    }
    return { items, nextCursor: null };
  }

  #sorted(kind: string): readonly MirrorProblem[] {
    const problems = (this.#groups.get(kind)?.listed ?? []).map(({ problem }) => problem);
    return problems.sort(
      (left, right) => comparePaths(left.path, right.path) || comparePaths(left.cause, right.cause),
    );
  }
}

/** `number`: counts the problems of one cause at one path, from 1. */
interface Position {
  readonly kind: string;
  readonly path: string;
  readonly number: number;
}

function compare(left: Position, right: Position): number {
  return (
    comparePaths(left.kind, right.kind) || comparePaths(left.path, right.path) || left.number - right.number
  );
}

function cursorOf(position: Position | null): string | null {
  return position === null ? null : `${position.kind}:${position.number}:${position.path}`;
}

/** '': from the start. */
export function isProblemCursor(cursor: string): boolean {
  return cursor === '' || readCursor(cursor) !== null;
}

/** null: from the start. */
function readCursor(cursor: string): Position | null {
  const match = /^([a-z_]+):(\d{1,9}):(\/.*)$/s.exec(cursor);
  if (match === null) return null;
  const [, kind = '', number = '', path = ''] = match;
  return { kind, number: Number(number), path };
}
