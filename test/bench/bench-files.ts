// Many small files for a bench.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const filesPerFolder = 100;
const fileBytes = 1024;

/** `label`: begins each file, so that the contents differ from those of other labels. */
export function makeFiles(folder: string, count: number, label = ''): void {
  for (let n = 0; n < count; n += 1) {
    const parent = path.join(folder, `d${Math.floor(n / filesPerFolder)}`);
    if (n % filesPerFolder === 0) mkdirSync(parent, { recursive: true });
    writeFileSync(path.join(parent, `file-${n}.txt`), `${label}${n}\n`.padEnd(fileBytes, 'x'));
  }
}

/**
 * Seconds of `cp -a`. The copy stays until the bench ends: after a large removal some file systems need up to three seconds more
 * for the next 10,000 new files (ext4 without a journal does not use an inode again at once, and looks at each), which would be
 * measured as ours.
 */
export function copyTimed(from: string, to: string): number {
  const start = performance.now();
  execFileSync('cp', ['-a', from, to]);
  return (performance.now() - start) / 1000;
}
