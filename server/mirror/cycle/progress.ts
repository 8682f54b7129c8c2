// Measures the progress of the first scan and of applying a plan, on the injected clock. It decides nothing.
import {
  type Amount,
  type Pace,
  paceOf,
  type Reading,
  timeLeftMs,
  withReading,
} from '../../core/sync/pace.ts';
import type { Conflict, LocalAction, Plan, WorkspaceAction } from '../../core/sync/plan.ts';
import type { ScanProgress } from '../../disk/port/folder.ts';
import type { Clock } from '../../platform/clock.ts';
import type { MirrorTrees } from '../state/trees.ts';

export interface Progress {
  /** Reading the folder, or carrying out what was planned. */
  readonly phase: 'scanning' | 'syncing';
  readonly done: Amount;
  /** null: not all of it has been found yet. */
  readonly total: Amount | null;
  /** null: not measured long enough. */
  readonly pace: Pace | null;
  /** null: not known. */
  readonly leftMs: number | null;
}

interface Work {
  readonly phase: Progress['phase'];
  readonly total: Amount | null;
  readonly done: Amount;
}

const nothing: Amount = { files: 0, bytes: 0 };

export class ProgressMeter {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #work: Work | null = null;
  #readings: readonly Reading[] = [];
  /** Bytes of large files that are across while the rest of them is not. */
  readonly #carried = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** null: nothing that takes long is going on. */
  read(): Progress | null {
    if (this.#work === null) return null;
    const { phase, total } = this.#work;
    const done = this.#withCarried(this.#work.done);
    const pace = paceOf(this.#readings, this.#reading(done));
    const leftMs = total === null ? null : timeLeftMs(pace, difference(total, done));
    return { phase, done, total, pace, leftMs };
  }

  /** What the folder's side has read so far. */
  scanned({ done, total }: ScanProgress): void {
    if (this.#work?.phase === 'syncing') return;
    if (this.#work === null) this.#readings = [this.#reading(nothing)];
    this.#set({ phase: 'scanning', total, done });
  }

  /** `left`: of the plan, or what is left of one that did not end. */
  beginPlan(left: Amount): void {
    if (left.files === 0) return;
    if (this.#work?.phase === 'syncing') {
      const { done } = this.#work;
      this.#set({
        ...this.#work,
        total: { files: done.files + left.files, bytes: done.bytes + left.bytes },
      });
      return;
    }
    this.#readings = [];
    this.#carried.clear();
    this.#set({ phase: 'syncing', total: left, done: nothing });
  }

  /** One step of the plan is done. */
  stepDone(path: string, bytes: number): void {
    if (this.#work === null) return;
    const { done } = this.#work;
    this.#carried.delete(path);
    this.#set({ ...this.#work, done: { files: done.files + 1, bytes: done.bytes + bytes } });
  }

  /** So many bytes of a file are across, and the others on their way; 0: it is given up for now. */
  carried(path: string, bytes: number): void {
    if (this.#work === null) return;
    if (bytes === 0) this.#carried.delete(path);
    else this.#carried.set(path, bytes);
    this.#set(this.#work);
  }

  end(): void {
    this.#carried.clear();
    this.#work = null;
  }

  #set(work: Work): void {
    this.#work = work;
    this.#readings = withReading(this.#readings, this.#reading(this.#withCarried(work.done)));
  }

  #withCarried({ files, bytes }: Amount): Amount {
    return { files, bytes: [...this.#carried.values()].reduce((sum, carried) => sum + carried, bytes) };
  }

  #reading({ files, bytes }: Amount): Reading {
    return { atMs: this.#clock.monotonicMs(), files, bytes };
  }
}

/** What a plan carries: its steps, and the bytes of those that bring content. In steps of its own: each reads a file of the trees. */
export function* amountOf(plan: Plan, trees: MirrorTrees): Generator<void, Amount> {
  let bytes = 0;
  for (const group of plan.toWorkspace) {
    yield;
    for (const action of group) bytes += bytesUp(action, trees);
  }
  for (const steps of [plan.toLocal, plan.conflicts]) {
    for (const step of steps) {
      yield;
      bytes += bytesDown(step, trees);
    }
  }
  for (const { path } of plan.conflictCopies) bytes += localBytes(path, trees);
  return { files: stepsOf(plan), bytes };
}

export function stepsOf({ toWorkspace, toLocal, conflicts, conflictCopies }: Plan): number {
  const upward = toWorkspace.reduce((sum, group) => sum + group.length, 0);
  return upward + toLocal.length + conflicts.length + conflictCopies.length;
}

function bytesUp(action: WorkspaceAction, trees: MirrorTrees): number {
  return action.kind === 'write' ? localBytes(action.path, trees) : 0;
}

function bytesDown(step: LocalAction | Conflict, trees: MirrorTrees): number {
  const brings = 'what' in step ? step.what === 'file' && step.workspaceHash !== null : step.kind === 'put';
  return brings ? (trees.workspaceAt(step.path)?.sizeBytes ?? 0) : 0;
}

function localBytes(path: string, trees: MirrorTrees): number {
  const entry = trees.localAt(path);
  return entry?.kind === 'file' ? entry.sizeBytes : 0;
}

function difference(left: Amount, right: Amount): Amount {
  return { files: left.files - right.files, bytes: left.bytes - right.bytes };
}
