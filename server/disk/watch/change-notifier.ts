// Combines the sources of change hints of one folder: the watcher, its self-test, and the stall detector. When a hint may be lost,
// a full scan is requested (docs/sync-rules.md#6). It reads no file.
import type { watch } from 'chokidar';
import type { Clock } from '../../platform/clock.ts';
import { isBuiltInIgnored, privateFolderName, tempPrefix } from '../names/ignore.ts';
import { onFolder } from '../port/confined-file-system.ts';
import type { FolderListener, WatchState } from '../port/folder.ts';
import { hasOrderedEvents } from '../root/local-disk.ts';
import { touchMarker } from '../root/root.ts';
import type { NameHint } from '../scan/write-stability.ts';
import { SystemDirectoryWatches } from './directory-watches.ts';
import type { DirtySet } from './dirty-set.ts';
import { InotifyWatcher } from './inotify-watcher.ts';
import type { StallCause, ThreadStallDetector } from './stall-detector.ts';
import { SyncCookies } from './sync-cookie.ts';
import type { DirectoryWatches, WatchCoverage } from './watch-coverage.ts';
import { readWatchLimit, type WatchEvents, type Watcher } from './watcher.ts';
import { WatcherSelfTest } from './watcher-self-test.ts';

const privatePath = `/${privateFolderName}`;
/** An atomic save is two or three events within a millisecond; a longer wait would only delay it. */
const quietMs = 12;
const latestMs = 250;
/** Watches are not set anew while a burst of changes may continue. */
const quietAfterFloodMs = 30_000;

export interface ChangeNotifierOptions {
  readonly clock: Clock;
  /** Of the thread that this folder is in. */
  readonly stallDetector: ThreadStallDetector;
  /** What is hinted at is put down there. */
  readonly hinted: {
    readonly dirty: DirtySet;
    hint(directory: string, name: string | null, hint: NameHint): void;
    ignores(path: string): boolean;
    readonly coverage: WatchCoverage;
  };
  readonly listener: Pick<FolderListener, 'onHint' | 'onWatchState'>;
  /** Another than the system's, in tests. */
  readonly watchWith?: typeof watch;
}

export class ChangeNotifier {
  readonly #parts: ChangeNotifierOptions;
  readonly #pacer: HintThrottle;
  #watcher: Watcher | null = null;
  #check: WatcherSelfTest | null = null;
  #stopListening: (() => void) | null = null;
  #cookies: SyncCookies | null = null;
  #floodMs = Number.NEGATIVE_INFINITY;
  #starts = 0;

  constructor(parts: ChangeNotifierOptions) {
    this.#parts = parts;
    const { hinted, listener } = parts;
    this.#pacer = new HintThrottle(() => listener.onHint(hinted.dirty.isFull ? 'full' : 'dirty'));
  }

  async start(root: string): Promise<WatchState> {
    await this.stop();
    this.#starts += 1;
    const starts = this.#starts;
    const { hinted, stallDetector, listener, watchWith } = this.#parts;
    const isIgnored = (path: string) =>
      path !== privatePath &&
      (isBuiltInIgnored(path.slice(path.lastIndexOf('/') + 1)) || hinted.ignores(path));
    const events: WatchEvents = {
      onHint: (directory, name, kind) => this.#heard(directory, name, kind),
      onTrouble: (code, final) => {
        hinted.coverage.lost();
        this.#lookAtAll();
        if (!final) return;
        this.#check?.stop();
        listener.onWatchState('polling', { code, limit: readWatchLimit(code) });
      },
    };
    const watcher = await createWatcher(root, isIgnored, events, watchWith);
    if (this.#starts !== starts) return 'polling';
    this.#watcher = watcher;
    if (hasOrderedEvents(root))
      hinted.coverage.begin(watcher instanceof InotifyWatcher ? watcher : this.#directoryWatches(root));
    let isSet = false;
    this.#stopListening = stallDetector.listen({
      // Everything is scanned once the watches are set, but that does not find what a flood costs.
      onStall: (cause) => {
        if (isSet || cause === 'flood') this.#stalled(cause);
      },
      needsCloseLook: () => !hinted.coverage.isIntact,
    });
    const watching = await watcher.start();
    if (this.#starts !== starts) return 'polling';
    isSet = true;
    if (watching) {
      hinted.coverage.allSet();
      this.#startChecking(root);
    } else hinted.coverage.end();
    return watching ? 'events' : 'polling';
  }

  /** true: the hints of every change before the call have arrived (docs/sync-rules.md#25). */
  async barrier(): Promise<boolean> {
    const { hinted, stallDetector } = this.#parts;
    // What changed on a disk while the machine was asleep has no hint.
    stallDetector.look();
    const cookies = this.#cookies;
    if (cookies === null || this.#check?.isHealthy !== true || !hinted.coverage.isComplete) return false;
    if (!(await cookies.pass())) return false;
    // Whatever happened meanwhile counts: a flood, an error, another start.
    return this.#cookies === cookies && hinted.coverage.isComplete;
  }

  async stop(): Promise<void> {
    this.#starts += 1;
    this.#parts.hinted.coverage.end();
    this.#cookies?.stop();
    this.#cookies = null;
    this.#check?.stop();
    this.#check = null;
    this.#stopListening?.();
    this.#stopListening = null;
    this.#pacer.stop();
    await this.#watcher?.stop();
    this.#watcher = null;
  }

  hint(directory: string, name: string | null, kind: NameHint): void {
    // Nothing of it is mirrored: it is watched to prove that there are events.
    if (directory === privatePath) {
      this.#check?.heard();
      if (name !== null) this.#cookies?.heard(name);
      return;
    }
    this.#parts.hinted.hint(directory, name, kind);
    this.#pacer.hint(this.#parts.clock.monotonicMs());
  }

  #heard(directory: string, name: string | null, kind: NameHint): void {
    this.#parts.stallDetector.countEvent();
    // Four of the five events of a file that the mirror writes; the one of its final name says where to look.
    if (name?.startsWith(tempPrefix)) return;
    this.hint(directory, name, kind);
  }

  #directoryWatches(root: string): DirectoryWatches {
    return new SystemDirectoryWatches(root, {
      onHint: (directory, name, kind) => this.#heard(directory, name, kind),
      onFailure: () => {
        this.#parts.hinted.coverage.lost();
        this.#lookAtAll();
      },
    });
  }

  /** Touches the marker, which is there as long as the folder is the mirrored one. */
  #startChecking(root: string): void {
    const { clock, listener } = this.#parts;
    this.#cookies = new SyncCookies({ clock, root });
    this.#cookies.removeLeftovers();
    this.#check = new WatcherSelfTest({
      clock,
      touch: () => {
        onFolder(root, (fs) => touchMarker(fs, root));
        this.#renewLostWatches(root);
      },
      onMissed: (silent) => {
        // Two causes, one answer: whatever happened without a word is found by scans until all watches are set anew.
        this.#parts.hinted.coverage.lost();
        this.#lookAtAll();
        if (silent) listener.onWatchState('polling', { code: 'ESILENT', limit: null });
      },
      onHeardAgain: () => {
        this.#lookAtAll();
        listener.onWatchState('events', null);
      },
    });
    void this.#check.run();
  }

  #stalled(cause: StallCause): void {
    const { clock, hinted } = this.#parts;
    if (cause === 'flood') {
      this.#floodMs = clock.monotonicMs();
      hinted.coverage.lost();
    }
    // A busy thread has lost nothing as long as the kernel's queue has not overflowed, which would show as a flood.
    else if (cause === 'busy' && hinted.coverage.isIntact) return;
    this.#lookAtAll();
  }

  /** Once it is quiet, as setting the watches takes about as long as a scan. */
  #renewLostWatches(root: string): void {
    const { clock, hinted, listener } = this.#parts;
    if (hinted.coverage.isIntact || this.#check?.isHealthy !== true || !hasOrderedEvents(root)) return;
    if (clock.monotonicMs() - this.#floodMs < quietAfterFloodMs) return;
    this.start(root).then(
      (state) => {
        // What happened before the watches were set is found by the full scan that follows.
        if (state === 'events') listener.onWatchState('events', null);
      },
      () => this.#lookAtAll(),
    );
  }

  #lookAtAll(): void {
    this.#parts.hinted.dirty.markFull();
    this.#pacer.hint(this.#parts.clock.monotonicMs());
  }
}

/** chokidar is loaded where it is needed: its objects and its code are a tenth of the thread's memory. */
async function createWatcher(
  root: string,
  isIgnored: (path: string) => boolean,
  events: WatchEvents,
  watchWith: typeof watch | undefined,
): Promise<Watcher> {
  if (process.platform === 'linux' && watchWith === undefined)
    return new InotifyWatcher(root, isIgnored, events);
  const { ChokidarWatcher } = await import('./chokidar-watcher.ts');
  return new ChokidarWatcher(root, isIgnored, events, watchWith);
}

/** Coalesces hints: calls back once none came for a moment, at the latest after 250 ms (docs/sync-rules.md#4). */
export class HintThrottle {
  readonly #onHint: () => void;
  #timer: NodeJS.Timeout | null = null;
  #firstMs = 0;

  constructor(onHint: () => void) {
    this.#onHint = onHint;
  }

  hint(monotonicMs: number): void {
    if (this.#timer === null) this.#firstMs = monotonicMs;
    else clearTimeout(this.#timer);
    const delayMs = Math.max(0, Math.min(quietMs, this.#firstMs + latestMs - monotonicMs));
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#onHint();
    }, delayMs);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
