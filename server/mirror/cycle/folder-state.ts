// State of the folder after its last scan: whether the root is the mirrored one, unsettled paths, ignore rules, and when the next
// scan is due. It plans nothing and changes no file of a user.

import { IgnoreRules, type RuleFault } from '../../disk/names/ignore.ts';
import type {
  Folder,
  FolderChanges,
  IgnoreFile,
  ScanProgress,
  ScanResult,
  ScanScope,
} from '../../disk/port/folder.ts';
import type { Clock } from '../../platform/clock.ts';
import type { MirrorRow } from '../../store/port/store.ts';
import { checkRoot, type HaltCause } from '../guard/halt-causes.ts';
import { decideIgnored, setInSlices } from '../state/slices.ts';
import type { ProgressMeter } from './progress.ts';

/** The last scan of everything. */
export interface FullScan {
  readonly startedAtMs: number;
  readonly startedMonotonicMs: number;
  readonly durationMs: number;
  readonly cpuMs: number;
}

/** A marker that is gone is made anew when it has been missing for so long and nothing else is in motion. */
const markAgainMs = 2000;

export interface FolderStateDeps {
  readonly folder: Folder;
  readonly clock: Pick<Clock, 'monotonicMs' | 'nowMs'>;
  readonly progress: ProgressMeter;
  /** Paths that are asked about all the time: new rules are compared with them before they apply. */
  readonly candidates: () => Iterable<string>;
}

export class FolderState {
  readonly #parts: FolderStateDeps;
  readonly #row: MirrorRow;
  readonly #firstScan = Promise.withResolvers<void>();
  #ignore = new IgnoreRules();
  #unsettled: ReadonlySet<string> = new Set();
  #undurable: ReadonlySet<string> = new Set();
  #durableAgainAtMs: number | null = null;
  #arriving = 0;
  #version = 0;
  #lastFullScan: FullScan | null = null;
  #isWatched = false;
  /** When the disk's side wants to look again at what was not at rest; a cycle without a scan does not change that. */
  #recheckAtMs: number | null = null;
  #unmarked = false;
  #unmarkedSinceMs: number | null = null;
  #scanning = false;

  constructor(parts: FolderStateDeps, row: MirrorRow) {
    this.#parts = parts;
    this.#row = row;
  }

  /** Resolves when the folder was scanned for the first time. */
  get firstScan(): Promise<void> {
    return this.#firstScan.promise;
  }
  /** Paths that are in motion: they are planned when they are at rest. */
  get unsettled(): ReadonlySet<string> {
    return this.#unsettled;
  }
  /** How many of them exist as a file. */
  get appearing(): number {
    return this.#arriving;
  }
  /** Paths that were brought here and that the disk refuses to make durable. */
  get undurable(): ReadonlySet<string> {
    return this.#undurable;
  }
  /** Grows when what is in motion, not durable or ignored may be another one now. */
  get version(): number {
    return this.#version;
  }
  /** When the disk is asked again to make them durable, which each scan does; null: none is waited for. */
  get durableAgainAtMs(): number | null {
    return this.#durableAgainAtMs;
  }
  /** null: the folder was not scanned as a whole yet. */
  get lastFullScan(): FullScan | null {
    return this.#lastFullScan;
  }
  /** The watcher reports every change, as far as is known. */
  get isWatched(): boolean {
    return this.#isWatched;
  }
  get unmarked(): boolean {
    return this.#unmarked;
  }
  get recheckInMs(): number | null {
    return this.#recheckAtMs === null
      ? null
      : Math.max(0, this.#recheckAtMs - this.#parts.clock.monotonicMs());
  }

  /** The rules that hold now, by directory. */
  get ignoreFiles(): readonly IgnoreFile[] {
    return this.#ignore.files();
  }

  ignores(path: string, isDirectory = false): boolean {
    return this.#ignore.ignores(path, isDirectory);
  }

  /** Rule files that are not applied. */
  get ruleFaults(): readonly RuleFault[] {
    return this.#ignore.faults();
  }

  ruleFaultAbove(path: string): RuleFault | null {
    return this.#ignore.faultAbove(path);
  }

  /** Compares the rules with many paths, in slices; asking about one of them is quick afterwards. */
  async decide(paths: Iterable<string>): Promise<void> {
    await decideIgnored(this.#ignore, paths, this.#parts.clock);
  }

  /** The folder's side reports the progress of its running scan. */
  scanned(progress: ScanProgress): void {
    if (this.#scanning) this.#parts.progress.scanned(progress);
  }

  /** What changed, or why nothing is known of that. */
  async scan(
    scope: ScanScope,
  ): Promise<{ readonly halt: HaltCause | null; readonly changes: FolderChanges }> {
    const { clock } = this.#parts;
    const started = { startedAtMs: clock.nowMs(), startedMonotonicMs: clock.monotonicMs() };
    const result = await this.#scanFolder(scope);
    this.#isWatched = result.isWatched;
    const root = checkRoot(result.root, this.#row);
    if (root !== 'same' && root !== 'unmarked') return { halt: root, changes: [] };
    this.#unmarked = root === 'unmarked';
    if (result.isFull) {
      const { durationMs, cpuMs } = result;
      this.#lastFullScan = { ...started, durationMs, cpuMs };
    }
    const rules = result.ignoreFiles === null ? null : IgnoreRules.from(result.ignoreFiles);
    if (rules !== null) await decideIgnored(rules, this.#parts.candidates(), clock);
    const unsettled = await setInSlices(result.unsettled, clock);
    const undurable = await setInSlices(result.undurable, clock);
    const moving = result.unsettled.length + result.undurable.length;
    if (rules !== null || moving + this.#unsettled.size + this.#undurable.size > 0) this.#version += 1;
    if (rules !== null) this.#ignore = rules;
    this.#unsettled = unsettled;
    this.#undurable = undurable;
    this.#arriving = result.arriving;
    this.#recheckAtMs =
      result.recheckInMs === null ? null : this.#parts.clock.monotonicMs() + result.recheckInMs;
    this.#durableAgainAtMs =
      result.recheckInMs === null || result.undurable.length === 0
        ? null
        : this.#parts.clock.nowMs() + result.recheckInMs;
    return { halt: null, changes: result.changes };
  }

  /** A folder that is being deleted loses its marker, too: a new one must not stand in the way of that. */
  async markAgain(): Promise<void> {
    if (!this.#unmarked) {
      this.#unmarkedSinceMs = null;
      return;
    }
    const nowMs = this.#parts.clock.monotonicMs();
    this.#unmarkedSinceMs ??= nowMs;
    const dueMs = this.#unmarkedSinceMs + markAgainMs;
    if (dueMs > nowMs || this.#unsettled.size > 0) {
      this.#recheckAtMs = Math.min(this.#recheckAtMs ?? Number.POSITIVE_INFINITY, Math.max(dueMs, nowMs + 1));
      return;
    }
    await this.#parts.folder.mark(this.#row.markerId);
    this.#unmarked = false;
    this.#unmarkedSinceMs = null;
  }

  async #scanFolder(scope: ScanScope): Promise<ScanResult> {
    this.#scanning = true;
    try {
      return await this.#parts.folder.scan(scope);
    } finally {
      this.#firstScan.resolve();
      this.#scanning = false;
      this.#parts.progress.end();
    }
  }
}
