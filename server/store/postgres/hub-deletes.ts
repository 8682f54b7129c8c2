// Deletions of each token per minute, counted by all processes of a hub together. The minute is that of the database: clocks of processes
// may differ.
import type pg from 'pg';
import type { DeleteLedger, DeleteLimit } from '../../core/access/authority.ts';
import { StoreUnavailableError } from '../port/errors.ts';
import { resultTypes } from './session.ts';

const windowMs = 60_000;

/** Adds to the window of the token, or begins a new one. Its row stays locked until the transaction ends. */
const addToWindow = `INSERT INTO delete_windows AS known (token_id, ends_at, taken)
  VALUES ($1, clock_ms() + ${windowMs}, $2)
  ON CONFLICT (token_id) DO UPDATE SET
    taken = excluded.taken + CASE WHEN known.ends_at > clock_ms() THEN known.taken ELSE 0 END,
    ends_at = CASE WHEN known.ends_at > clock_ms() THEN known.ends_at ELSE excluded.ends_at END
  RETURNING taken`;

export class HubDeletes implements DeleteLedger {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Rejects with a StoreUnavailableError. */
  async take(limits: readonly DeleteLimit[], count: number): Promise<boolean> {
    if (limits.length === 0) return true;
    try {
      return await this.#takeAll(limits, count);
    } catch (error) {
      throw new StoreUnavailableError('the store cannot be written', { cause: error });
    }
  }

  async giveBack(limits: readonly DeleteLimit[], count: number): Promise<void> {
    for (const { tokenId } of limits)
      await this.#pool
        .query('UPDATE delete_windows SET taken = greatest(0, taken - $2) WHERE token_id = $1', [
          tokenId,
          count,
        ])
        // The rest of the minute has fewer deletions.
        .catch(() => undefined);
  }

  async #takeAll(limits: readonly DeleteLimit[], count: number): Promise<boolean> {
    const client = await this.#pool.connect();
    let isCovered = true;
    let failure: Error | undefined;
    try {
      await client.query('BEGIN');
      // In one order, so that two transactions never wait for each other.
      for (const { tokenId, perMinute } of limits.toSorted((a, b) => (a.tokenId < b.tokenId ? -1 : 1))) {
        const { rows } = await client.query<{ taken: number }>({
          text: addToWindow,
          values: [tokenId, count],
          types: resultTypes,
        });
        isCovered &&= (rows[0]?.taken ?? Number.POSITIVE_INFINITY) <= perMinute;
      }
      await client.query(isCovered ? 'COMMIT' : 'ROLLBACK');
      return isCovered;
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw failure;
    } finally {
      // A connection in an unknown state is closed.
      client.release(failure);
    }
  }
}
