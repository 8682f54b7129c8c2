// Finishes what a crash left half done in a folder, as the journal tells (see mirror/journal). Doing it twice does no harm.
import { joinPath, parentOf } from '../../core/paths/path.ts';
import type { FileSystem } from '../port/file-system.ts';
import type { RecoverIntent } from '../port/folder.ts';
import { canUnlinkHardLink } from './hard-links.ts';
import { fsyncDirectoryIfPresent } from './pending-syncs.ts';

/** For each: did something step aside? Throws what the disk refuses; then nothing may be forgotten. */
export function recoverAll(
  fs: FileSystem,
  root: string,
  intents: readonly RecoverIntent[],
): readonly boolean[] {
  const stepped = intents.map((intent) => recoverOne(fs, root, intent));
  // The journal forgets them next: what was removed here must not come back with a power cut.
  for (const directory of new Set(intents.map(({ path }) => parentOf(path) ?? '/')))
    fsyncDirectoryIfPresent(fs, root, directory);
  return stepped;
}

function recoverOne(fs: FileSystem, root: string, intent: RecoverIntent): boolean {
  if (intent.kind === 'temp') {
    // Ours by its journal row, and complete elsewhere: its bytes came from the workspace.
    const temp = root + joinPath(parentOf(intent.path) ?? '/', intent.tempName);
    if (fs.lstat(temp)?.kind === 'file') fs.unlink(temp);
    return false;
  }
  // A version that was to step aside got its second name but kept the first: finish, so that it has one.
  const [name, aside] = [root + intent.path, root + intent.asidePath];
  if (canUnlinkHardLink(fs, name, aside)) fs.unlink(name);
  return fs.lstat(aside) !== null;
}
