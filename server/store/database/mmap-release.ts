// Gives back what reads leave behind. A page of the mapped database that was read once counts as memory of this process for as
// long as the mapping stands: after a mirror of 100,000 files was read at a start that was 170 of its 430 MB. Now and then the
// mapping is therefore let go of; the pages stay in the system's cache, and the next reads map them again, sixteen at a time.
import type { ReadStatements } from './statements.ts';

/** Mapping a database of 200 MB anew costs the reads that follow about 5 ms in all: so often that is nothing. */
const releaseAfterMs = 10_000;

export class MmapRelease {
  readonly #statements: ReadStatements;
  #timer: NodeJS.Timeout | null = null;

  constructor(statements: ReadStatements) {
    this.#statements = statements;
  }

  /** Something was read, or written: a writer reads the pages that it changes. */
  touched(): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => this.#release(), releaseAfterMs);
    this.#timer.unref();
  }

  #release(): void {
    this.#timer = null;
    if (!this.#statements.isOpen) return;
    // https://sqlite.org/pragma.html#pragma_mmap_size: another limit ends the mapping, and the next read makes it anew.
    const bytes = Number(this.#statements.pragma('mmap_size'));
    this.#statements.pragma('mmap_size = 0');
    this.#statements.pragma(`mmap_size = ${bytes}`);
  }
}
