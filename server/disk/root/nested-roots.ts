// Finds mirrored folders of other agents above or below a folder: two agents would sync each other's writes
// (docs/sync-rules.md#19). Reads only.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { joinPath } from '../../core/paths/path.ts';
import { isBuiltInIgnored, privateFolderName } from '../names/ignore.ts';
import { onFolder } from '../port/confined-file-system.ts';
import { DirectoryHandles } from '../port/directory-handles.ts';
import { type RootOwner, readOwner } from './root-lock.ts';

/** A folder with more directories than this is looked through no further: the mirror must begin at some time. */
const directoriesMax = 20_000;

export interface OwnedRoot {
  readonly root: string;
  readonly owner: RootOwner;
}

/** Is it a living owner of that root, and not the one who asks? */
export type IsOther = (owner: RootOwner, root: string) => Promise<boolean>;

/** null: none. */
export async function ownedAbove(root: string, isOther: IsOther): Promise<OwnedRoot | null> {
  for (let at = path.dirname(root); ; at = path.dirname(at)) {
    const owner = onFolder(at, (fs) => readOwner(fs, at));
    if (owner !== null && (await isOther(owner, at))) return { root: at, owner };
    if (path.dirname(at) === at) return null;
  }
}

/** The same below it, where a mirror would look. */
export async function ownedBelow(root: string, isOther: IsOther): Promise<OwnedRoot | null> {
  const directories = new DirectoryHandles(root);
  try {
    const waiting = ['/'];
    for (let looked = 0; looked < directoriesMax; looked += 1) {
      const at = waiting.pop();
      if (at === undefined) return null;
      const names = await directoriesIn(directories, at);
      if (at !== '/' && names.includes(privateFolderName)) {
        const owner = onFolder(root, (fs) => readOwner(fs, root + at));
        const below = path.join(root, at);
        if (owner !== null && (await isOther(owner, below))) return { root: below, owner };
      }
      waiting.push(...names.filter((name) => !isBuiltInIgnored(name)).map((name) => joinPath(at, name)));
    }
    return null;
  } finally {
    directories.close();
  }
}

async function directoriesIn(directories: DirectoryHandles, directory: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(directories.at(directory, 0), { withFileTypes: true });
    directories.verify(directory);
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    // Out of reach, or exchanged meanwhile: the scan lists it.
    return [];
  }
}
