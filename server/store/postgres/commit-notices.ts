// Reports the commits of one process of a hub to the others, and that tokens or sessions have ended. A notice only wakes a process: what it then shows are rows, and the rows are asked
// each second, whether notices come or not.
import pg from 'pg';
import type { StoreLogger } from '../database/sqlite.ts';
import type { Commit } from '../port/store.ts';
import type { EpochWatch } from './epoch-watch.ts';
import { resultTypes, sessionOptions } from './session.ts';

const channel = 'mooring_commits';
/** Tokens or sessions have ended. The payload is the sender. */
const endsChannel = 'mooring_ends';
/** A new epoch has begun. The payload is the sender. */
const epochChannel = 'mooring_epoch';
/** https://www.postgresql.org/docs/current/sql-notify.html: a payload has less than 8,000 bytes. */
const payloadBytesMax = 7_900;
/** The first notice goes at once, further ones together. */
const pauseMs = 5;
const pollMs = 1_000;
/** A network that was cut without a word: this process would report nothing until the system gives the connection up, after minutes. */
const answerTimeoutMs = 5_000;
const pollWithoutNoticesMs = 100;

const newestEvents = `SELECT workspace_id AS id,
    (SELECT max(seq) FROM events WHERE events.workspace = workspaces.number) AS seq
  FROM workspaces WHERE deleted_at IS NULL`;

export class CommitNotices {
  readonly #url: string;
  readonly #logger: StoreLogger;
  readonly #onCommit: (commit: Commit) => void;
  readonly #epoch: Pick<EpochWatch, 'saw' | 'look'>;
  /** Sender of its notices, so that a process passes over its own. */
  readonly #self = crypto.randomUUID().slice(0, 8);
  readonly #lastSeen = new Map<string, number>();
  readonly #onEnds = new Set<() => void>();
  #outgoing = new Map<string, number>();
  #client: pg.Client | null = null;
  #lastQuery: Promise<unknown> = Promise.resolve();
  #pause: NodeJS.Timeout | null = null;
  #poll: NodeJS.Timeout | null = null;
  #isClosed = false;
  #hasWarned = false;

  private constructor(
    url: string,
    epoch: Pick<EpochWatch, 'saw' | 'look'>,
    logger: StoreLogger,
    onCommit: (commit: Commit) => void,
  ) {
    this.#url = url;
    this.#epoch = epoch;
    this.#logger = logger;
    this.#onCommit = onCommit;
  }

  static async start(
    url: string,
    epoch: Pick<EpochWatch, 'saw' | 'look'>,
    logger: StoreLogger,
    onCommit: (commit: Commit) => void,
  ): Promise<CommitNotices> {
    const notices = new CommitNotices(url, epoch, logger, onCommit);
    await notices.#connect();
    await notices.#ask();
    return notices;
  }

  /** This process has committed. A look at the rows may have been faster: nothing is reported twice. */
  committed({ workspaces }: Commit): void {
    for (const [workspaceId, seq] of workspaces) this.#outgoing.set(workspaceId, seq);
    this.#newer(workspaces);
    this.#sendSoon();
  }

  announceEnds(): void {
    void this.#notify(endsChannel, this.#self);
  }

  onEnds(listener: () => void): void {
    this.#onEnds.add(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#pause !== null) clearTimeout(this.#pause);
    if (this.#poll !== null) clearTimeout(this.#poll);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }

  #sendSoon(): void {
    if (this.#pause !== null) return;
    void this.#send();
    this.#pause = setTimeout(() => {
      this.#pause = null;
      if (this.#outgoing.size > 0) this.#sendSoon();
    }, pauseMs);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      ...sessionOptions(this.#url, 'mooring notices'),
      query_timeout: answerTimeoutMs,
    });
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', (notice) => {
      if (notice.channel === channel) this.#heard(notice.payload ?? '');
      else if (notice.channel === epochChannel) this.#askNow();
      else if (notice.payload !== this.#self) for (const listener of this.#onEnds) listener();
    });
    await client.connect();
    await client.query(`LISTEN ${channel}; LISTEN ${endsChannel}; LISTEN ${epochChannel}`);
    this.#client = client;
    this.#hasWarned = false;
  }

  #giveUp(client: pg.Client): void {
    this.#lost(client);
    client.connection.stream.destroy();
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    if (this.#isClosed || this.#hasWarned) return;
    this.#hasWarned = true;
    this.#logger.warn({}, 'the connection for notices is lost: the database is asked instead');
  }

  #heard(payload: string): void {
    const [sender, ...pairs] = payload.split(' ');
    if (sender === this.#self) return;
    this.#newer(
      pairs.map((pair) => pair.split(':') as [string, string]).map(([id, seq]) => [id, Number(seq)]),
    );
  }

  #newer(pairs: Iterable<readonly [workspaceId: string, seq: number]>): void {
    const workspaces = new Map<string, number>();
    for (const [workspaceId, seq] of pairs) {
      this.#epoch.saw(seq);
      if (seq <= (this.#lastSeen.get(workspaceId) ?? 0)) continue;
      this.#lastSeen.set(workspaceId, seq);
      workspaces.set(workspaceId, seq);
    }
    if (workspaces.size > 0) this.#onCommit({ workspaces });
  }

  async #send(): Promise<void> {
    const pairs = [...this.#outgoing].map(([workspaceId, seq]) => `${workspaceId}:${seq}`);
    this.#outgoing = new Map();
    let payload = this.#self;
    const payloads: string[] = [];
    for (const pair of pairs) {
      if (payload.length + pair.length + 1 > payloadBytesMax) {
        payloads.push(payload);
        payload = this.#self;
      }
      payload += ` ${pair}`;
    }
    if (payload !== this.#self) payloads.push(payload);
    for (const one of payloads) await this.#notify(channel, one);
  }

  /** What is not sent is found by asking. */
  async #notify(to: string, payload: string): Promise<void> {
    await this.#query('SELECT pg_notify($1, $2)', [to, payload]).catch(() => undefined);
  }

  async #query<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[] | null> {
    return await this.#using(
      async (client) => (await client.query<Row>({ text, values: [...values], types: resultTypes })).rows,
    );
  }

  /** One after the other, as the client requires it. null: there is no connection. */
  async #using<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result | null> {
    const use = async () => {
      const client = this.#client;
      if (client === null) return null;
      try {
        return await work(client);
      } catch (error) {
        // Nothing more comes over it, and the next query opens another.
        if (!(error instanceof pg.DatabaseError)) this.#giveUp(client);
        throw error;
      }
    };
    const result = this.#lastQuery.then(use, use);
    this.#lastQuery = result;
    return await result;
  }

  #askNow(): void {
    if (this.#poll === null) return;
    clearTimeout(this.#poll);
    this.#poll = null;
    void this.#ask();
  }

  /** Rows are the truth: the epoch, and the newest event of each workspace. */
  async #ask(): Promise<void> {
    if (this.#isClosed) return;
    this.#poll = null;
    try {
      if (this.#client === null) await this.#connect();
      if ((await this.#using((client) => this.#epoch.look(client))) === true) {
        // The others look as soon as they hear of it. This process ends, and reports nothing more.
        await this.#notify(epochChannel, this.#self);
        return;
      }
      const found = await this.#query<{ id: string; seq: number }>(newestEvents);
      this.#newer((found ?? []).filter(({ seq }) => seq !== null).map(({ id, seq }) => [id, seq]));
    } catch {
      // The database cannot be reached; reads and writes say so.
    }
    if (this.#isClosed) return;
    this.#poll = setTimeout(() => void this.#ask(), this.#client === null ? pollWithoutNoticesMs : pollMs);
  }
}
