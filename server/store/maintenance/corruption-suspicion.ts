// Corrupt pages also appear as impossible values, on which a read fails as on a program error. A check of the whole database
// decides which of the two it was.
import { ImpossibleRowError, StoreUnavailableError } from '../port/errors.ts';
import { runJob } from './jobs.ts';

/** A check reads the whole database; its result is used for this long. */
const checkedForMs = 10 * 60_000;

export class CorruptionSuspicion {
  readonly #databaseFile: string;
  readonly #nowMs: () => number;
  #last: { readonly untilMs: number; readonly isDamaged: Promise<boolean> } | null = null;

  constructor(databaseFile: string, nowMs: () => number) {
    this.#databaseFile = databaseFile;
    this.#nowMs = nowMs;
  }

  /** The given error, or StoreUnavailableError where the database is corrupt. */
  async confirm(error: unknown): Promise<unknown> {
    if (!(await this.#isConfirmed(error))) return error;
    return new StoreUnavailableError('the database is corrupted', { cause: error, fault: 'corrupted' });
  }

  async #isConfirmed(error: unknown): Promise<boolean> {
    // Reads parse only JSON that this program wrote.
    if (error instanceof SyntaxError || error instanceof ImpossibleRowError || isOfOtherSchema(error))
      return true;
    if (!isUnexpected(error)) return false;
    const nowMs = this.#nowMs();
    if (this.#last === null || this.#last.untilMs <= nowMs) {
      const isDamaged = runJob({ kind: 'check', databaseFile: this.#databaseFile }).then(
        ({ findings }) => findings.length > 0,
      );
      this.#last = { untilMs: nowMs + checkedForMs, isDamaged };
    }
    return await this.#last.isDamaged;
  }
}

/** The migrations created the tables: a check of the pages does not detect that the text of the schema has changed. */
function isOfOtherSchema(error: unknown): boolean {
  return error instanceof Error && /no such (?:column|table|index):|has no column named/.test(error.message);
}

/** Expected refusals have classes of their own. */
function isUnexpected(error: unknown): boolean {
  return error instanceof Error && ['Error', 'TypeError', 'RangeError', 'SqliteError'].includes(error.name);
}
