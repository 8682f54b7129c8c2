// The ignore rules of the folder of a run, read while the folder is walked from the top. They decide which of its files no mirror syncs.
import { joinPath } from '../../core/paths/path.ts';
import { IgnoreRules, ignoreFileBytesMax, ignoreFileName } from '../names/ignore.ts';
import type { FileStat, FileSystem } from '../port/file-system.ts';
import { readWhole } from '../tree/read-file.ts';

export class FolderRules {
  readonly #fs: FileSystem;
  readonly #root: string;
  readonly #fileBytesMax: number;
  readonly #rules = new IgnoreRules();

  /** `fileBytesMax`: a larger file is in no mirror. */
  constructor(fs: FileSystem, root: string, fileBytesMax: number) {
    this.#fs = fs;
    this.#root = root;
    this.#fileBytesMax = fileBytesMax;
  }

  /** To be called for a directory before its entries are asked about. false: its rules cannot be applied. */
  read(directory: string): boolean {
    const at = joinPath(directory, ignoreFileName);
    const stat = this.#fs.lstat(this.#root + at);
    if (stat === null) return true;
    const outcome = readWhole(this.#fs, this.#root + at, ignoreFileBytesMax);
    if (outcome.kind === 'read') this.#rules.set(directory, new TextDecoder().decode(outcome.bytes));
    return outcome.kind === 'read' && this.#rules.faultAbove(at) === null;
  }

  /** Does no mirror sync this entry of a directory that mirrors sync? */
  isUnsynced(path: string, { kind, sizeBytes }: Pick<FileStat, 'kind' | 'sizeBytes'>): boolean {
    if (kind === 'symlink') return true;
    if (this.#rules.ignoresHere(path, kind === 'directory')) return true;
    return kind === 'file' && sizeBytes > this.#fileBytesMax;
  }
}
