// What sign-ins of browsers have in common on all processes of a hub: the sessions, and the texts that are good once. Times are those of the
// database, as clocks of processes may differ.
import type pg from 'pg';
import { sha256Hex } from '../../platform/crypto/hashes.ts';
import { bytesOf } from '../database/rows.ts';
import { StoreUnavailableError } from '../port/errors.ts';
import type { OneTimeLimits, OneTimeTexts, SharedTexts } from '../port/shared.ts';

export class HubSignInSessions implements SharedTexts {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async all(): Promise<ReadonlyMap<string, string>> {
    const { rows } = await ask<{ id: string; session: string }>(
      this.#pool,
      'SELECT id, session FROM sign_in_sessions',
    );
    return new Map(rows.map(({ id, session }) => [id, session]));
  }

  async put(key: string, text: string): Promise<void> {
    await ask(
      this.#pool,
      `INSERT INTO sign_in_sessions (id, session) VALUES ($1, $2)
         ON CONFLICT (id) DO UPDATE SET session = excluded.session`,
      [key, text],
    );
  }

  async replace(key: string, text: string): Promise<void> {
    await ask(this.#pool, 'UPDATE sign_in_sessions SET session = $2 WHERE id = $1', [key, text]);
  }

  async remove(keys: readonly string[]): Promise<void> {
    await ask(this.#pool, 'DELETE FROM sign_in_sessions WHERE id = ANY($1)', [[...keys]]);
  }
}

/** Only hashes are stored. A text that was taken stays as one without life until it no longer counts. */
export class HubOneTimeTexts implements OneTimeTexts {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Processes that offer at the same moment may exceed the limit by one each. */
  async offer(topic: string, text: string, limits: OneTimeLimits): Promise<boolean> {
    const { lifeMs, countedMs, countMax, whenFull } = limits;
    await ask(this.#pool, 'DELETE FROM one_time_texts WHERE counts_until < clock_ms()');
    const { rowCount } = await ask(
      this.#pool,
      `INSERT INTO one_time_texts (topic, hash, ends_at, counts_until)
         SELECT $1, $2, clock_ms() + $3::bigint, clock_ms() + $4::bigint
           WHERE $5 OR (SELECT count(*) FROM one_time_texts WHERE topic = $1) < $6::bigint`,
      [topic, hashOf(text), lifeMs, countedMs, whenFull === 'replace the oldest', countMax],
    );
    if (whenFull === 'replace the oldest')
      await ask(
        this.#pool,
        `DELETE FROM one_time_texts WHERE topic = $1 AND hash IN
           (SELECT hash FROM one_time_texts WHERE topic = $1 ORDER BY counts_until DESC, hash OFFSET $2)`,
        [topic, countMax],
      );
    return rowCount === 1;
  }

  async take(topic: string, text: string): Promise<boolean> {
    const { rowCount } = await ask(
      this.#pool,
      'UPDATE one_time_texts SET ends_at = 0 WHERE topic = $1 AND hash = $2 AND ends_at > clock_ms()',
      [topic, hashOf(text)],
    );
    return rowCount === 1;
  }
}

function hashOf(text: string): Buffer {
  return bytesOf(sha256Hex(text));
}

async function ask<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  text: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResult<Row>> {
  try {
    return await pool.query<Row>(text, [...values]);
  } catch (error) {
    throw new StoreUnavailableError('the store cannot be used', { cause: error });
  }
}
