// The barrier on the real disk with the real watcher: after it, every change made before the call is reported, or listed as not at
// rest. The order of events across directories, on which it depends, is shown with thousands of changes, directories that are moved
// and made again among them.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ScanResult, ScanScope } from '../../../server/disk/port/folder.ts';
import { nodeFileSystem } from '../../../server/disk/port/node-file-system.ts';
import { hasOrderedEvents } from '../../../server/disk/root/local-disk.ts';
import { writeMarker } from '../../../server/disk/root/root.ts';
import { WorkerFolder } from '../../../server/disk/worker/worker-folder.ts';
import { scaled } from '../../support/scale.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

vi.setConfig({ testTimeout: 300_000 });

/** What the mirror knows of the folder by its scans. */
class Known {
  readonly root = tempFolder('mooring-barrier');
  readonly folder: WorkerFolder;
  readonly #hashes = new Map<string, string>();

  constructor() {
    writeMarker(nodeFileSystem, this.root, 'marker');
    this.folder = new WorkerFolder({
      onHint: () => undefined,
      onWatchState: () => undefined,
      onFailure: (error) => {
        throw error;
      },
    });
    onTestFinished(() => this.folder.close());
  }

  async begin(beforeWatch: () => void = () => undefined): Promise<void> {
    await this.folder.open({ root: this.root, known: [], fileBytesMax: 1024 * 1024 });
    this.#note(await this.folder.scan('full'));
    beforeWatch();
    this.#note(await this.folder.scan('full'));
    expect(await this.folder.watch()).toBe('events');
    this.#note(await this.folder.scan('full'));
    await waitFor('a barrier without a full scan', async () => !(await this.barrier()).isFull);
  }

  barrier(): Promise<ScanResult> {
    return this.scan('barrier');
  }

  async scan(scope: ScanScope): Promise<ScanResult> {
    const result = await this.folder.scan(scope);
    this.#note(result);
    return result;
  }

  /** Paths whose state is not known though nothing says that they are in motion. */
  missed({ unsettled }: ScanResult): readonly string[] {
    const moving = new Set(unsettled);
    const isMoving = (file: string) =>
      moving.has(file) || [...moving].some((each) => file.startsWith(`${each}/`));
    const real = new Map(filesIn(this.root, ''));
    return [...new Set([...real.keys(), ...this.#hashes.keys()])].filter(
      (file) => real.get(file) !== this.#hashes.get(file) && !isMoving(file),
    );
  }

  at(file: string): string {
    return path.join(this.root, file);
  }

  #note({ changes }: ScanResult): void {
    for (const { path: file, entry } of changes) {
      if (entry?.kind === 'file') this.#hashes.set(file, entry.hash);
      else this.#hashes.delete(file);
    }
  }
}

function filesIn(root: string, directory: string): readonly (readonly [string, string])[] {
  return readdirSync(root + directory, { withFileTypes: true }).flatMap((entry) => {
    const file = `${directory}/${entry.name}`;
    if (entry.name === '.mooring' || entry.name.startsWith('.t')) return [];
    if (entry.isDirectory()) return filesIn(root, file);
    return [
      [
        file,
        createHash('sha256')
          .update(readFileSync(root + file))
          .digest('hex'),
      ] as const,
    ];
  });
}

/** The same numbers each time (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** One change somewhere below the root, as programs and people make them. */
function changeSomething(known: Known, below: (n: number) => number, content: string): void {
  const directory = () => known.at(['a', 'b', 'a/x', 'b/y', 'a/x/deep', 'c'][below(6)] as string);
  const target = directory();
  switch (below(12)) {
    case 0:
      rmSync(target, { recursive: true, force: true });
      mkdirSync(target, { recursive: true });
      writeFileSync(path.join(target, 'again'), content);
      return;
    case 1: {
      const to = directory();
      if (!existsSync(target) || existsSync(to) || `${to}/`.startsWith(`${target}/`)) return;
      if (!existsSync(path.dirname(to))) return;
      renameSync(target, to);
      writeFileSync(path.join(to, 'moved'), content);
      return;
    }
    case 2:
      rmSync(target, { recursive: true, force: true });
      return;
    case 3:
    case 4:
    case 5: {
      mkdirSync(target, { recursive: true });
      writeFileSync(path.join(target, '.t.swp'), content);
      renameSync(path.join(target, '.t.swp'), path.join(target, `f${below(5)}`));
      return;
    }
    case 6:
      rmSync(path.join(target, `f${below(5)}`), { force: true });
      return;
    default:
      mkdirSync(target, { recursive: true });
      writeFileSync(path.join(target, `f${below(5)}`), content);
  }
}

describe.runIf(hasOrderedEvents(process.env.TMPDIR ?? '/tmp'))('a barrier of a watched folder', () => {
  it('covers every earlier change, whatever was done to directories, mostly without a full scan', async () => {
    const known = new Known();
    await known.begin();
    const rounds = scaled(150, 400);
    const below = randomOf(1);
    let barriers = 0;
    let full = 0;
    for (let round = 0; round < rounds; round += 1) {
      for (let n = below(8); n >= 0; n -= 1) changeSomething(known, below, `${round} ${n}`);
      const result = await known.barrier();
      barriers += 1;
      if (result.isFull) full += 1;
      expect(known.missed(result), `round ${round}`).toEqual([]);
    }
    expect(full / barriers).toBeLessThan(0.5);
  });

  it('covers writes to many directories at once, in the order of the kernel', async () => {
    const known = new Known();
    for (let n = 0; n < 200; n += 1) {
      mkdirSync(known.at(`d${n}`), { recursive: true });
      writeFileSync(known.at(`d${n}/f`), 'first');
    }
    await known.begin();
    const rounds = scaled(40, 100);
    const below = randomOf(2);
    for (let round = 0; round < rounds; round += 1) {
      for (let n = 0; n < 50; n += 1) writeFileSync(known.at(`d${below(200)}/f`), `${round} ${n}`);
      const result = await known.barrier();
      expect(known.missed(result), `round ${round}`).toEqual([]);
    }
  });

  it('covers a directory that was ignored when the watches were set', async () => {
    const known = new Known();
    mkdirSync(known.at('d'));
    writeFileSync(known.at('d/f'), 'first');
    await known.begin(() => writeFileSync(known.at('.mooringignore'), 'd/\n'));
    rmSync(known.at('.mooringignore'));
    await waitFor('the last rescan', async () => (await known.scan('dirty')).recheckInMs === null);
    writeFileSync(known.at('d/f'), 'second');
    expect(known.missed(await known.barrier())).toEqual([]);
  });

  it('covers a change made before the watches were set', async () => {
    const known = new Known();
    mkdirSync(known.at('d'));
    await known.folder.open({ root: known.root, known: [], fileBytesMax: 1024 });
    await known.scan('full');
    writeFileSync(known.at('d/f'), 'no watch reports it');
    expect(await known.folder.watch()).toBe('events');
    // Its event comes after that of the watcher's first check: the barrier is in use.
    writeFileSync(known.at('g'), 'an event reports it');
    await waitFor('the event', async () =>
      [...(await known.scan('dirty')).changes].some(({ path: at }) => at === '/g'),
    );
    expect(known.missed(await known.barrier())).toEqual([]);
  });

  it('leaves no file behind, and scans everything where the watcher is not trusted', async () => {
    const known = new Known();
    await known.folder.open({ root: known.root, known: [], fileBytesMax: 1024 });
    expect((await known.barrier()).isFull, 'before the watches are set').toBe(true);
    writeFileSync(known.at('.mooring/cookie-left-by-a-kill'), '');
    await known.begin();
    await known.barrier();
    expect(readdirSync(known.at('.mooring')).filter((name) => name.startsWith('cookie-'))).toEqual([]);
    rmSync(known.at('.mooring'), { recursive: true });
    expect((await known.barrier()).isFull, 'without a private folder').toBe(true);
  });
});

it('only disks of this machine have events in order, and only on Linux', () => {
  expect(hasOrderedEvents('/proc', 'linux')).toBe(false);
  expect(hasOrderedEvents('/tmp', 'darwin')).toBe(false);
  expect(hasOrderedEvents('/does/not/exist', 'linux')).toBe(false);
});
