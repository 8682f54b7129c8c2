// Many small files for a bench.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { removeBenchFolder } from './bench-agent.ts';

const filesPerFolder = 100;
const fileBytes = 1024;

export function makeFiles(folder: string, count: number): void {
  for (let n = 0; n < count; n += 1) {
    const parent = path.join(folder, `d${Math.floor(n / filesPerFolder)}`);
    if (n % filesPerFolder === 0) mkdirSync(parent, { recursive: true });
    writeFileSync(path.join(parent, `file-${n}.txt`), `${n}\n`.padEnd(fileBytes, 'x'));
  }
}

/** Seconds of `cp -a`; the copy is removed. */
export function copyTimed(from: string, to: string): number {
  const start = performance.now();
  execFileSync('cp', ['-a', from, to]);
  const seconds = (performance.now() - start) / 1000;
  removeBenchFolder(to);
  return seconds;
}
