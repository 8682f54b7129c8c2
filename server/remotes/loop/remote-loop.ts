// Keeps one workspace equal to a workspace of another server: connects, learns what changed on both sides, plans, applies, and waits.
// One loop for each remote; whatever fails ends the connection, and the next one begins from what is stored.

import type { RemoteRow } from '../../store/port/store.ts';
import { repeatSent } from '../actions/send.ts';
import type { RemoteServer } from '../client/remote-server.ts';
import type { RemoteContext, RemoteDeps } from '../state/context.ts';
import { Knowledge } from '../state/knowledge.ts';
import { OpenConflicts } from '../state/open-conflicts.ts';
import type { PathProblems } from '../state/path-problems.ts';
import type { RemoteProgress } from '../state/progress.ts';
import { AgreedRevisions, RemoteResetError } from './agreed-revisions.ts';
import { AgreedStores } from './agreed-stores.ts';
import { type HaltAnswer, runCycle } from './cycle.ts';
import { DeletionGuard, type Halt } from './deletion-guard.ts';
import { DueWork } from './due-work.ts';
import { LocalChanges } from './local-changes.ts';
import { listRemote } from './remote-changes.ts';
import { ConnectionFailures, isFailure, type RemoteState } from './remote-state.ts';
import { type PauseParts, pauseAfter } from './retry-pause.ts';
import { ServerFeed } from './server-feed.ts';
import { SettleRequests } from './settle-requests.ts';
import { StoredRow } from './stored-row.ts';
import { Wake } from './wake.ts';

export interface RemoteLoopDeps extends RemoteDeps {
  readonly serverOf: (row: RemoteRow) => RemoteServer;
  /** Another text after each change of the token's file. */
  readonly tokenState: (row: RemoteRow) => Promise<string>;
  /** 0 to 1, for the jitter of pauses. */
  readonly random: () => number;
}

export class RemoteLoop {
  readonly #deps: RemoteLoopDeps;
  readonly #row: StoredRow;
  readonly #knowledge: Knowledge;
  readonly #guard: DeletionGuard;
  readonly #local = new LocalChanges();
  readonly #conflicts = new OpenConflicts();
  readonly #failures: ConnectionFailures;
  readonly #settles = new SettleRequests();
  readonly #wake: Wake;
  readonly #feed: ServerFeed;
  readonly #agreed: AgreedStores;
  readonly #due: DueWork;
  readonly #pause: PauseParts;
  readonly #stopping = new AbortController();
  #connection = new AbortController();
  #state: RemoteState = { kind: 'connecting' };
  #kind: 'mooring' | 'other' | null = null;
  #halt: Halt | null = null;
  #answer: HaltAnswer | null = null;
  #syncedAtMs: number | null;
  /** true: an attempt to connect was requested since the last one began. */
  #isAsked = false;
  #running: Promise<void> | null = null;

  constructor(deps: RemoteLoopDeps, row: RemoteRow, guard: DeletionGuard = new DeletionGuard(deps.clock)) {
    this.#deps = deps;
    this.#row = new StoredRow(deps.store.remotes, row);
    this.#syncedAtMs = row.lastSyncAtMs;
    this.#wake = new Wake(deps.clock);
    this.#knowledge = new Knowledge(deps, row, () => this.#wake.set());
    this.#guard = guard;
    this.#failures = new ConnectionFailures(deps);
    this.#feed = new ServerFeed(row.cursor, this.#wake);
    const known = { row: this.#row, knowledge: this.#knowledge, feed: this.#feed };
    this.#agreed = new AgreedStores({ ...known, store: deps.store, local: this.#local });
    this.#due = new DueWork({ ...known, clock: deps.clock });
    this.#pause = {
      ...{ clock: deps.clock, wake: this.#wake },
      tokenState: () => deps.tokenState(this.row),
      countLocal: () => this.#countLocal(),
      isEnded: () => this.#isAsked || this.#row.isHeld,
    };
  }

  get row(): RemoteRow {
    return this.#row.value;
  }

  get state(): RemoteState {
    if (this.row.paused) return { kind: 'paused' };
    if (this.row.haltedCause !== null) return { kind: 'halted' };
    return this.#state;
  }

  get kind(): 'mooring' | 'other' | null {
    return this.#kind;
  }

  get halt(): Halt | null {
    return this.#halt;
  }

  get problems(): PathProblems {
    return this.#knowledge.problems;
  }

  /** null: it neither lists nor syncs. */
  get progress(): RemoteProgress | null {
    const { state } = this;
    const { progress } = this.#knowledge;
    if (state.kind === 'listing') return { ...progress.read(null), done: state.files };
    const { local, remote } = this.pending;
    return state.kind === 'syncing' ? progress.read(local + remote) : null;
  }

  /** When both sides were equal last; null: not yet. */
  get lastSyncAtMs(): number | null {
    return this.#syncedAtMs;
  }

  /** Paths that wait to be decided on: changed here, and changed there. */
  get pending(): { readonly local: number; readonly remote: number } {
    return this.#knowledge.pending;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#connection.abort();
    this.#wake.set();
    await this.#running;
    this.#settles.giveUp();
  }

  /** The local workspace may have changed. */
  hint(): void {
    this.#wake.set();
  }

  /** Connects now instead of at the next attempt. */
  tryNow(): void {
    this.#failures.forgetAttempts();
    this.#isAsked = true;
    this.#wake.set();
  }

  async pause(): Promise<void> {
    await this.#row.update({ paused: true });
    this.#connection.abort();
    this.#wake.set();
  }

  /** Continues. `answer`: what becomes of the deletions for which it halted; null: halts again if they are still pending. */
  async resume(answer: HaltAnswer | null): Promise<void> {
    this.#answer = answer;
    this.#halt = null;
    await this.#row.update({ paused: false, haltedCause: null });
    this.tryNow();
  }

  /** true: everything that was changed on either side before the call is synced. false: it is paused, halted or refused, or time is up. */
  async waitUntilSynced(signal: AbortSignal): Promise<boolean> {
    const settled = this.#settles.add(signal);
    this.#isAsked = true;
    this.#wake.set();
    return await settled;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      if (this.#row.isHeld) {
        this.#settles.giveUp();
        await this.#wake.wait(null, signal);
        continue;
      }
      this.#connection = new AbortController();
      this.#isAsked = false;
      try {
        await this.#connected(AbortSignal.any([signal, this.#connection.signal]));
      } catch (error) {
        if (!signal.aborted && !this.#connection.signal.aborted) this.#failed(error);
      } finally {
        await this.#disconnect();
      }
      await this.#due.saveCursor(this.#syncedAtMs);
      if (isFailure(this.#state)) await pauseAfter(this.#state, this.#pause, signal);
    }
  }

  /** For the status. A failure of the store is reported by the next connection, which needs the same. */
  async #countLocal(): Promise<number> {
    const context = this.#knowledge.localContext(this.row, this.#stopping.signal);
    await this.#local.mark(context).catch(() => undefined);
    return this.#knowledge.dirty.size;
  }

  async #connected(signal: AbortSignal): Promise<void> {
    this.#feed.begin();
    await this.#agreed.checkLocal();
    const server = this.#deps.serverOf(this.row);
    this.#kind = await server.identify(signal);
    await this.#agreed.checkServer(server.epoch);
    this.#state = { kind: 'connecting' };
    const confirm = (of: RemoteContext) => this.#feed.confirm(of);
    const context = this.#knowledge.context(this.row, server, this.#kind, confirm, signal);
    await this.#agreed.checkFeed(context, this.#failures.offlineMs);
    try {
      await repeatSent(context);
      await this.#follow(context);
    } catch (error) {
      if (!(error instanceof RemoteResetError)) throw error;
      await this.#disconnect();
      this.#deps.logger.warn(
        { remoteId: this.row.remoteId, url: this.row.url, reason: error.message },
        'the server of a remote was set back: both sides are compared as at the first contact',
      );
      await this.#agreed.forgetBase();
    }
  }

  async #disconnect(): Promise<void> {
    this.#connection.abort();
    await this.#knowledge.transfers.end();
  }

  async #follow(context: RemoteContext): Promise<void> {
    const { server, signal } = context;
    let isWatching = false;
    while (!signal.aborted) {
      this.#feed.throwIfEnded();
      await this.#knowledge.transfers.conclude();
      if (this.#feed.mustList || this.#due.isListDue) {
        await this.#list(context);
        isWatching = false;
      }
      if (!isWatching) {
        this.#feed.watch(server, signal);
        isWatching = true;
      }
      await this.#feed.take(context);
      // The answer is about deletions that the feed may still hold, as after a restart.
      if (this.#answer !== null && !(await this.#feed.catchUp(context))) continue;
      await this.#local.mark(context);
      await this.#markSettles(context);
      for (const path of this.#knowledge.problems.due()) this.#knowledge.dirty.add(path);
      if (this.#knowledge.hasDue) {
        if (this.#state.kind !== 'syncing') this.#knowledge.progress.restart();
        this.#state = { kind: 'syncing' };
        const result = await runCycle(context, this.#guard, this.#answer);
        if (result.kind === 'halted') return await this.#halted(result.halt);
      }
      this.#answer = null;
      if (!this.#feed.hasArrived && this.#knowledge.isQuiet) {
        await this.#conflicts.dropEnded(context, this.#local.position);
        await this.#settled();
      }
      await this.#wake.wait(this.#due.inMs, signal);
    }
  }

  /** Asks the feed itself, so that nothing before the requests is missed. */
  async #markSettles(context: RemoteContext): Promise<void> {
    if (!this.#settles.areUnmarked) return;
    const mark = this.#settles.unmarked();
    if (!(await this.#feed.catchUp(context))) return;
    await this.#local.mark(context);
    mark();
  }

  async #list(context: RemoteContext): Promise<void> {
    this.#state = { kind: 'listing', files: 0 };
    // Before the list, so that a change during it has its event.
    const tip = await context.server.tip(context.signal);
    const agreed = await AgreedRevisions.at(context, this.#feed.cursor);
    const listed = await listRemote(context, agreed, (files) => {
      this.#state = { kind: 'listing', files };
    });
    // What a server lists that took the place of the known one is no news of that one.
    await context.confirm();
    this.#guard.noteList(listed, await context.store.remotes.countBase(this.row.remoteId));
    this.#feed.listed(tip?.cursor ?? null);
    this.#agreed.listed();
    await this.#row.update({ listedAtMs: this.#deps.clock.nowMs() });
  }

  async #settled(): Promise<void> {
    this.#state = { kind: 'idle' };
    this.#failures.connected();
    this.#syncedAtMs = this.#deps.clock.nowMs();
    if (!this.row.established) await this.#row.update({ established: true, lastSyncAtMs: this.#syncedAtMs });
    await this.#due.saveMovingCursor(this.#syncedAtMs);
    if (this.#settles.areMarked) await this.#due.saveCursor(this.#syncedAtMs);
    this.#settles.finish(!this.#hasUnsent());
    await this.#dropParts();
  }

  /** Parts of versions that were replaced before all of them had arrived. */
  async #dropParts(): Promise<void> {
    const { transfers, problems } = this.#knowledge;
    if (!transfers.mayLeaveParts || problems.size > 0) return;
    await this.#deps.parts.dropAll(this.row.remoteId);
    transfers.mayLeaveParts = false;
  }

  /** Problems of paths are listed; those that are being tried again soon are not settled. */
  #hasUnsent(): boolean {
    for (const { kind } of this.#knowledge.problems.list())
      if (kind === 'conflicting' || kind === 'read_failed') return true;
    return false;
  }

  async #halted(halt: Halt): Promise<void> {
    const haltedCause = `${halt.side} ${halt.deletions} ${halt.files}`;
    await this.#row.halt(haltedCause);
    this.#halt = halt;
    this.#settles.giveUp();
  }

  #failed(error: unknown): void {
    const { remoteId, url } = this.row;
    this.#state = this.#failures.failed(error, { remoteId, url });
    if (this.#state.kind !== 'offline') this.#settles.giveUp();
  }
}
