// The root of a mirrored folder: whether it exists and is still the same one, its marker, and its private directory `.mooring`. It
// never reads the user's files.
import { mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { privateFolderName } from '../names/ignore.ts';
import { errorCode, type FileSystem } from '../port/file-system.ts';
import type { FolderNote, PresentRoot, RootState } from '../port/folder.ts';
import { readWhole } from '../tree/read-file.ts';

const markerName = 'marker.json';
const gitIgnoreName = '.gitignore';
/** What was copied into the folder of a run (disk/copy): it is not copied again. */
export const copiedFileName = 'copied.json';
/** They end with the mirror. */
export const mirrorFileNames = [
  ...[markerName, gitIgnoreName, copiedFileName, 'README.md', 'state.json'],
  // Of a replacement that a crash interrupted.
  ...['README.md.new', 'state.json.new'],
];
const privateFileBytesMax = 64 * 1024;
/** Agents of other users can read the owner of the folder, but not remove it. */
const privateMode = 0o755;

export function inspectRoot(fs: FileSystem, root: string): RootState {
  try {
    const stat = fs.lstat(root);
    if (stat === null) return { kind: 'missing' };
    if (stat.kind !== 'directory') return { kind: 'not_directory' };
    const markerId = textField(readPrivate(fs, root, markerName), 'id');
    return { kind: 'present', device: String(stat.device), inode: String(stat.inode), markerId };
  } catch (error) {
    return { kind: 'unreadable', detail: errorCode(error) };
  }
}

/** The marker decides, as device numbers change when a disk is mounted again; without a marker device and inode must be the same. */
export function isSameRoot(opened: PresentRoot, now: PresentRoot): boolean {
  if (now.markerId !== null) return opened.markerId === null || opened.markerId === now.markerId;
  return opened.device === now.device && opened.inode === now.inode;
}

export function writeMarker(fs: FileSystem, root: string, markerId: string): void {
  writePrivate(fs, root, markerName, { id: markerId, about: 'Mooring recognises this folder by this file.' });
  // Git then neither lists nor cleans this directory.
  replacePrivate(fs, root, { name: gitIgnoreName, text: '*\n', mode: 0o600, isDurable: true });
}

/** Causes a watcher event in the private folder, without a change. Throws when there is no marker. */
export function touchMarker(fs: FileSystem, root: string): void {
  const handle = fs.openToExtend(`${root}/${privateFolderName}/${markerName}`);
  try {
    if (fs.fstat(handle).kind === 'file') fs.touch(handle);
  } finally {
    fs.close(handle);
  }
}

/** Creates the folder to mirror where it is missing, and resolves its path. */
export function makeRoot(
  dir: string,
): { readonly ok: true; readonly root: string } | { readonly ok: false; readonly reason: string } {
  if (!path.isAbsolute(dir))
    return { ok: false, reason: `Cannot mirror ${dir}: it is not an absolute path.` };
  try {
    mkdirSync(dir, { recursive: true });
    const root = realpathSync.native(dir);
    if (path.dirname(root) === root)
      return { ok: false, reason: `Cannot mirror ${root}: it is the root of a disk. Choose a folder in it.` };
    return { ok: true, root };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST' || code === 'ENOTDIR')
      return { ok: false, reason: `Cannot mirror ${dir}: it is not a folder.` };
    return { ok: false, reason: `Cannot mirror ${dir}: ${code}.` };
  }
}

/** The resolved path of a folder, also of one that does not exist yet: links in the existing part are followed. null: not absolute. */
export function realNameOf(dir: string): string | null {
  if (!path.isAbsolute(dir) || dir.includes('\0')) return null;
  const absolute = path.resolve(dir);
  for (let there = absolute; ; there = path.dirname(there)) {
    try {
      return path.join(realpathSync.native(there), path.relative(there, absolute));
    } catch {
      // Missing, or not accessible: the parent may be.
      if (path.dirname(there) === there) return absolute;
    }
  }
}

export function ensurePrivate(fs: FileSystem, root: string): string {
  const directory = `${root}/${privateFolderName}`;
  try {
    if (fs.lstat(directory) === null) fs.makeDirectory(directory, privateMode);
  } catch (error) {
    // Created by another process since: what it is decides.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  if (fs.lstat(directory)?.kind !== 'directory')
    throw Object.assign(new Error(`${directory} is not a directory`), { code: 'ENOTDIR' });
  return directory;
}

export function writePrivate(fs: FileSystem, root: string, name: string, content: object): void {
  const directory = replacePrivate(fs, root, {
    name,
    text: `${JSON.stringify(content)}\n`,
    mode: 0o600,
    isDurable: true,
  });
  fs.syncDirectory(directory);
}

/** Replaces the notes. They may be lost in a power cut, as each start writes them again. */
export function writeNotes(
  fs: FileSystem,
  root: string,
  notes: readonly FolderNote[],
  isWindows: boolean,
): void {
  // Windows refuses to replace a read-only file.
  const mode = isWindows ? 0o600 : 0o400;
  for (const note of notes) replacePrivate(fs, root, { ...note, mode, isDurable: false });
}

interface PrivateFile {
  readonly name: string;
  readonly text: string;
  readonly mode: number;
  readonly isDurable: boolean;
}

/** Returns the private directory. */
function replacePrivate(fs: FileSystem, root: string, { name, text, mode, isDurable }: PrivateFile): string {
  const directory = ensurePrivate(fs, root);
  const temp = `${directory}/${name}.new`;
  removeIfThere(fs, temp);
  const handle = fs.openNew(temp, mode);
  try {
    fs.write(handle, new TextEncoder().encode(text));
    if (isDurable) fs.sync(handle);
  } finally {
    fs.close(handle);
  }
  fs.rename(temp, `${directory}/${name}`);
  return directory;
}

export function readPrivate(fs: FileSystem, root: string, name: string): unknown {
  const path = `${root}/${privateFolderName}/${name}`;
  const stat = fs.lstat(path);
  if (stat?.kind !== 'file' || stat.sizeBytes > privateFileBytesMax) return null;
  const outcome = readWhole(fs, path, privateFileBytesMax);
  if (outcome.kind !== 'read') return null;
  try {
    return JSON.parse(new TextDecoder().decode(outcome.bytes));
  } catch {
    // Not written by Mooring, or torn by a power cut: treated as missing.
    return null;
  }
}

function textField(value: unknown, field: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const text = (value as Record<string, unknown>)[field];
  return typeof text === 'string' ? text : null;
}

export function removeIfThere(fs: FileSystem, path: string): void {
  try {
    fs.unlink(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
