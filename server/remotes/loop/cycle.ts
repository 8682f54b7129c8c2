// Decides on all marked paths and carries the decisions out, slice by slice, until none is left that can be decided now.
import { ancestorsOf, comparePaths } from '../../core/paths/path.ts';
import { sortInSteps } from '../../core/paths/steps.ts';
import { reconcile } from '../../core/sync/reconcile.ts';
import { stepsInSlices, TimeSlices } from '../../platform/event-loop.ts';
import { agree, changedMetadata } from '../actions/agree.ts';
import { keepBoth } from '../actions/keep-both.ts';
import { learnMetadata, pathsToLearn } from '../actions/learn-metadata.ts';
import { receive } from '../actions/receive.ts';
import { send, sendMetadata } from '../actions/send.ts';
import { massDeletionFilesMin, slicePathsMax } from '../limits.ts';
import type { RemoteContext } from '../state/context.ts';
import { loadSlice, type Slice } from '../state/slice.ts';
import { type DeletionGuard, type Halt, type PendingDeletions, pendingDeletions } from './deletion-guard.ts';
import { readUnknown } from './remote-changes.ts';

/** Between two looks at the time. */
const pathsBetweenLooks = 1_024;

/** A person's answer to a halt, for the next plan. */
export type HaltAnswer = 'delete' | 'restore';

export type CycleResult =
  /** `waiting`: paths whose next attempt is not due yet. */
  { readonly kind: 'done' } | { readonly kind: 'halted'; readonly halt: Halt };

export async function runCycle(
  context: RemoteContext,
  guard: DeletionGuard,
  answer: HaltAnswer | null,
): Promise<CycleResult> {
  const { dirty, blocked, problems, signal } = context;
  // What they wait for may be among the marked paths.
  for (const path of blocked) dirty.add(path);
  blocked.clear();
  const urgent = await relatedProblems(context);
  for (const path of urgent) dirty.add(path);
  const files = await context.store.remotes.countBase(context.row.remoteId);
  if (answer !== 'delete' && files > 0 && (guard.asksForEach || mayDeleteMany(context))) {
    const paths = await decidable(context);
    await readUnknown(context, paths);
    const pending = await pendingDeletions(context, paths);
    const halt = guard.check(pending, files);
    if (halt !== null) {
      if (answer === null) return { kind: 'halted', halt };
      await forgetDeleted(context, pending);
    }
  }
  if (answer !== null) guard.answered();
  // In passes: the order of 100,000 paths is found once, not once for each slice. What is marked meanwhile is in the next pass.
  for (
    let pass = await decidable(context);
    pass.length > 0 && !signal.aborted;
    pass = await decidable(context)
  ) {
    for (let start = 0; start < pass.length && !signal.aborted; start += slicePathsMax) {
      const slice = pass.slice(start, start + slicePathsMax);
      const paths = slice.filter((path) => !context.transfers.has(path) && dirty.delete(path));
      const due = paths.filter((path) => urgent.has(path) || !problems.waits(path));
      if (due.length > 0) await syncSlice(context, guard, due);
    }
  }
  return { kind: 'done' };
}

async function syncSlice(
  context: RemoteContext,
  guard: DeletionGuard,
  paths: readonly string[],
): Promise<void> {
  try {
    await readUnknown(context, paths);
    const slice = await loadSlice(context, paths);
    const plan = reconcile(slice.trees);
    const relabelled = new Set(changedMetadata(slice, paths));
    await agree(
      context,
      slice,
      plan.toBase.filter(({ path }) => !relabelled.has(path)),
    );
    // An event or a list of a server that took its place deletes nothing.
    if (plan.toLocal.some(({ kind }) => kind === 'remove')) await context.confirm();
    guard.note('here', plan.toLocal.filter(({ kind }) => kind === 'remove').length);
    await receive(context, slice, plan.toLocal);
    await keepBoth(context, slice, plan.conflicts);
    guard.note('there', plan.toWorkspace.flat().filter(({ kind }) => kind === 'delete').length);
    const learned = new Set(pathsToLearn(slice, plan.toWorkspace));
    await learnMetadata(context, slice, [...learned]);
    const sendable = plan.toWorkspace.filter((group) => !group.some(({ path }) => learned.has(path)));
    await send(context, slice, sendable);
    const decided = new Set(
      [...plan.toBase, ...plan.toLocal, ...plan.toWorkspace.flat(), ...plan.conflicts].map(
        ({ path }) => path,
      ),
    );
    const quiet = paths.filter((path) => !decided.has(path));
    await sendMetadata(context, slice, [...relabelled]);
    for (const path of quiet) settleQuiet(context, slice, path);
  } catch (error) {
    // Whatever was not done is decided on again after the next connection.
    for (const path of paths) context.dirty.add(path);
    throw error;
  }
}

/** Paths with a problem that are above or below marked ones: a file where the other side has a directory is decided on with what is in it. */
async function relatedProblems({ dirty, problems }: RemoteContext): Promise<ReadonlySet<string>> {
  const related = new Set<string>();
  if (problems.size === 0) return related;
  const above = new Set<string>();
  const slices = new TimeSlices();
  let count = 0;
  for (const path of dirty) {
    for (const ancestor of ancestorsOf(path)) above.add(ancestor);
    count += 1;
    if (count % pathsBetweenLooks === 0) await slices.next();
  }
  for (const { path } of problems.list())
    if (above.has(path) || ancestorsOf(path).some((ancestor) => dirty.has(ancestor))) related.add(path);
  return related;
}

/** Nothing is planned for the path: both sides are equal there, or it waits for another path, as a file does for its directory. */
function settleQuiet({ problems, differences, blocked }: RemoteContext, slice: Slice, path: string): void {
  const [local, remote, base] = [slice.localAt(path), slice.remoteAt(path), slice.baseAt(path)];
  const isEqual = local?.hash === remote?.hash && local?.hash === base?.hash;
  if (!isEqual) {
    blocked.add(path);
    return;
  }
  problems.solve(path);
  // All three have nothing there.
  if (local === null && remote === null) differences.forget(path);
}

/** A bound that costs nothing: deletions are among the marked paths. */
function mayDeleteMany({ dirty }: RemoteContext): boolean {
  return dirty.size >= massDeletionFilesMin / 2;
}

/** The side that lost the files gets them back: without a base, a file of one side is new. */
async function forgetDeleted(context: RemoteContext, { here, there }: PendingDeletions): Promise<void> {
  const { store, row, dirty, differences } = context;
  const removals = [...here, ...there];
  const base = await store.remotes.baseOf(row.remoteId, there);
  // What the base said of the other server is remembered beside it.
  for (const { path, hash, remoteRevision } of base)
    if (!differences.has(path))
      differences.set(path, { path, revision: remoteRevision, hash, metadata: 'unknown' }, remoteRevision);
  await store.remotes.saveBase({ remoteId: row.remoteId, upserts: [], removals, answered: [] });
  for (const path of removals) dirty.add(path);
}

/** What is being transferred is decided on when that has ended. */
async function decidable({ dirty, transfers, clock }: RemoteContext): Promise<readonly string[]> {
  const paths = [...dirty].filter((path) => !transfers.has(path));
  return await stepsInSlices(sortInSteps(paths, comparePaths), clock);
}
