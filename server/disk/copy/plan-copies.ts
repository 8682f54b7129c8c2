// Which files of a mirrored folder the folder of a run gets as copies: those that no mirror syncs, because of the ignore rules, as links, or
// as too large. It walks without following links, and carries permissions of synced files over, which a workspace does not have.
import { joinPath, nameOf } from '../../core/paths/path.ts';
import { privateFolderName, tempPrefix } from '../names/ignore.ts';
import { errorCode, type FileStat, type FileSystem } from '../port/file-system.ts';
import type { CopyRequest } from './copied-files.ts';
import { FolderRules } from './folder-rules.ts';
import { repositoryRefusal } from './repositories.ts';
import type { CopySpace } from './space.ts';

/** Of a new file, less what the user's umask takes. */
const newFileMode = 0o666;

export interface Sides {
  readonly source: FileSystem;
  readonly target: FileSystem;
  readonly request: CopyRequest;
}

/** A file, a link, or a directory with all that is below it: copied as a whole or not at all. */
export interface CopyUnit {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'symlink';
}

export class CopyPlan {
  readonly units: CopyUnit[] = [];
  readonly #sides: Sides;
  readonly #space: CopySpace;
  /** Of the run's own folder: what they do not ignore would become a change of the run. */
  readonly #rules: FolderRules;
  readonly #device: bigint | null;
  readonly #usualMode = newFileMode & ~process.umask();

  constructor(sides: Sides, space: CopySpace) {
    this.#sides = sides;
    this.#space = space;
    const { target, request } = sides;
    this.#rules = new FolderRules(target, request.to, request.fileBytesMax);
    this.#device = sides.source.lstat(sides.request.from)?.device ?? null;
  }

  make(): void {
    const directories = ['/'];
    for (let next = directories.pop(); next !== undefined; next = directories.pop())
      directories.push(...this.#directory(next));
  }

  /** Answers the directories in it that mirrors sync. */
  #directory(directory: string): readonly string[] {
    const { source, request } = this.#sides;
    let names: readonly string[];
    try {
      if (!this.#rules.read(directory)) {
        this.#space.skip(directory, 'its ignore rules are not applied');
        return [];
      }
      ({ names } = source.list(absolute(request.from, directory)));
    } catch (error) {
      this.#space.skip(directory, `it cannot be read (${errorCode(error)})`);
      return [];
    }
    const below: string[] = [];
    for (const name of [...names].sort()) {
      const path = joinPath(directory, name);
      if (name === privateFolderName || name.startsWith(tempPrefix)) continue;
      try {
        const stat = source.lstat(request.from + path);
        if (stat !== null && this.#entry(path, stat)) below.push(path);
      } catch (error) {
        this.#space.skip(path, `it cannot be copied (${errorCode(error)})`);
      }
    }
    return below;
  }

  /** true: a directory to look into. */
  #entry(path: string, stat: FileStat): boolean {
    const isUnsynced = this.#rules.isUnsynced(path, stat);
    switch (stat.kind) {
      case 'directory':
        if (stat.device !== this.#device) this.#space.skip(path, 'it is on another disk');
        else if (isUnsynced) this.#unit(path, 'directory');
        else return this.#enter(path);
        return false;
      case 'symlink':
        this.#unit(path, 'symlink');
        return false;
      case 'file':
        if (isUnsynced) this.#unit(path, 'file');
        else this.#carryMode(path, stat);
        return false;
      case 'other':
        this.#space.skip(path, 'it is a device, a pipe or a socket');
        return false;
    }
  }

  #enter(path: string): boolean {
    const { target, request } = this.#sides;
    const there = target.lstat(request.to + path);
    if (there === null) target.makeDirectory(request.to + path);
    return there === null || there.kind === 'directory';
  }

  #unit(path: string, kind: CopyUnit['kind']): void {
    const { source, request } = this.#sides;
    const refusal = nameOf(path) === '.git' ? repositoryRefusal(source, request.from, path, kind) : null;
    if (refusal !== null) this.#space.skip(path, refusal);
    else {
      const size = sizeOf(source, request.from + path, request.limits.filesMax);
      if (this.#space.take(path, size)) this.units.push({ path, kind });
    }
  }

  #carryMode(path: string, { mode }: FileStat): void {
    const { target, request } = this.#sides;
    if (mode === this.#usualMode) return;
    const file = request.to + path;
    const there = target.lstat(file);
    if (there?.kind !== 'file' || there.mode === mode) return;
    const handle = target.openToRead(file);
    try {
      if (target.fstat(handle).kind === 'file') target.setMode(handle, mode);
    } finally {
      target.close(handle);
    }
  }
}

export function absolute(root: string, path: string): string {
  return path === '/' ? root : root + path;
}

interface Size {
  files: number;
  bytes: number;
}

/** Of all entries at the path and below, as far as they matter here. */
function sizeOf(fs: FileSystem, top: string, filesMax: number): Size {
  const size: Size = { files: 0, bytes: 0 };
  const waiting = [top];
  for (let at = waiting.pop(); at !== undefined && size.files <= filesMax; at = waiting.pop()) {
    const stat = fs.lstat(at);
    if (stat === null) continue;
    size.files += 1;
    if (stat.kind === 'file') size.bytes += stat.sizeBytes;
    if (stat.kind === 'directory') for (const name of namesIn(fs, at)) waiting.push(`${at}/${name}`);
  }
  return size;
}

export function namesIn(fs: FileSystem, directory: string): readonly string[] {
  try {
    return fs.list(directory).names;
  } catch {
    // It is gone, or may not be read: the copy says so.
    return [];
  }
}
