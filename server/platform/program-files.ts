// Files that belong to the program and not to a user: its package.json, the built UI, the folder of its packages. The program runs from
// server/, from a bundle in dist/, or inside the packaged desktop app, so they are searched upwards from this file.
import { existsSync } from 'node:fs';
import path from 'node:path';

/** The absolute path of `relative` below the nearest folder upwards that has it; null: none has. */
export function programFile(relative: string): string | null {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    const file = path.join(folder, relative);
    if (existsSync(file)) return file;
    if (folder === path.dirname(folder)) return null;
  }
}
