// One attempt at a proof: compares until no side changed meanwhile, and reports a difference only if it is between two full scans
// without a change. proof-meter.ts decides what follows.
import { type Clock, withTimeLimit } from '../../platform/clock.ts';
import type { SyncSession } from '../cycle/session.ts';
import { type ComparisonOptions, type Difference, type Proved, TreeComparison } from './compare-trees.ts';

/** A folder that is written all the time cannot be proved: a proof ends as inconclusive after this many looks. */
const looksMax = 5;
const settleMsMax = 30_000;

/** What an attempt asks of the loop that owns the mirror. */
export interface Provable {
  /** null: the mirror does not work. */
  readonly session: SyncSession | null;
  readonly isAtRest: boolean;
  /** Scans first; false when it does not come to rest before the signal. */
  waitUntilSynced(signal: AbortSignal): Promise<boolean>;
}

/** The state that was compared, with any result. */
export interface Looked {
  readonly session: SyncSession;
  readonly moves: number;
}

export type ProofAttemptResult =
  | { readonly kind: 'equal'; readonly looked: Looked; readonly proved: Proved; readonly atMs: number }
  | { readonly kind: 'not_equal'; readonly looked: Looked; readonly differences: readonly Difference[] }
  /** Files moved all the time, or the mirror is stopped. */
  | { readonly kind: 'inconclusive' };

export class ProofAttempt {
  readonly #clock: Clock;
  readonly #mirror: Provable;
  readonly #options: ComparisonOptions;

  constructor(clock: Clock, mirror: Provable, options: ComparisonOptions) {
    this.#clock = clock;
    this.#mirror = mirror;
    this.#options = options;
  }

  async make(): Promise<ProofAttemptResult> {
    const { signal, rehash } = this.#options;
    for (let looks = 0; looks < looksMax && !signal.aborted; looks += 1) {
      // A requested proof covers the current files, so it waits; an automatic one starts at rest.
      if (looks > 0 || rehash) await this.#settle();
      const session = this.#mirror.session;
      if (session === null || !this.#mirror.isAtRest) continue;
      try {
        const finding = await this.#look(session);
        if (finding !== null) return finding;
      } catch (error) {
        // A session that ended closed its folder in the middle of it.
        if (this.#mirror.session === session) throw error;
      }
    }
    return { kind: 'inconclusive' };
  }

  /** null: a file moved. */
  async #look(session: SyncSession): Promise<ProofAttemptResult | null> {
    const { moves } = session;
    const atMs = this.#clock.nowMs();
    const look = await (await TreeComparison.begin(session, this.#options)).look();
    if (look.kind === 'moved') return null;
    if (look.kind === 'equal')
      return { kind: 'equal', looked: { session, moves }, proved: look.proved, atMs };
    const differences = await this.#confirm(session, look.directories);
    if (differences === null || differences.length === 0) return null;
    return { kind: 'not_equal', looked: { session, moves: session.moves }, differences };
  }

  /**
   * A difference between two whole scans in which nothing moved is not a pending change: the mirror does not see it. Every
   * other difference is pending, and nothing follows from it. null: a file moved.
   */
  async #confirm(
    session: SyncSession,
    directories: readonly string[],
  ): Promise<readonly Difference[] | null> {
    if (!(await this.#settle()) || this.#mirror.session !== session) return null;
    const { moves } = session;
    const sources = await TreeComparison.begin(session, { ...this.#options, rehash: true });
    const differences = await sources.compare(directories);
    if (differences === null || differences.length === 0) return differences;
    if (!(await this.#settle()) || this.#mirror.session !== session) return null;
    return session.moves === moves ? differences : null;
  }

  #settle(): Promise<boolean> {
    return withTimeLimit(this.#clock, settleMsMax, this.#options.signal, (signal) =>
      this.#mirror.waitUntilSynced(signal),
    );
  }
}
