// How much is copied, against the limits and the free space of the disk, and what is left out and why. No I/O.
import { type CopyLimits, type SkippedPath, skippedListedMax } from './copied-files.ts';

const bytesPerMib = 1024 * 1024;

export class CopySpace {
  readonly #limits: CopyLimits;
  readonly #freeBytes: number;
  readonly #skipped: SkippedPath[] = [];
  #skippedCount = 0;
  #files = 0;
  #bytes = 0;

  constructor(limits: CopyLimits, freeBytes: number) {
    this.#limits = limits;
    this.#freeBytes = freeBytes;
  }

  get skipped(): { readonly skippedCount: number; readonly skipped: readonly SkippedPath[] } {
    return { skippedCount: this.#skippedCount, skipped: this.#skipped };
  }

  /** false: it does not fit, and is left out. */
  take(path: string, { files, bytes }: { readonly files: number; readonly bytes: number }): boolean {
    const { filesMax, bytesMax, freeBytesMin } = this.#limits;
    const [allFiles, allBytes] = [this.#files + files, this.#bytes + bytes];
    if (allFiles > filesMax) this.skip(path, `with it there are more than ${filesMax} files`);
    else if (allBytes > bytesMax) this.skip(path, `with it there are more than ${mib(bytesMax)}`);
    else if (allBytes > this.#freeBytes - freeBytesMin)
      this.skip(path, `its ${mib(bytes)} would leave less than ${mib(freeBytesMin)} of the disk free`);
    else {
      this.#files = allFiles;
      this.#bytes = allBytes;
      return true;
    }
    return false;
  }

  skip(path: string, reason: string): void {
    this.#skippedCount += 1;
    if (this.#skipped.length < skippedListedMax) this.#skipped.push({ path, reason });
  }
}

function mib(bytes: number): string {
  return `${Math.ceil(bytes / bytesPerMib)} MiB`;
}
