// Copies the files of a plan into the folder of a run. Neither side is left through a link, no file that is there is replaced, and a file has
// its name only when it is whole: after a crash the copy is continued.
import path from 'node:path';
import { joinPath } from '../../core/paths/path.ts';
import { errorCode, type FileStat } from '../port/file-system.ts';
import { ensurePrivate, realNameOf, removeIfThere } from '../root/root.ts';
import type { CopyReport, CopyRequest } from './copied-files.ts';
import { type CopiedFile, copiedFile } from './copied-list.ts';
import { absolute, CopyPlan, type CopyUnit, namesIn, type Sides } from './plan-copies.ts';
import { CopySpace } from './space.ts';

const tempName = 'copying';
/** What a program holds while it changes a repository: in a copy it would wait for ever. */
const lockFile = /\/\.git\/(.*\/)?[^/]+\.lock$/;
/** A disk that cannot share the blocks of this file says so. */
const notShared: readonly string[] = [
  'ENOTSUP',
  'EOPNOTSUPP',
  'EXDEV',
  'EINVAL',
  'ENOSYS',
  'ENOTTY',
  'EPERM',
];

/** Calls `onCopied` with each file and link. */
export function copyFolder(
  sides: Sides,
  freeBytes: number,
  onCopied: OnCopied = () => undefined,
): CopyReport {
  const space = new CopySpace(sides.request.limits, freeBytes);
  const plan = new CopyPlan(sides, space);
  plan.make();
  const copy = new FolderCopy(sides, space, onCopied);
  for (const unit of plan.units) copy.unit(unit);
  const { counts } = copy;
  return {
    from: sides.request.from,
    ...counts,
    sharesBlocks: counts.sharesBlocks && counts.files > 0,
    ...space.skipped,
  };
}

type OnCopied = (path: string, copied: CopiedFile) => void;

class FolderCopy {
  readonly counts = { files: 0, links: 0, bytes: 0, sharesBlocks: true };
  readonly #sides: Sides;
  readonly #space: CopySpace;
  readonly #onCopied: OnCopied;
  readonly #temp: string;
  #isFull = false;

  constructor(sides: Sides, space: CopySpace, onCopied: OnCopied) {
    this.#sides = sides;
    this.#onCopied = onCopied;
    this.#space = space;
    this.#temp = `${ensurePrivate(sides.target, sides.request.to)}/${tempName}`;
    // Of a copy that a crash has ended.
    removeIfThere(sides.target, this.#temp);
  }

  unit({ path: top }: CopyUnit): void {
    const { source, request } = this.#sides;
    if (this.#isFull) this.#space.skip(top, 'the disk is full');
    const waiting = [top];
    for (let next = waiting.pop(); next !== undefined && !this.#isFull; next = waiting.pop()) {
      if (lockFile.test(next)) continue;
      try {
        const stat = source.lstat(request.from + next);
        if (stat?.kind === 'directory') {
          if (this.#directory(next, stat))
            for (const name of namesIn(source, absolute(request.from, next)))
              waiting.push(joinPath(next, name));
        } else if (stat?.kind === 'symlink') this.#link(next);
        else if (stat?.kind === 'file') this.#file(next);
        else if (stat !== null) this.#space.skip(next, 'it is a device, a pipe or a socket');
      } catch (error) {
        const code = errorCode(error);
        this.#space.skip(next, `it cannot be copied (${code})`);
        if (code === 'ENOSPC' || code === 'EDQUOT') this.#isFull = true;
      }
    }
  }

  #directory(at: string, { mode }: FileStat): boolean {
    const { target, request } = this.#sides;
    const there = target.lstat(request.to + at);
    // Its owner fills it.
    if (there === null) target.makeDirectory(request.to + at, mode | 0o700);
    return there === null || there.kind === 'directory';
  }

  #link(at: string): void {
    const { source, target, request } = this.#sides;
    const there = target.lstat(request.to + at);
    const leadsTo = source.readLink(request.from + at);
    if (there === null) {
      target.makeLink(request.to + at, linkTarget(request, at, leadsTo));
      this.counts.links += 1;
    } else if (there.kind !== 'symlink') return;
    this.#onCopied(at, { kind: 'link', mode: 0, source: leadsTo, copy: target.readLink(request.to + at) });
  }

  #file(at: string): void {
    const { source, target, request } = this.#sides;
    const there = target.lstat(request.to + at);
    // Of a copy that a crash has ended.
    if (there?.kind === 'file') this.#note(at, source.lstat(request.from + at));
    if (there !== null) return;
    const handle = source.openToRead(request.from + at);
    let stat: FileStat;
    try {
      stat = source.fstat(handle);
      if (stat.kind !== 'file') return;
      this.#contents(handle);
      source.verifyPlace(request.from + at);
    } catch (error) {
      removeIfThere(target, this.#temp);
      throw error;
    } finally {
      source.close(handle);
    }
    target.rename(this.#temp, request.to + at);
    this.counts.files += 1;
    this.counts.bytes += stat.sizeBytes;
    this.#note(at, stat);
  }

  #note(at: string, original: FileStat | null): void {
    const { target, request } = this.#sides;
    const copy = target.lstat(request.to + at);
    if (original?.kind === 'file' && copy?.kind === 'file') this.#onCopied(at, copiedFile(original, copy));
  }

  #contents(handle: number): void {
    const { target } = this.#sides;
    if (this.counts.sharesBlocks) {
      try {
        target.copyNew(handle, this.#temp, true);
        return;
      } catch (error) {
        if (!notShared.includes(errorCode(error))) throw error;
        this.counts.sharesBlocks = false;
        removeIfThere(target, this.#temp);
      }
    }
    target.copyNew(handle, this.#temp, false);
  }
}

/** Where the copy of a link leads: into the folder of the run if the link leads into the mirrored folder, else to the same place. */
function linkTarget({ from, to }: CopyRequest, at: string, target: string): string {
  const place = path.resolve(path.dirname(from + at), target);
  if (!path.isAbsolute(target)) return isIn(from, place) ? target : place;
  if (isIn(from, place)) return to + place.slice(from.length);
  // By another name of the mirrored folder, as through a link above it.
  const real = realNameOf(place) ?? place;
  return isIn(from, real) ? to + real.slice(from.length) : target;
}

function isIn(root: string, place: string): boolean {
  return place === root || place.startsWith(root + path.sep);
}
