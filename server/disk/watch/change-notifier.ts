// Combines the sources of change hints of one folder: the watcher, its self-test, and the stall detector. When a hint may be lost,
// a full scan is requested (docs/sync-rules.md#6). It reads no file.
import type { watch } from 'chokidar';
import type { Clock } from '../../platform/clock.ts';
import { isBuiltInIgnored, privateFolderName } from '../names/ignore.ts';
import { onFolder } from '../port/confined-file-system.ts';
import type { FolderListener, WatchState } from '../port/folder.ts';
import { touchMarker } from '../root/root.ts';
import type { NameHint } from '../scan/write-stability.ts';
import type { DirtySet } from './dirty-set.ts';
import type { ThreadStallDetector } from './stall-detector.ts';
import { readWatchLimit, Watcher } from './watcher.ts';
import { WatcherSelfTest } from './watcher-self-test.ts';

const privatePath = `/${privateFolderName}`;
/** An atomic save is two or three events within a millisecond; a longer wait would only delay it. */
const quietMs = 12;
const latestMs = 250;

export interface ChangeNotifierOptions {
  readonly clock: Clock;
  /** Of the thread that this folder is in. */
  readonly stallDetector: ThreadStallDetector;
  /** What is hinted at is put down there. */
  readonly hinted: {
    readonly dirty: DirtySet;
    hint(directory: string, name: string | null, hint: NameHint): void;
    ignores(path: string): boolean;
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

  constructor(parts: ChangeNotifierOptions) {
    this.#parts = parts;
    const { hinted, listener } = parts;
    this.#pacer = new HintThrottle(() => listener.onHint(hinted.dirty.isFull ? 'full' : 'dirty'));
  }

  async start(root: string): Promise<WatchState> {
    await this.stop();
    const { hinted, stallDetector, listener, watchWith } = this.#parts;
    const isIgnored = (path: string) =>
      path !== privatePath &&
      (isBuiltInIgnored(path.slice(path.lastIndexOf('/') + 1)) || hinted.ignores(path));
    this.#watcher = new Watcher(
      root,
      isIgnored,
      {
        onHint: (directory, name, kind) => this.hint(directory, name, kind),
        onTrouble: (code, final) => {
          this.#lookAtAll();
          if (!final) return;
          this.#check?.stop();
          listener.onWatchState('polling', { code, limit: readWatchLimit(code) });
        },
      },
      watchWith,
    );
    const watching = await this.#watcher.start();
    this.#stopListening = stallDetector.listen(() => this.#lookAtAll());
    if (watching) this.#startChecking(root);
    return watching ? 'events' : 'polling';
  }

  async stop(): Promise<void> {
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
      return;
    }
    this.#parts.hinted.hint(directory, name, kind);
    this.#pacer.hint(this.#parts.clock.monotonicMs());
  }

  /** Touches the marker, which is there as long as the folder is the mirrored one. */
  #startChecking(root: string): void {
    const { clock, listener } = this.#parts;
    this.#check = new WatcherSelfTest({
      clock,
      touch: () => onFolder(root, (fs) => touchMarker(fs, root)),
      onMissed: (silent) => {
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

  #lookAtAll(): void {
    this.#parts.hinted.dirty.markFull();
    this.#pacer.hint(this.#parts.clock.monotonicMs());
  }
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
