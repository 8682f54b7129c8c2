// Whether one of two names of a file may go. Between two looks a person may save over either name, so the name that is to go is
// looked at last, and its file must not have lost a name meanwhile. It changes nothing.
import type { FileSystem } from '../port/file-system.ts';

/** Absolute paths. true: `goes` is a second name of the file at `stays`, and removing it destroys no content. */
export function canUnlinkHardLink(fs: FileSystem, goes: string, stays: string): boolean {
  const kept = fs.lstat(stays);
  if (kept?.kind !== 'file') return false;
  const last = fs.lstat(goes);
  if (last?.kind !== 'file' || last.inode !== kept.inode || last.device !== kept.device) return false;
  // Compared, not counted: a disk that does not count names says 1 each time.
  return last.links >= kept.links;
}
