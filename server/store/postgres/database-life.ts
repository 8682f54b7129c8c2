// The life of a hub's database, as one process knows it: its epoch, and the newest numbers that were seen. A database that was set back,
// such as a standby that took over without the last commits, has the same epoch and lower numbers. Each connection asks before its first
// statement, so that nothing is read or written there as if nothing had happened.
import pg from 'pg';
import { resultTypes, sessionOptions } from './session.ts';

export interface Numbers {
  readonly revision: number;
  readonly event: number;
  readonly operation: number;
}

/** To be sent to another thread. */
export interface KnownLife {
  readonly epoch: string;
  /** One 64-bit integer: the newest event that was reported to anyone. */
  readonly newestEvent: SharedArrayBuffer;
}

interface LifeNow extends Numbers {
  readonly epoch: string;
}

export type Comparison = 'same' | 'another epoch' | 'events are lost';

const lifeNow = `SELECT (SELECT value FROM meta WHERE key = 'epoch') AS epoch,
    max(last) FILTER (WHERE name = 'revision') AS revision, max(last) FILTER (WHERE name = 'event') AS event,
    max(last) FILTER (WHERE name = 'operation') AS operation
  FROM counters`;

export class DatabaseLife {
  readonly known: KnownLife;
  #numbers: Numbers;

  private constructor({ epoch, ...numbers }: LifeNow) {
    this.known = { epoch, newestEvent: new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT) };
    this.#numbers = numbers;
    this.saw(numbers.event);
  }

  /** Of a migrated database. */
  static async read(url: string): Promise<DatabaseLife> {
    const client = new pg.Client(sessionOptions(url, 'mooring epoch'));
    await client.connect();
    try {
      return new DatabaseLife(await readLife(client));
    } finally {
      await client.end();
    }
  }

  /** The newest that were seen. */
  get numbers(): Numbers {
    return { ...this.#numbers, event: newestOf(this.known) };
  }

  /** An event was reported: the database has it from now on, or has lost it. */
  saw(event: number): void {
    const newest = new BigInt64Array(this.known.newestEvent);
    if (event > Number(Atomics.load(newest, 0))) Atomics.store(newest, 0, BigInt(event));
  }

  async compare(client: pg.Client): Promise<Comparison> {
    const seen = this.numbers;
    const now = await readLife(client);
    const compared = compareLives({ epoch: this.known.epoch, event: seen.event }, now);
    if (compared !== 'same') return compared;
    this.#numbers = {
      revision: Math.max(seen.revision, now.revision),
      event: seen.event,
      operation: Math.max(seen.operation, now.operation),
    };
    return 'same';
  }
}

/** In the thread that has connections. */
export async function compareWithKnown(client: pg.Client, known: KnownLife): Promise<Comparison> {
  // Before the question: what is committed meanwhile is no loss.
  const event = newestOf(known);
  return compareLives({ epoch: known.epoch, event }, await readLife(client));
}

function compareLives(known: { readonly epoch: string; readonly event: number }, now: LifeNow): Comparison {
  if (known.epoch !== now.epoch) return 'another epoch';
  return now.event < known.event ? 'events are lost' : 'same';
}

function newestOf({ newestEvent }: KnownLife): number {
  return Number(Atomics.load(new BigInt64Array(newestEvent), 0));
}

async function readLife(client: pg.Client): Promise<LifeNow> {
  const { rows } = await client.query<LifeNow>({ text: lifeNow, types: resultTypes });
  const [now] = rows;
  if (now === undefined) throw new Error('the database has no numbers');
  return now;
}
