// What the processes of a hub share besides rows of workspaces: keys and secrets, sealed with the master key, the list of the
// processes, and which of them does the work in the background.
import pg from 'pg';
import { createSecretBox, type SecretBox } from '../../platform/crypto/secret-box.ts';
import { packageVersion } from '../../platform/version.ts';
import type { StoreLogger } from '../database/sqlite.ts';
import type { LostTail, Member, SecretKind, SharedState } from '../port/shared.ts';
import type { CommitNotices } from './commit-notices.ts';
import type { EpochWatch } from './epoch-watch.ts';
import { HubDeletes } from './hub-deletes.ts';
import { listLostTails } from './hub-epoch.ts';
import { HubOneTimeTexts, HubSignInSessions } from './hub-sign-ins.ts';
import { resultTypes, sessionOptions } from './session.ts';
import { UnfitDatabaseError } from './unfit-database.ts';

/** Any number that only the process that leads has locked. */
const leaderLock = 0x6d6f6f74;
const beatMs = 1_000;
/** A process that was not seen for this long has ended. */
const goneAfterMs = 10_000;

export class HubState implements SharedState {
  readonly #pool: pg.Pool;
  readonly #url: string;
  readonly #box: SecretBox;
  readonly #logger: StoreLogger;
  readonly #nowMs: () => number;
  readonly id = `prc_${crypto.randomUUID().slice(0, 8)}`;
  readonly deletes: HubDeletes;
  readonly signInSessions: HubSignInSessions;
  readonly oneTimeTexts: HubOneTimeTexts;
  readonly epochEnded: Promise<void>;
  readonly #notices: Pick<CommitNotices, 'announceEnds' | 'onEnds'>;
  readonly #startedAtMs: number;
  #leader: pg.Client | null = null;
  #beat: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(
    pool: pg.Pool,
    { url, masterKey }: { readonly url: string; readonly masterKey: Uint8Array },
    logger: StoreLogger,
    nowMs: () => number,
    notices: Pick<CommitNotices, 'announceEnds' | 'onEnds'>,
    epoch: Pick<EpochWatch, 'ended'>,
  ) {
    this.#pool = pool;
    this.epochEnded = epoch.ended;
    this.#notices = notices;
    this.deletes = new HubDeletes(pool);
    this.signInSessions = new HubSignInSessions(pool);
    this.oneTimeTexts = new HubOneTimeTexts(pool);
    this.#url = url;
    this.#box = createSecretBox(masterKey, 'hub secrets');
    this.#logger = logger;
    this.#nowMs = nowMs;
    this.#startedAtMs = nowMs();
  }

  /** This process does the work in the background. */
  get isLeader(): boolean {
    return this.#leader !== null;
  }

  /** Throws UnfitDatabaseError when the master key is another one than that of the other processes. */
  async start(): Promise<void> {
    await this.keep('check', () => 'mooring');
    await this.#announce();
    const again = () => {
      this.#beat = setTimeout(() => {
        void this.#announce()
          .catch(() => undefined)
          .finally(() => {
            if (!this.#isClosed) again();
          });
      }, beatMs);
    };
    again();
  }

  async keep(name: string, make: () => string): Promise<string> {
    await this.#pool.query('INSERT INTO keys (name, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      name,
      this.#box.seal(make()),
    ]);
    const { rows } = await this.#pool.query<{ sealed: string }>('SELECT sealed FROM keys WHERE name = $1', [
      name,
    ]);
    return this.#opened(rows[0]?.sealed ?? '');
  }

  async secrets(kind: SecretKind): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.#pool.query<{ key: string; sealed: string }>(
      'SELECT key, sealed FROM secrets WHERE kind = $1',
      [kind],
    );
    return new Map(rows.map(({ key, sealed }) => [key, this.#opened(sealed)]));
  }

  async putSecret(kind: SecretKind, key: string, secret: string): Promise<void> {
    await this.#pool.query(
      `INSERT INTO secrets (kind, key, sealed) VALUES ($1, $2, $3)
         ON CONFLICT (kind, key) DO UPDATE SET sealed = excluded.sealed`,
      [kind, key, this.#box.seal(secret)],
    );
  }

  async removeSecrets(kind: SecretKind, keys: readonly string[]): Promise<void> {
    await this.#pool.query('DELETE FROM secrets WHERE kind = $1 AND key = ANY($2)', [kind, [...keys]]);
  }

  announceEnds(): void {
    this.#notices.announceEnds();
  }

  onEnds(listener: () => void): void {
    this.#notices.onEnds(listener);
  }

  async leads(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#isClosed) {
      if (await this.#tryToLead()) return;
      await new Promise((resolve) => {
        setTimeout(resolve, beatMs);
      });
    }
    // Never resolves: what waits for the lead has nothing to do any more.
    await new Promise(() => undefined);
  }

  async lostTails(): Promise<readonly LostTail[]> {
    return await listLostTails(this.#pool);
  }

  async members(): Promise<readonly Member[]> {
    const { rows } = await this.#pool.query<{
      id: string;
      version: string;
      started_at: number;
      seen_at: number;
      leads: number;
    }>({
      text: 'SELECT id, version, started_at, seen_at, leads FROM members WHERE seen_at > $1 ORDER BY started_at, id',
      values: [this.#nowMs() - goneAfterMs],
      types: resultTypes,
    });
    return rows.map((row) => ({
      id: row.id,
      version: row.version,
      startedAtMs: row.started_at,
      seenAtMs: row.seen_at,
      leads: row.leads === 1,
    }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#beat !== null) clearTimeout(this.#beat);
    await this.#pool.query('DELETE FROM members WHERE id = $1', [this.id]).catch(() => undefined);
    const leader = this.#leader;
    this.#leader = null;
    await leader?.end().catch(() => undefined);
  }

  /** The lock is held by a connection of its own, so that it ends with the process. */
  async #tryToLead(): Promise<boolean> {
    const client = new pg.Client(sessionOptions(this.#url, 'mooring leader'));
    client.on('error', () => this.#lostLead(client));
    client.on('end', () => this.#lostLead(client));
    try {
      await client.connect();
      const { rows } = await client.query<{ taken: number }>({
        text: 'SELECT pg_try_advisory_lock($1) AS taken',
        values: [leaderLock],
        types: resultTypes,
      });
      if (rows[0]?.taken !== 1) {
        await client.end();
        return false;
      }
      this.#leader = client;
      this.#logger.info({}, 'this process does the work in the background');
      return true;
    } catch {
      return false;
    }
  }

  /** Another process may lead from now on. This one continues as well: leases and states of rows keep both from doing a thing twice. */
  #lostLead(client: pg.Client): void {
    if (this.#leader !== client) return;
    this.#leader = null;
    if (!this.#isClosed) this.#logger.warn({}, 'the connection of the process that leads was lost');
  }

  async #announce(): Promise<void> {
    const nowMs = this.#nowMs();
    await this.#pool.query(
      `INSERT INTO members (id, version, started_at, seen_at, leads) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, leads = excluded.leads`,
      [this.id, packageVersion, this.#startedAtMs, nowMs, this.#leader === null ? 0 : 1],
    );
    if (this.#leader !== null)
      await this.#pool.query('UPDATE members SET leads = 0 WHERE id <> $1 AND leads = 1', [this.id]);
    await this.#pool.query('DELETE FROM members WHERE seen_at < $1', [nowMs - 60 * goneAfterMs]);
  }

  #opened(sealed: string): string {
    const text = this.#box.open(sealed);
    if (text === null)
      throw new UnfitDatabaseError(
        'The secrets in the database are sealed with another master key: start with the --master-key-file of the other processes.',
      );
    return text;
  }
}
