// Folders and their contents as data: made from a seed, read back, compared byte by byte.
import { createHash } from 'node:crypto';
import { type Dirent, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';

/** Path (with `/`, without a leading one) to SHA-256 of the content. */
export type TreeHashes = ReadonlyMap<string, string>;

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export interface EntryBelow {
  readonly entry: Dirent;
  readonly at: string;
  /** With `/`, without a leading one. */
  readonly name: string;
}

/** All that is in a folder, the mirror's private folder left out. It follows no link, as `readdir` with `recursive` does. */
export function* entriesBelow(dir: string, prefix = ''): Generator<EntryBelow> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const [at, name] = [path.join(dir, entry.name), `${prefix}${entry.name}`];
    if (name === '.mooring') continue;
    yield { entry, at, name };
    if (entry.isDirectory()) yield* entriesBelow(at, `${name}/`);
  }
}

/** Every file below a folder, the mirror's private folder left out. */
export function hashFolder(dir: string): TreeHashes {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((file) => !file.startsWith('.mooring/'))
    .sort();
  return new Map(entries.map((file) => [file, sha256(readFileSync(path.join(dir, file)))]));
}

/** The files of a gzipped tar. Throws when a name stands in it twice or anything but a file does. */
export async function hashTar(gzipped: Uint8Array): Promise<TreeHashes> {
  const hashes = new Map<string, string>();
  const unpack = extract();
  const done = new Promise<void>((resolve, reject) => {
    unpack.on('entry', (header, stream, next) => {
      const hash = createHash('sha256');
      if (header.type !== 'file') return next(new Error(`${header.name} is a ${header.type}`));
      stream.on('data', (part) => hash.update(part as Uint8Array));
      stream.on('end', () => {
        if (hashes.has(header.name)) return next(new Error(`${header.name} stands twice in the tar`));
        hashes.set(header.name, hash.digest('hex'));
        next();
      });
    });
    unpack.on('finish', resolve);
    unpack.on('error', reject);
  });
  unpack.end(gunzipSync(gzipped));
  await done;
  return new Map([...hashes].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Empty when both hold the same; else the first differences, for a message. */
export function differences(expected: TreeHashes, actual: TreeHashes, most = 10): readonly string[] {
  const lines: string[] = [];
  for (const [file, hash] of expected) {
    if (!actual.has(file)) lines.push(`missing: ${file}`);
    else if (actual.get(file) !== hash) lines.push(`other content: ${file}`);
  }
  for (const file of actual.keys()) if (!expected.has(file)) lines.push(`unexpected: ${file}`);
  return lines.length > most ? [...lines.slice(0, most), `and ${lines.length - most} more`] : lines;
}

export function putFile(dir: string, file: string, content: string | Uint8Array): void {
  const target = path.join(dir, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, content);
}

export function removeFile(dir: string, file: string): void {
  rmSync(path.join(dir, file));
}

export interface SeededRandom {
  /** A whole number from 0 to below. */
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
  bytes(length: number): Uint8Array;
}

/** mulberry32: small, and the same on every machine. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number) => next() % limit;
  return {
    below,
    pick<T>(from: readonly T[]): T {
      if (from.length === 0) throw new Error('there is nothing to pick from');
      return from[below(from.length)] as T;
    },
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
  };
}

/** The seed of this run: a new one each time, printed by the caller; MOORING_TEST_SEED repeats one. */
export function runSeed(): number {
  return Number(process.env.MOORING_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
}
