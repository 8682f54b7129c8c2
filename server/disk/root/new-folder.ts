// What a person who chooses a folder is shown before it is mirrored: folders that complete a typed path, and what the folder contains.
// Reads names, sizes and ignore rules; follows no link. Every step is asynchronous and short, so the main thread stays free.
import { constants, type Dirent } from 'node:fs';
import { lstat, opendir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { joinPath } from '../../core/paths/path.ts';
import type { Clock } from '../../platform/clock.ts';
import { IgnoreRules, ignoreFileBytesMax, ignoreFileName } from '../names/ignore.ts';

/** Further folders are not proposed: the next letter narrows them down. */
const proposalsMax = 50;
/** Entries of a directory that are looked at for proposals. */
const proposalEntriesMax = 20_000;
/** Entries that the system is asked for at once: a directory of a million files must not fill the memory. */
const bufferSize = 128;
/** Files whose sizes are asked for at once. */
const sizesAtOnce = 32;
/** Neither through a link nor waiting for the writer of a pipe. Windows has neither flag. */
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface FolderCount {
  /** Files that would be synced, and their size. */
  readonly files: number;
  readonly bytes: number;
  /** Files beyond the size limit of mirrors. */
  readonly tooLarge: number;
  /** false: the count ended at its limit, or a directory cannot be read. */
  readonly isComplete: boolean;
}

export interface CountLimits {
  readonly fileBytesMax: number;
  /** Entries that are looked at. */
  readonly entriesMax: number;
  readonly timeMs: number;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** `~` and `~/…` are the user's home. null: not an absolute path. */
export function absoluteDir(typed: string, home: string): string | null {
  if (typed.includes('\0')) return null;
  const expanded = typed === '~' || /^~[\\/]/.test(typed) ? home + typed.slice(1) : typed;
  return path.isAbsolute(expanded) ? path.resolve(expanded) : null;
}

/** `other`: a file, for example. `missing`: also where it cannot be seen. */
export async function kindOfFolder(dir: string): Promise<'folder' | 'missing' | 'other'> {
  try {
    return (await stat(dir)).isDirectory() ? 'folder' : 'other';
  } catch {
    return 'missing';
  }
}

/** The folders whose path begins with the typed one, written as it was typed, in natural order. */
export async function proposedFolders(typed: string, home: string): Promise<readonly string[]> {
  if (typed === '~') return ['~/'];
  const end = Math.max(typed.lastIndexOf('/'), path.sep === '\\' ? typed.lastIndexOf('\\') : -1) + 1;
  const parent = absoluteDir(typed.slice(0, end), home);
  if (parent === null) return [];
  const begin = typed.slice(end);
  const names: string[] = [];
  let looked = 0;
  for await (const entry of entriesOf(parent)) {
    looked += 1;
    if (looked > proposalEntriesMax) break;
    if (entry.isDirectory() && beginsWith(entry.name, begin)) names.push(entry.name);
  }
  const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return names
    .sort(compare)
    .slice(0, proposalsMax)
    .map((name) => typed.slice(0, end) + name);
}

/** Hidden folders only when a dot is typed. */
function beginsWith(name: string, begin: string): boolean {
  if (name.startsWith('.') && !begin.startsWith('.')) return false;
  return name.toLowerCase().startsWith(begin.toLowerCase());
}

/** Counts what a mirror would sync, with the ignore rules of the folder. A missing folder is empty. Rejects with the signal's reason. */
export async function countFolder(
  dir: string,
  limits: CountLimits,
  signal: AbortSignal,
): Promise<FolderCount> {
  const count = new Count(dir, limits, signal);
  return await count.run();
}

class Count {
  readonly #dir: string;
  readonly #limits: CountLimits;
  readonly #signal: AbortSignal;
  readonly #rules = new IgnoreRules();
  readonly #waiting = ['/'];
  #looked = 0;
  #files = 0;
  #bytes = 0;
  #tooLarge = 0;
  #isComplete = true;

  constructor(dir: string, limits: CountLimits, signal: AbortSignal) {
    this.#dir = dir;
    this.#limits = limits;
    this.#signal = signal;
  }

  async run(): Promise<FolderCount> {
    const { entriesMax, timeMs, clock } = this.#limits;
    const untilMs = clock.monotonicMs() + timeMs;
    const isOver = (): boolean => this.#looked >= entriesMax || clock.monotonicMs() > untilMs;
    for (let at = this.#waiting.pop(); at !== undefined; at = this.#waiting.pop()) {
      await this.#readRules(at);
      await this.#countIn(at, isOver);
      if (isOver()) {
        this.#isComplete &&= this.#waiting.length === 0;
        break;
      }
    }
    return {
      files: this.#files,
      bytes: this.#bytes,
      tooLarge: this.#tooLarge,
      isComplete: this.#isComplete,
    };
  }

  async #countIn(at: string, isOver: () => boolean): Promise<void> {
    let files: string[] = [];
    const unreadable = (): void => {
      this.#isComplete = false;
    };
    for await (const entry of entriesOf(this.#dir + at, unreadable)) {
      this.#signal.throwIfAborted();
      this.#looked += 1;
      if (isOver()) {
        this.#isComplete = false;
        break;
      }
      const below = joinPath(at, entry.name);
      if (this.#rules.ignoresHere(below, entry.isDirectory())) continue;
      if (entry.isDirectory()) this.#waiting.push(below);
      else if (entry.isFile()) files.push(below);
      if (files.length < sizesAtOnce) continue;
      await this.#addSizes(files);
      files = [];
    }
    await this.#addSizes(files);
  }

  async #addSizes(files: readonly string[]): Promise<void> {
    const sizes = await Promise.all(files.map((file) => sizeOf(this.#dir + file)));
    for (const size of sizes) {
      if (size === null) continue;
      if (size > this.#limits.fileBytesMax) this.#tooLarge += 1;
      else {
        this.#files += 1;
        this.#bytes += size;
      }
    }
  }

  async #readRules(at: string): Promise<void> {
    this.#signal.throwIfAborted();
    const file = this.#dir + joinPath(at, ignoreFileName);
    const size = await sizeOf(file);
    if (size === null) return;
    if (size > ignoreFileBytesMax) this.#rules.setOversize(at);
    else this.#rules.set(at, await readFile(file, { encoding: 'utf8', flag: readFlags }).catch(() => null));
  }
}

/** null: no file, or it is gone. */
async function sizeOf(file: string): Promise<number | null> {
  try {
    const stats = await lstat(file);
    return stats.isFile() ? stats.size : null;
  } catch {
    return null;
  }
}

/** Nothing where the directory cannot be read. */
async function* entriesOf(directory: string, onUnreadable?: () => void): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(directory, { bufferSize });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onUnreadable?.();
  }
}
