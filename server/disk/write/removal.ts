// How what stands at a path leaves it: removed, or under another name beside it. It never renames onto something, and removes
// nothing that was not named by its identity.
import { joinPath, parentOf } from '../../core/paths/path.ts';
import { errorCode, type FileSystem } from '../port/file-system.ts';
import type { FolderOperation, OperationOutcome } from '../port/folder.ts';
import { type Refused, refusal, refusalOf } from './refusals.ts';
import type { WritePreconditions } from './write-preconditions.ts';

type Remove = Extract<FolderOperation, { kind: 'remove' }>;
type MoveAside = Extract<FolderOperation, { kind: 'move_aside' }>;

export function removeFile(ground: WritePreconditions, { path, expected }: Remove): OperationOutcome {
  const { fs, tree } = ground;
  const parent = parentOf(path) ?? '/';
  const late = ground.checkDirectory(parent) ?? ground.verify(path, expected);
  if (late !== null) return late;
  fs.unlink(ground.absolute(path));
  tree.delete(path);
  prune(ground, parent);
  return { ok: true, file: null };
}

/** Removes directories that this removal left empty; one that holds anything, ignored files included, refuses. */
function prune(ground: WritePreconditions, directory: string): void {
  const { fs, tree } = ground;
  ground.touched(directory);
  for (let at: string | null = directory; at !== null && at !== '/'; at = parentOf(at)) {
    try {
      fs.removeDirectory(ground.absolute(at));
    } catch (error) {
      // Whatever the system says: the file is gone, and an empty directory may stay.
      if (errorCode(error) !== 'EUNKNOWN') return;
      throw error;
    }
    // A file that somebody else took away meanwhile is still known here: the next scan has to miss it.
    if (tree.leaves(at).next().done === true) tree.delete(at);
    ground.removed(at);
  }
}

export function moveToConflictCopy(
  ground: WritePreconditions,
  { path, asidePath, expected }: MoveAside,
): OperationOutcome {
  const parent = parentOf(path) ?? '/';
  const late = ground.checkDirectory(parent);
  if (late !== null) return late;
  const refusal =
    expected === null
      ? moveDirectory(ground, path, asidePath)
      : (ground.verify(path, expected) ?? moveFile(ground, path, asidePath));
  if (refusal !== null) return refusal;
  ground.tree.delete(path);
  ground.touched(parent);
  return { ok: true, file: null };
}

function moveDirectory(ground: WritePreconditions, path: string, asidePath: string): Refused | null {
  const { fs } = ground;
  if (fs.lstat(ground.absolute(path))?.kind !== 'directory')
    return refusal('changed', 'ECHANGED', 'No directory is there any more.');
  if (fs.lstat(ground.absolute(asidePath)) !== null) return taken();
  // An empty directory holds nothing that could be lost; it makes room without a trace.
  if (!removeEmpty(ground, path)) fs.rename(ground.absolute(path), ground.absolute(asidePath));
  return null;
}

function moveFile(ground: WritePreconditions, path: string, asidePath: string): Refused | null {
  const refusal = linkConflictCopy(ground, path, asidePath);
  if (refusal !== null) return refusal;
  ground.touched(parentOf(path) ?? '/');
  try {
    const name = ground.absolute(path);
    if (canUnlinkHardLink(ground.fs, name, ground.absolute(asidePath))) ground.fs.unlink(name);
  } catch (error) {
    return undoLink(ground, path, asidePath) ? refusalOf(error) : { ...refusalOf(error), steppedAside: true };
  }
  return null;
}

/** The folder's version gets a second name, so that no reader ever finds the path empty. */
export function linkConflictCopy(
  ground: WritePreconditions,
  path: string,
  asidePath: string,
): Refused | null {
  const { fs } = ground;
  const from = ground.absolute(path);
  const to = ground.absolute(asidePath);
  try {
    fs.link(from, to);
  } catch (error) {
    if (errorCode(error) === 'ESTALE') throw error;
    if (errorCode(error) === 'EEXIST' || fs.lstat(to) !== null) return taken();
    fs.rename(from, to);
  }
  return null;
}

/** A version that got its second name for nothing loses that again. false: the name is the only one that it has. */
export function undoLink(ground: WritePreconditions, path: string, asidePath: string): boolean {
  try {
    const name = ground.absolute(asidePath);
    if (!canUnlinkHardLink(ground.fs, name, ground.absolute(path))) return false;
    ground.fs.unlink(name);
    return true;
  } catch {
    // It keeps both names, and is listed as what it looks like.
    return false;
  }
}

/** Directories of directories without a single file. */
function removeEmpty(ground: WritePreconditions, directory: string): boolean {
  const { fs } = ground;
  const { names, unreadableNames } = fs.list(ground.absolute(directory));
  if (unreadableNames.length > 0) return false;
  const children = names.map((name) => joinPath(directory, name));
  if (children.some((child) => fs.lstat(ground.absolute(child))?.kind !== 'directory')) return false;
  if (!children.every((child) => removeEmpty(ground, child))) return false;
  fs.removeDirectory(ground.absolute(directory));
  return true;
}

function taken(): Refused {
  return refusal('taken', 'EEXIST', 'The name to step aside to is taken.');
}

/**
 * Whether `candidatePath` is a second name of the file at `retainedPath`, so that removing it destroys no content; both absolute.
 * The candidate is examined last, and its file must not have lost a name meanwhile: a person may save over either name.
 */
export function canUnlinkHardLink(fs: FileSystem, candidatePath: string, retainedPath: string): boolean {
  const retained = fs.lstat(retainedPath);
  if (retained?.kind !== 'file') return false;
  const candidate = fs.lstat(candidatePath);
  if (
    candidate?.kind !== 'file' ||
    candidate.inode !== retained.inode ||
    candidate.device !== retained.device
  )
    return false;
  // Compared, because a disk that does not count links reports 1 for each.
  return candidate.links >= retained.links;
}
