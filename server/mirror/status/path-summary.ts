// What a status says of all paths of a mirror: its problems, its local-only files, and files with secrets. A question builds it anew, in slices,
// if one of its sources has changed: a mirror may have a million paths. Reads only; no I/O.
import { comparePaths } from '../../core/paths/path.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SyncSession } from '../cycle/session.ts';
import { workspacePath } from '../state/scoped-workspace.ts';
import { inSlices } from '../state/slices.ts';
import { generalProblems, listedReason, problem, retriedProblems, ruleFaults } from './listed-problems.ts';
import type { LoopView } from './loop-view.ts';
import { ProblemList } from './problem-list.ts';
import { localOnlyReason, type StateReason } from './reasons.ts';

export interface PathSummary {
  readonly problems: ProblemList;
  /** Local-only files of a one-way mirror. */
  readonly kept: number;
  /** Files whose names say that they hold secrets; `first` in the order of paths. */
  readonly secrets: { readonly count: number; readonly first: string | null };
}

const empty: PathSummary = { problems: new ProblemList(), kept: 0, secrets: { count: 0, first: null } };

/** While a cycle changes the paths all the time, a summary that took so long to build is used for ten times as long. */
const longBuildMs = 20;
const reuseFactor = 10;

export class PathSummaries {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #summary: PathSummary = empty;
  #session: SyncSession | null = null;
  /** In which it was begun. */
  #cycle: number | null = null;
  #sources: readonly unknown[] = [];
  #building: Promise<void> | null = null;
  #reusedUntilMs = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Of the present paths; in the middle of a cycle it may be an earlier one of the same cycle. */
  async of(loop: LoopView): Promise<PathSummary> {
    if (this.#isCurrent(loop) || this.#isReused(loop)) return this.#summary;
    // The one that is being built may have begun before the last change.
    await this.#building;
    if (!this.#isCurrent(loop)) {
      this.#building ??= this.#build(loop).finally(() => {
        this.#building = null;
      });
      await this.#building;
    }
    return this.#summary;
  }

  #isCurrent(loop: LoopView): boolean {
    const sources = sourcesOf(loop);
    return (
      sources.length === this.#sources.length && sources.every((each, index) => each === this.#sources[index])
    );
  }

  #isReused({ session }: LoopView): boolean {
    return (
      session !== null &&
      session === this.#session &&
      session.runningCycle !== null &&
      session.runningCycle === this.#cycle &&
      this.#clock.monotonicMs() < this.#reusedUntilMs
    );
  }

  async #build(loop: LoopView): Promise<void> {
    const sources = sourcesOf(loop);
    const { session } = loop;
    const cycle = session?.runningCycle ?? null;
    const begunMs = this.#clock.monotonicMs();
    const summary = await summaryOf(loop, this.#clock);
    const nowMs = this.#clock.monotonicMs();
    const tookMs = nowMs - begunMs;
    this.#reusedUntilMs = tookMs < longBuildMs ? 0 : nowMs + tookMs * reuseFactor;
    this.#sources = sources;
    this.#session = session;
    this.#cycle = cycle;
    this.#summary = summary;
  }
}

/** Equal sources give equal summaries. */
function sourcesOf({
  row,
  session,
  conflicts,
  failure,
  retryAtMs,
  watchTrouble,
  proof,
}: LoopView): readonly unknown[] {
  const { alarm, unreadable } = proof;
  const ofSession =
    session === null ? [] : [session.problemsVersion, session.trees.tracked, session.trees.secrets.size];
  return [
    ...[row.rootPath, session, conflicts, failure, retryAtMs, watchTrouble, alarm, unreadable],
    ...ofSession,
  ];
}

async function summaryOf(loop: LoopView, clock: Pick<Clock, 'monotonicMs'>): Promise<PathSummary> {
  const { row, session } = loop;
  const problems = new ProblemList();
  for (const each of generalProblems(loop)) problems.add(each);
  if (session === null) return { ...empty, problems };
  const inWorkspace = (path: string) => workspacePath(row.rootPath, path);
  for (const each of ruleFaults(session)) problems.add({ ...each, path: inWorkspace(each.path) });
  const retried = new Set<string>();
  for (const each of retriedProblems(session)) {
    retried.add(each.path);
    problems.add({ ...each, path: inWorkspace(each.path) });
  }
  const add = ({ kind, cause, next }: StateReason, path: string) =>
    problems.addLazily({ kind, path, next }, () => problem(kind, path, cause, next));
  let kept = 0;
  await session.unsyncable.prepare(clock);
  await inSlices(session.trees.differingPaths(), clock, (path) => {
    const reason = retried.has(path) ? null : listedReason(session, path);
    if (reason !== null) add(reason, inWorkspace(path));
    if (!session.isLocalOnly(path)) return;
    kept += 1;
    if (session.mode === 'to-folder') add(localOnlyReason, inWorkspace(path));
  });
  return { problems, kept, secrets: await secretsOf(session, clock) };
}

async function secretsOf(
  { trees, folderState }: SyncSession,
  clock: Pick<Clock, 'monotonicMs'>,
): Promise<PathSummary['secrets']> {
  let count = 0;
  let first: string | null = null;
  await inSlices(trees.secrets, clock, (path) => {
    if (folderState.ignores(path)) return;
    count += 1;
    if (first === null || comparePaths(path, first) < 0) first = path;
  });
  return { count, first };
}
