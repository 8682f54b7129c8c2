// Folders that others mirror above or below one that is to be mirrored: two agents of which one carries what the other one writes
// would work on each other's files (sync-engine rule 19). It only looks.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { FileSystem } from './file-system.ts';
import { isBuiltInIgnored, privateFolderName } from './ignore.ts';
import { type RootOwner, readOwner } from './root.ts';

/** A folder with more directories than this is looked through no further: the mirror must begin at some time. */
const directoriesMax = 20_000;

export interface OwnedRoot {
  readonly root: string;
  readonly owner: RootOwner;
}

/** `isOther`: a living owner, and not the one who asks. null: none. */
export function ownedAbove(
  fs: FileSystem,
  root: string,
  isOther: (owner: RootOwner) => boolean,
): OwnedRoot | null {
  for (let at = path.dirname(root); ; at = path.dirname(at)) {
    const owner = readOwner(fs, at);
    if (owner !== null && isOther(owner)) return { root: at, owner };
    if (path.dirname(at) === at) return null;
  }
}

/** The same below it, where a mirror would look. */
export async function ownedBelow(
  fs: FileSystem,
  root: string,
  isOther: (owner: RootOwner) => boolean,
): Promise<OwnedRoot | null> {
  const waiting = [root];
  for (let looked = 0; looked < directoriesMax; looked += 1) {
    const at = waiting.pop();
    if (at === undefined) return null;
    const names = await directoriesIn(at);
    if (at !== root && names.includes(privateFolderName)) {
      const owner = readOwner(fs, at);
      if (owner !== null && isOther(owner)) return { root: at, owner };
    }
    waiting.push(...names.filter((name) => !isBuiltInIgnored(name)).map((name) => path.join(at, name)));
  }
  return null;
}

async function directoriesIn(directory: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    // Out of reach: the scan lists it.
    return [];
  }
}
