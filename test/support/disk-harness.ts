// The disk's engine on a real folder with a clock that the test moves: what a scan reports, without waiting.
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SyncedFile } from '../../server/core/change/change.ts';
import { confinedFileSystem } from '../../server/disk/port/confined-file-system.ts';
import type { FileSystem } from '../../server/disk/port/file-system.ts';
import type { FolderFile, ScanProgress, ScanResult } from '../../server/disk/port/folder.ts';
import { packFiles } from '../../server/disk/tree/packed-files.ts';
import { FolderEngine } from '../../server/disk/worker/engine.ts';
import { sha256Hex } from '../../server/platform/crypto/hashes.ts';
import { tempFolder } from './temp-folder.ts';

export class DiskHarness {
  readonly root = tempFolder('mooring-disk');
  readonly engine: FolderEngine;
  /**
   * Ahead of the begin of the test by this much. Only `pass` moves the clock, and `write` to its moment at the least: what is to be
   * seen too early is too early on a loaded machine, too, and what is to be seen after a pause is.
   */
  aheadMs = 0;
  readonly #begun = { nowMs: Date.now(), monotonicMs: performance.now() };

  constructor(fs?: FileSystem, onScanProgress?: (progress: ScanProgress) => void) {
    this.engine = new FolderEngine({
      fileSystemAt: (folder) => fs ?? confinedFileSystem(folder),
      time: {
        nowMs: () => this.#begun.nowMs + this.aheadMs,
        monotonicMs: () => this.#begun.monotonicMs + this.aheadMs,
      },
      breathe: () => new Promise((resolve) => setImmediate(resolve)),
      isWindows: false,
      ...(onScanProgress === undefined ? {} : { onScanProgress }),
    });
  }

  async open(known: readonly SyncedFile[] = []): Promise<void> {
    await this.engine.open({ root: this.root, known: [packFiles(known)], fileBytesMax: 1024 });
  }

  at(file: string): string {
    return path.join(this.root, file);
  }

  write(file: string, content: string): void {
    mkdirSync(path.dirname(this.at(file)), { recursive: true });
    writeFileSync(this.at(file), content);
    const isSetBack = this.aheadMs < 0;
    const writtenMs = statSync(this.at(file)).ctimeMs - this.#begun.nowMs;
    if (!isSetBack) this.aheadMs = Math.max(this.aheadMs, writtenMs);
  }

  pass(ms: number): void {
    this.aheadMs += ms;
  }

  /** `path=content's first letters of the hash` as text, in the order of names. */
  async scan(scope: 'full' | 'dirty' = 'full'): Promise<readonly string[]> {
    return describeChanges(await this.engine.scan(scope));
  }

  /** Everything at rest and trusted. */
  async settled(): Promise<readonly string[]> {
    this.pass(10_000);
    return await this.scan();
  }

  /** What the engine knows of a file, as an operation expects it. */
  async file(name: string): Promise<FolderFile> {
    this.pass(10_000);
    const fresh = new FolderEngine({
      fileSystemAt: (folder) => confinedFileSystem(folder),
      time: { nowMs: () => Date.now() + this.aheadMs, monotonicMs: () => performance.now() },
      breathe: () => Promise.resolve(),
      isWindows: false,
    });
    await fresh.open({ root: this.root, known: [], fileBytesMax: 1024 });
    const entry = [...(await fresh.scan('full')).changes].find((change) => change.path === name)?.entry;
    if (entry?.kind !== 'file') throw new Error(`${name} is no file`);
    return entry;
  }
}

function describeChanges(result: ScanResult): readonly string[] {
  return [...result.changes]
    .map(({ path: name, entry }) => {
      if (entry === null) return `${name} gone`;
      if (entry.kind === 'file') return `${name} ${entry.hash.slice(0, 6)}`;
      return entry.kind === 'blocked' ? `${name} ${entry.reason}` : `${name} directory`;
    })
    .sort();
}

export function hashOf(content: string): string {
  return sha256Hex(content).slice(0, 6);
}
