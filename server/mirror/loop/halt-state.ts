// The halt of one mirror: a state machine with one transition function, and the only writer of the stored halt cause. It decides
// neither when a mirror halts (mirror/guard does) nor what is deleted (docs/sync-rules.md#11).

import type { MirrorRow } from '../../store/port/store.ts';
import {
  type CycleHalt,
  countPending,
  type GuardVerdict,
  type HaltView,
  type PendingDeletion,
} from '../guard/deletion-guard.ts';
import { type HaltCause, isDeletionHalt, isHaltCause, type PendingCounts } from '../guard/halt-causes.ts';
import type { MirrorTrees } from '../state/trees.ts';

export type HaltPhase =
  | { readonly kind: 'running' }
  | {
      readonly kind: 'halted';
      readonly cause: HaltCause;
      readonly pendingDeletions: readonly PendingDeletion[];
    }
  | {
      readonly kind: 'restoring';
      /** A missing root interrupts a restore and becomes its cause. */
      readonly cause: HaltCause;
      /** Until the restore is applied. */
      readonly pendingDeletions: readonly PendingDeletion[];
      /** The missing files are removed from the base: the next plans write them into the folder. */
      readonly isApplied: boolean;
    };

export type HaltEvent =
  /** The next session checks its own plan, and repeats a restore that is not finished. */
  | { readonly kind: 'session_ended' }
  | {
      readonly kind: 'halted';
      readonly cause: HaltCause;
      readonly pendingDeletions: readonly PendingDeletion[];
    }
  /** A plan passed the guard. */
  | { readonly kind: 'plan_accepted' }
  /** A person resumes the mirror. */
  | { readonly kind: 'resumed' }
  | { readonly kind: 'restore_applied' }
  /** Both sides are in sync, or the mirror starts over with another root. */
  | { readonly kind: 'cleared' };

const running: HaltPhase = { kind: 'running' };
const noPending: readonly PendingDeletion[] = [];

export function nextHaltPhase(phase: HaltPhase, event: HaltEvent): HaltPhase {
  if (event.kind === 'cleared') return running;
  if (event.kind === 'halted') {
    const { cause, pendingDeletions } = event;
    const isInterrupted = phase.kind === 'restoring' && !phase.isApplied && !isDeletionHalt(cause);
    return isInterrupted ? { ...phase, cause } : { kind: 'halted', cause, pendingDeletions };
  }
  if (phase.kind === 'running') return phase;
  switch (event.kind) {
    case 'session_ended':
      return phase.kind === 'restoring'
        ? { ...phase, pendingDeletions: noPending, isApplied: false }
        : { ...phase, pendingDeletions: noPending };
    case 'plan_accepted':
      return { ...phase, pendingDeletions: noPending };
    case 'resumed':
      return isDeletionHalt(phase.cause)
        ? {
            kind: 'restoring',
            cause: phase.cause,
            pendingDeletions: phase.pendingDeletions,
            isApplied: false,
          }
        : phase;
    case 'restore_applied':
      return phase.kind === 'restoring' ? { ...phase, pendingDeletions: noPending, isApplied: true } : phase;
  }
}

/** Result of the answer to a halt. */
export type HaltResolution =
  | { readonly kind: 'done' }
  | { readonly kind: 'not_halted' }
  /** The number of missing or truncated files has changed. */
  | { readonly kind: 'changed'; readonly deletes: number };

export interface PendingFile extends PendingDeletion {
  readonly revision: number;
}

/** Where the halt cause is stored. */
export interface HaltRecord {
  readonly now: Pick<MirrorRow, 'haltedCause'>;
  update(patch: Partial<MirrorRow>): Promise<void>;
}

export class HaltState implements HaltView, CycleHalt {
  readonly #record: HaltRecord;
  #phase: HaltPhase;
  #pendingCounts: PendingCounts = countPending(noPending);

  constructor(record: HaltRecord) {
    this.#record = record;
    const cause = record.now.haltedCause;
    this.#phase =
      cause === null || !isHaltCause(cause)
        ? running
        : { kind: 'halted', cause, pendingDeletions: noPending };
  }

  /** Until both sides are in sync again, also while missing files are restored. */
  get cause(): HaltCause | null {
    return this.#phase.kind === 'running' ? null : this.#phase.cause;
  }
  get guardCause(): HaltCause | null {
    const phase = this.#phase;
    return phase.kind === 'restoring' && phase.isApplied ? null : this.cause;
  }
  get isRestoreDue(): boolean {
    return this.#phase.kind === 'restoring' && !this.#phase.isApplied;
  }
  get pendingDeletions(): readonly PendingDeletion[] {
    return this.#phase.kind === 'running' ? noPending : this.#phase.pendingDeletions;
  }
  get pendingCounts(): PendingCounts {
    return this.#pendingCounts;
  }

  /** A page of the pending deletions, in the order of paths. */
  listPending(trees: MirrorTrees, after: string, limit: number): readonly PendingFile[] {
    const page = this.pendingDeletions.filter(({ path }) => path > after).slice(0, limit);
    return page.flatMap((pending) => {
      const file = trees.workspaceAt(pending.path);
      return file === null ? [] : [{ ...pending, revision: file.revision }];
    });
  }

  /** Whether a person may confirm so many deletions: as many as were shown. */
  checkConfirmation(deletes: number): HaltResolution {
    if (this.#phase.kind !== 'halted' || !isDeletionHalt(this.#phase.cause)) return { kind: 'not_halted' };
    const pending = this.pendingDeletions.length;
    return pending === deletes ? { kind: 'done' } : { kind: 'changed', deletes: pending };
  }

  get isDeletionHalt(): boolean {
    return isDeletionHalt(this.cause);
  }

  restoreApplied(): void {
    this.#enter({ kind: 'restore_applied' });
  }
  planAccepted(): void {
    this.#enter({ kind: 'plan_accepted' });
  }
  sessionEnded(): void {
    this.#enter({ kind: 'session_ended' });
  }
  resumed(): void {
    this.#enter({ kind: 'resumed' });
  }

  /** Returns whether the cause is another one than before. */
  async halt({ cause, pendingDeletions }: GuardVerdict & { readonly cause: HaltCause }): Promise<boolean> {
    this.#enter({ kind: 'halted', cause, pendingDeletions });
    return await this.#store({});
  }

  /** `patch`: columns to store in the same update. */
  async clear(patch: Partial<MirrorRow> = {}): Promise<void> {
    this.#enter({ kind: 'cleared' });
    await this.#store(patch);
  }

  #enter(event: HaltEvent): void {
    this.#phase = nextHaltPhase(this.#phase, event);
    this.#pendingCounts = countPending(this.pendingDeletions);
  }

  async #store(patch: Partial<MirrorRow>): Promise<boolean> {
    const { cause } = this;
    const hasChanged = this.#record.now.haltedCause !== cause;
    if (hasChanged || Object.keys(patch).length > 0)
      await this.#record.update({ ...patch, haltedCause: cause });
    return hasChanged;
  }
}
