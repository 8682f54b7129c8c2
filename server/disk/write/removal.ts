// Removes a file, or moves it to a conflict copy, after checking its identity again. It never renames onto an existing entry.
import { joinPath, parentOf } from '../../core/paths/path.ts';
import { errorCode, type FileSystem } from '../port/file-system.ts';
import type { FolderOperation, OperationOutcome } from '../port/folder.ts';
import { type Refused, refusal, refusalOf } from './refusals.ts';
import type { WritePreconditions } from './write-preconditions.ts';

type Remove = Extract<FolderOperation, { kind: 'remove' }>;
type MoveAside = Extract<FolderOperation, { kind: 'move_aside' }>;

export function removeFile(preconditions: WritePreconditions, { path, expected }: Remove): OperationOutcome {
  const { fs, tree } = preconditions;
  const parent = parentOf(path) ?? '/';
  const changed = preconditions.checkDirectory(parent) ?? preconditions.verify(path, expected);
  if (changed !== null) return changed;
  fs.unlink(preconditions.absolute(path));
  tree.delete(path);
  prune(preconditions, parent);
  return { ok: true, file: null };
}

/** Removes the directories that this removal left empty; ignored files keep a directory. */
function prune(preconditions: WritePreconditions, directory: string): void {
  const { fs, tree } = preconditions;
  preconditions.touched(directory);
  for (let at: string | null = directory; at !== null && at !== '/'; at = parentOf(at)) {
    try {
      fs.removeDirectory(preconditions.absolute(at));
    } catch (error) {
      // Any error is acceptable: the file is removed, and an empty directory may remain.
      if (errorCode(error) !== 'EUNKNOWN') return;
      throw error;
    }
    // A file that another program removed meanwhile stays known, so that the next scan reports it.
    if (tree.leaves(at).next().done === true) tree.delete(at);
    preconditions.removed(at);
  }
}

export function moveToConflictCopy(
  preconditions: WritePreconditions,
  { path, asidePath, expected }: MoveAside,
): OperationOutcome {
  const parent = parentOf(path) ?? '/';
  const changed = preconditions.checkDirectory(parent);
  if (changed !== null) return changed;
  const refusal =
    expected === null
      ? moveDirectory(preconditions, path, asidePath)
      : (preconditions.verify(path, expected) ?? moveFile(preconditions, path, asidePath));
  if (refusal !== null) return refusal;
  preconditions.tree.delete(path);
  preconditions.touched(parent);
  return { ok: true, file: null };
}

function moveDirectory(preconditions: WritePreconditions, path: string, asidePath: string): Refused | null {
  const { fs } = preconditions;
  if (fs.lstat(preconditions.absolute(path))?.kind !== 'directory')
    return refusal('changed', 'ECHANGED', 'The directory no longer exists.');
  if (fs.lstat(preconditions.absolute(asidePath)) !== null) return taken();
  // An empty directory has no content to keep.
  if (!removeEmpty(preconditions, path))
    fs.rename(preconditions.absolute(path), preconditions.absolute(asidePath));
  return null;
}

function moveFile(preconditions: WritePreconditions, path: string, asidePath: string): Refused | null {
  const refusal = linkConflictCopy(preconditions, path, asidePath);
  if (refusal !== null) return refusal;
  preconditions.touched(parentOf(path) ?? '/');
  try {
    const name = preconditions.absolute(path);
    if (canUnlinkHardLink(preconditions.fs, name, preconditions.absolute(asidePath)))
      preconditions.fs.unlink(name);
  } catch (error) {
    return undoLink(preconditions, path, asidePath)
      ? refusalOf(error)
      : { ...refusalOf(error), steppedAside: true };
  }
  return null;
}

/** Gives the folder's version its second name first, so that the path always has a file. */
export function linkConflictCopy(
  preconditions: WritePreconditions,
  path: string,
  asidePath: string,
): Refused | null {
  const { fs } = preconditions;
  const from = preconditions.absolute(path);
  const to = preconditions.absolute(asidePath);
  try {
    fs.link(from, to);
  } catch (error) {
    if (errorCode(error) === 'ESTALE') throw error;
    if (errorCode(error) === 'EEXIST' || fs.lstat(to) !== null) return taken();
    fs.rename(from, to);
  }
  return null;
}

/** Removes the second name after a failure. false: it is the only name of the file. */
export function undoLink(preconditions: WritePreconditions, path: string, asidePath: string): boolean {
  try {
    const name = preconditions.absolute(asidePath);
    if (!canUnlinkHardLink(preconditions.fs, name, preconditions.absolute(path))) return false;
    preconditions.fs.unlink(name);
    return true;
  } catch {
    // The file keeps both names.
    return false;
  }
}

/** For directories that contain only empty directories. */
function removeEmpty(preconditions: WritePreconditions, directory: string): boolean {
  const { fs } = preconditions;
  const { names, unreadableNames } = fs.list(preconditions.absolute(directory));
  if (unreadableNames.length > 0) return false;
  const children = names.map((name) => joinPath(directory, name));
  if (children.some((child) => fs.lstat(preconditions.absolute(child))?.kind !== 'directory')) return false;
  if (!children.every((child) => removeEmpty(preconditions, child))) return false;
  fs.removeDirectory(preconditions.absolute(directory));
  return true;
}

function taken(): Refused {
  return refusal('taken', 'EEXIST', 'The name of the conflict copy is taken.');
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
