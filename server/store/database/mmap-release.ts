// Releases mapped memory after reads. A page of the mapped database counts as memory of this process while the mapping exists:
// after a mirror of 100,000 files was read at a start that was 170 of its 430 MB. Remapping at intervals frees them; the pages stay
// in the system's cache, and the next reads map them again, sixteen at a time.
import type { SqliteReadStatements } from './sqlite-statements.ts';

/** Remapping a database of 200 MB costs the following reads about 5 ms in all, which is negligible at this interval. With ten seconds
 * 120 MB more were mapped at the end of a first mirror of 154,000 files. */
const releaseAfterMs = 3_000;

export class MmapRelease {
  readonly #statements: SqliteReadStatements;
  #timer: NodeJS.Timeout | null = null;

  constructor(statements: SqliteReadStatements) {
    this.#statements = statements;
  }

  /** To be called after each read or write: a writer reads the pages that it changes. */
  touched(): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => this.#release(), releaseAfterMs);
    this.#timer.unref();
  }

  #release(): void {
    this.#timer = null;
    if (!this.#statements.isOpen) return;
    // https://sqlite.org/pragma.html#pragma_mmap_size: a new limit ends the mapping, and the next read maps again.
    const bytes = Number(this.#statements.pragma('mmap_size'));
    this.#statements.pragma('mmap_size = 0');
    this.#statements.pragma(`mmap_size = ${bytes}`);
  }
}
