// Damaged pages also show as values that no program has written, on which a read fails like on a fault of the program. Which of the two
// it was only a check of the whole database says.
import { StoreUnavailableError } from '../port/errors.ts';
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

  /** The error of a read or a command, or what it is where the database is damaged. */
  async confirm(error: unknown): Promise<unknown> {
    if (!(await this.#isConfirmed(error))) return error;
    return new StoreUnavailableError('the database is damaged', { cause: error, fault: 'damaged' });
  }

  async #isConfirmed(error: unknown): Promise<boolean> {
    // Only what the program itself has written as JSON is parsed in a read.
    if (error instanceof SyntaxError || isOfOtherSchema(error)) return true;
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

/** The tables are those that the migrations made: a check of the pages does not see that the text that describes them has changed. */
function isOfOtherSchema(error: unknown): boolean {
  return error instanceof Error && /no such (?:column|table|index):|has no column named/.test(error.message);
}

/** Expected refusals have classes of their own. */
function isUnexpected(error: unknown): boolean {
  return error instanceof Error && ['Error', 'TypeError', 'RangeError', 'SqliteError'].includes(error.name);
}
