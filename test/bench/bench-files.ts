// Many small files for a bench.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const filesPerDirectory = 100;
const directoriesPerTop = 100;
const fileBytes = 1024;

/** Relative path of the directory of file `n`. */
function directoryOfFile(n: number): string {
  const directory = Math.floor(n / filesPerDirectory);
  return path.join(`t${Math.floor(directory / directoriesPerTop)}`, `d${directory}`);
}

/** All directories of `makeFiles`, and the first file of each, relative to its folder. */
export function directoriesOf(
  count: number,
): readonly { readonly directory: string; readonly file: string }[] {
  return Array.from({ length: Math.ceil(count / filesPerDirectory) }, (_, k) => {
    const directory = directoryOfFile(k * filesPerDirectory);
    return { directory, file: path.join(directory, `file-${k * filesPerDirectory}.txt`) };
  });
}

/** `label`: begins each file, so that the contents differ from those of other labels. */
export function makeFiles(folder: string, count: number, label = ''): void {
  for (let n = 0; n < count; n += 1) {
    const parent = path.join(folder, directoryOfFile(n));
    if (n % filesPerDirectory === 0) mkdirSync(parent, { recursive: true });
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
