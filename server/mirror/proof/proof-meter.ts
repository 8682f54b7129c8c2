// Decides when proofs run (docs/sync-rules.md#24), keeps the last result, and raises the alarm when the trees differ without a
// listed problem. proof-attempt.ts makes one proof. It transfers nothing.
import type { ScanScope } from '../../disk/port/folder.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/observe/logger.ts';
import type { MirrorRow, ProofRow } from '../../store/port/store.ts';
import type { SyncSession } from '../cycle/session.ts';
import type { ProcessorShares } from '../state/processor-shares.ts';
import {
  type ComparisonOptions,
  type Difference,
  describeDifference,
  type Proved,
  type Unreadable,
} from './compare-trees.ts';
import { type Looked, ProofAttempt, type Provable } from './proof-attempt.ts';

/** Nothing has moved for so long before an automatic look. */
const quietMs = 2000;
/** Within an automatic look, to avoid a burst: a third of a processor. */
const paceShare = 2;
const rehashEveryMs = 24 * 3_600_000;
/** Everything was hashed by the first mirror, or trusted at the start when there is most to do: the pass is not for now. */
const firstRehashMs = 10 * 60_000;
/**
 * A scan of everything that finds nothing needs no new look while nothing has moved since the last one: three listings of 10,000
 * files twice a minute took more of the processor than everything else that an agent at rest does.
 */
const standsMs = 10 * 60_000;
/** Shorter rests would wake the process more often than they save. */
const rehashRestMsMin = 1000;
const pathsShownMax = 100;

/** What a look came to. */
export type ProofOutcome =
  | { readonly kind: 'equal'; readonly proved: Proved }
  | { readonly kind: 'not_equal'; readonly differences: readonly Difference[] }
  /** Files moved all the time, or the mirror is stopped. */
  | { readonly kind: 'inconclusive' };

export interface Alarm {
  readonly sinceMs: number;
  readonly count: number;
  /** The first of them. */
  readonly differences: readonly Difference[];
}

/** What was proved, and when. */
export type Proof = ProofRow;

/** Where the last proof outlives the agent. */
export interface ProofMemory {
  keep(proof: Proof): Promise<void>;
  last(): Promise<Proof | null>;
}

export interface ProofReading {
  readonly isRunning: boolean;
  /** A file moved since the last completed look. */
  readonly isDue: boolean;
  /** A file moved since the last proof, or another session began. */
  readonly hasMoved: boolean;
  readonly last: Proof | null;
  /** The last one of the agent's run before; null: there is a newer one, or never was one. */
  readonly before: Proof | null;
  readonly alarm: Alarm | null;
  /** Why it could not be proved: files that the disk does not show, though they look unchanged. */
  readonly unreadable: Unreadable;
  /** When the pass that hashes every file last came to its end. */
  readonly rehashedAtMs: number | null;
}

/** What the meter asks of the loop that owns it. */
export interface Proven extends Provable {
  readonly memory: ProofMemory;
  /** Everything is scanned and listed at once. */
  rescan(paths: readonly string[]): void;
}

/** When it looks automatically though nothing moved; for tests, which cannot wait. */
export interface ProofPace {
  /** From the start to the first pass that hashes every file. */
  readonly firstRehashMs: number;
  /** How long a proof is valid before a scan that found nothing leads to another. */
  readonly standsMs: number;
}

export interface ProofParts {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Rests of automatic looks and of the pass over all files. */
  readonly processorShares: ProcessorShares;
  readonly onProofAlarm?: () => void;
  readonly proofPace?: ProofPace;
}

export class ProofMeter {
  readonly #parts: ProofParts;
  readonly #pace: ProofPace;
  readonly #mirror: Proven;
  readonly #mirrorId: string;
  readonly #dir: string;
  readonly #ended = new AbortController();
  #wake = Promise.withResolvers<void>();
  #running: Promise<ProofOutcome> | null = null;
  #last: Proof | null = null;
  #before: Proof | null = null;
  #alarm: Alarm | null = null;
  #unreadable: Unreadable = [];
  #rehashedAtMs: number | null = null;
  /** The state that was compared last, with any result. */
  #looked: Looked | null = null;
  #isRescanned = false;
  #workMs = 0;
  #nextLookMonotonicMs = 0;
  #standsUntilMonotonicMs = 0;
  #nextRehashMonotonicMs: number;
  #done: Promise<void> = Promise.resolve();

  constructor(parts: ProofParts, { mirrorId, dir }: Pick<MirrorRow, 'mirrorId' | 'dir'>, mirror: Proven) {
    this.#parts = parts;
    this.#pace = parts.proofPace ?? { firstRehashMs, standsMs };
    this.#nextRehashMonotonicMs = parts.clock.monotonicMs() + this.#pace.firstRehashMs;
    this.#mirrorId = mirrorId;
    this.#dir = dir;
    this.#mirror = mirror;
  }

  read(): ProofReading {
    return {
      isRunning: this.#running !== null,
      isDue: this.#isDue(),
      hasMoved: this.#hasMoved(),
      last: this.#last,
      before: this.#before,
      alarm: this.#alarm,
      unreadable: this.#unreadable,
      rehashedAtMs: this.#rehashedAtMs,
    };
  }

  /** Reads what was proved before the agent's start: shown as that, and never a reason to look later. */
  async load(): Promise<void> {
    this.#before = await this.#mirror.memory.last();
  }

  /** What is mirrored from now on is another folder, or the workspace of a restored backup. */
  forget(): void {
    this.#before = null;
    this.#last = null;
  }

  /** Starts the automatic looks. */
  start(): void {
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    this.#wake.resolve();
    await this.#done;
    await this.#running?.catch(() => undefined);
  }

  /** Nothing is looked at until the next one: the other mirrors have its part of the processor. */
  sessionEnded(): void {
    const { proofs, rehash } = this.#parts.processorShares;
    proofs.leave(this.#mirrorId);
    rehash.leave(this.#mirrorId);
  }

  /** The mirror came to rest after a cycle. */
  rested(scope: ScanScope | null): void {
    if (scope === 'full') this.#isRescanned = true;
    this.#wake.resolve();
  }

  /** Hashes every file, as fast as it goes. One proof after the other: each covers the files at its own start. */
  async prove(signal: AbortSignal): Promise<ProofOutcome> {
    while (this.#running !== null) await this.#running.catch(() => undefined);
    return await this.#once({ rehash: true, signal, restMs: () => 0 });
  }

  // ---- automatic looks

  async #run(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        await this.#next(signal);
      } catch (error) {
        // The session ended under it, or the disk refused: the mirror reports why, and the next session gets a new look.
        if (!signal.aborted) this.#parts.logger.warn({ err: error, dir: this.#dir }, 'the proof broke off');
        await this.#parts.clock.delay(quietMs, signal);
      }
    }
  }

  async #next(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const session = this.#mirror.session;
    if (session === null || !this.#mirror.isAtRest || this.#running !== null) return await this.#sleep(null);
    if (this.#isDue() || (this.#isRescanned && !this.#stands())) {
      const moves = session.moves;
      await clock.delay(Math.max(quietMs, this.#nextLookMonotonicMs - clock.monotonicMs()), signal);
      if (this.#mirror.session !== session || session.moves !== moves || this.#running !== null) return;
      await this.#once({ rehash: false, signal, restMs: (workMs) => workMs * paceShare });
      return;
    }
    const nowMs = clock.monotonicMs();
    const restMs = this.#nextLookMonotonicMs - nowMs;
    // It has rested, and there is nothing to look at: others may look more often.
    if (restMs <= 0) this.#parts.processorShares.proofs.leave(this.#mirrorId);
    const waitMs = this.#nextRehashMonotonicMs - nowMs;
    if (waitMs > 0) return await this.#sleep(restMs <= 0 ? waitMs : Math.min(waitMs, restMs));
    await this.#rehashOn(session, signal);
  }

  /** A slice of the slow pass. What it suspects is checked like any difference. */
  async #rehashOn(session: SyncSession, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const slice = await session.context.folder.rehash();
    if (slice.suspects.length > 0) {
      this.#parts.logger.warn(
        { dir: this.#dir, paths: slice.suspects.length },
        'files hold other bytes than they did, and look unchanged: everything is proved anew',
      );
      await this.#once({ rehash: true, signal, restMs: (workMs) => workMs * paceShare });
    }
    const { rehash } = this.#parts.processorShares;
    const restMs = Math.max(rehashRestMsMin, rehash.restMs(this.#mirrorId, slice.tookMs));
    if (slice.ended) {
      this.#rehashedAtMs = clock.nowMs();
      rehash.leave(this.#mirrorId);
    }
    this.#nextRehashMonotonicMs = clock.monotonicMs() + (slice.ended ? rehashEveryMs : restMs);
  }

  /** Until the mirror rests after a cycle, or the time is over. */
  async #sleep(ms: number | null): Promise<void> {
    const wake = this.#wake;
    const timer = new AbortController();
    const signals = AbortSignal.any([this.#ended.signal, timer.signal]);
    await (ms === null ? wake.promise : Promise.race([this.#parts.clock.delay(ms, signals), wake.promise]));
    timer.abort();
    if (this.#wake === wake) this.#wake = Promise.withResolvers();
  }

  #isDue(): boolean {
    return this.#mirror.session !== null && this.#hasMoved();
  }

  /** A session that ended says to its last what moved in it. */
  #hasMoved(): boolean {
    const { session } = this.#mirror;
    const looked = this.#looked;
    return (
      looked === null ||
      looked.session.moves !== looked.moves ||
      (session !== null && session !== looked.session)
    );
  }

  /** An alarm never does: it ends as soon as a look finds nothing. */
  #stands(): boolean {
    return this.#alarm === null && this.#parts.clock.monotonicMs() < this.#standsUntilMonotonicMs;
  }

  // ---- one proof

  async #once(how: Omit<ComparisonOptions, 'worked' | 'unreadable'>): Promise<ProofOutcome> {
    this.#workMs = 0;
    const signal = AbortSignal.any([how.signal, this.#ended.signal]);
    const options: ComparisonOptions = {
      ...how,
      signal,
      unreadable: (paths) => {
        this.#unreadable = paths.slice(0, pathsShownMax);
      },
      worked: (ms) => {
        this.#workMs += ms;
      },
    };
    this.#running = this.#prove(options);
    try {
      return await this.#running;
    } finally {
      this.#running = null;
      // Its own scans are no reason to look again.
      this.#isRescanned = false;
      const nowMs = this.#parts.clock.monotonicMs();
      const { proofs } = this.#parts.processorShares;
      this.#nextLookMonotonicMs = nowMs + proofs.restMs(this.#mirrorId, this.#workMs);
      if (this.#mirror.session === null) proofs.leave(this.#mirrorId);
      this.#standsUntilMonotonicMs = nowMs + this.#pace.standsMs;
      this.#wake.resolve();
    }
  }

  async #prove(options: ComparisonOptions): Promise<ProofOutcome> {
    const finding = await new ProofAttempt(this.#parts.clock, this.#mirror, options).make();
    if (finding.kind === 'inconclusive') return finding;
    this.#looked = finding.looked;
    if (finding.kind === 'not_equal') return this.#raise(finding.differences);
    const { proved, atMs } = finding;
    await this.#noteProof({ ...proved, atMs });
    if (this.#alarm !== null) this.#parts.logger.info({ dir: this.#dir }, 'the mirror is proved equal again');
    this.#alarm = null;
    return { kind: 'equal', proved };
  }

  async #noteProof(proof: Proof): Promise<void> {
    this.#last = proof;
    this.#before = null;
    try {
      await this.#mirror.memory.keep(proof);
    } catch (error) {
      // It holds all the same, but only until the agent ends.
      this.#parts.logger.warn({ err: error, dir: this.#dir }, 'the proof could not be kept');
    }
  }

  #raise(differences: readonly Difference[]): ProofOutcome {
    const { clock, logger, onProofAlarm } = this.#parts;
    const isNew = this.#alarm === null;
    this.#alarm = {
      sinceMs: this.#alarm?.sinceMs ?? clock.nowMs(),
      count: differences.length,
      differences: differences.slice(0, pathsShownMax),
    };
    if (isNew) {
      onProofAlarm?.();
      logger.error(
        { dir: this.#dir, files: differences.length, first: differences.slice(0, 3).map(describeDifference) },
        'folder, workspace and base differ, and nothing listed explains it',
      );
      this.#mirror.rescan(
        differences.filter(({ folder, workspace }) => folder === workspace).map(({ path }) => path),
      );
    }
    return { kind: 'not_equal', differences };
  }
}
