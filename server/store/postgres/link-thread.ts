// The thread that holds connections to PostgreSQL. Code in tables/ is synchronous: it runs in threads of its own, which wait here for
// their answers. One connection for each of them; statements of one message are sent without waiting for each other.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import type { LinkEnd } from '../port/access.ts';
import { compareWithKnown } from './database-life.ts';
import type { Answer, FromLink, LinkResult, LinkSettings, LinkStatement, ToLink } from './link-messages.ts';
import { isLostConnection, limitTransactions, oid, resultTypes, sessionOptions } from './session.ts';

class LinkedConnection {
  readonly #settings: LinkSettings;
  readonly #port: MessagePort;
  readonly #signal: Int32Array;
  #client: Promise<pg.Client> | null = null;
  /** The connection of a transaction that has not ended. */
  #transaction: Promise<pg.Client> | null = null;
  #order: Promise<void> = Promise.resolve();
  /** Messages that are not answered yet: more than one after a connection was given up. */
  #running = 0;

  constructor(settings: LinkSettings, { port, signal }: LinkEnd) {
    this.#settings = settings;
    this.#port = port;
    this.#signal = new Int32Array(signal);
    port.on('message', (message: ToLink) => {
      if (message.kind === 'close') this.#giveUp();
      else this.#order = this.#order.then(() => this.#take(message));
    });
    port.on('close', () => void this.#end());
  }

  async #take({ id, statements }: Extract<ToLink, { kind: 'run' }>): Promise<void> {
    this.#running += 1;
    const answer = await this.#run(statements);
    this.#running -= 1;
    this.#port.postMessage({ id, ...answer } satisfies FromLink);
    Atomics.add(this.#signal, 0, 1);
    Atomics.notify(this.#signal, 0);
  }

  async #run(statements: readonly LinkStatement[]): Promise<Answer> {
    // On another connection each statement would be a transaction of its own, without the lock of the group.
    if (this.#transaction !== null && this.#transaction !== this.#client) {
      this.#transaction = null;
      return { ok: false, message: 'the connection was lost within a transaction', code: null };
    }
    this.#client ??= this.#connect();
    this.#transaction = transactionAfter(statements, this.#transaction, this.#client);
    const connecting = this.#client;
    let client: pg.Client;
    try {
      client = await connecting;
    } catch (error) {
      this.#forget(connecting);
      return failed(error);
    }
    const results = await Promise.allSettled(sendTogether(client, statements));
    // After the first that failed, the others only say that the transaction is at its end.
    const refused = results.find((result) => result.status === 'rejected');
    if (refused !== undefined) {
      const answer = failed(refused.reason);
      if (!answer.ok && answer.code === null) await this.#end(connecting);
      return answer;
    }
    return {
      ok: true,
      results: results.map((result) =>
        resultOf((result as PromiseFulfilledResult<pg.QueryArrayResult>).value),
      ),
    };
  }

  #connect(): Promise<pg.Client> {
    const { url, applicationName, life } = this.#settings;
    const client = new pg.Client({
      ...sessionOptions(url, applicationName),
      pipeline: true,
    } as pg.ClientConfig);
    // A connection that is lost between two statements: the next one opens another.
    const connect = async () => {
      await client.connect();
      await client.query(limitTransactions('60s'));
      const compared = await compareWithKnown(client, life);
      if (compared === 'same') return client;
      await client.end();
      throw new Error(`the database is not the one that it was: ${compared}`);
    };
    const connecting = connect();
    client.on('error', () => this.#forget(connecting));
    return connecting;
  }

  /** Without waiting for what runs: over a network that is cut it has no end. */
  #giveUp(): void {
    const client = this.#client;
    if (this.#running > 0) void client?.then(destroy, () => undefined);
    else void this.#end();
    this.#client = null;
    this.#transaction = null;
    this.#order = Promise.resolve();
  }

  #forget(lost: Promise<pg.Client>): void {
    if (this.#client === lost) this.#client = null;
  }

  async #end(ending: Promise<pg.Client> | null = this.#client): Promise<void> {
    if (ending === null) return;
    this.#forget(ending);
    try {
      await (await ending).end();
    } catch {
      // It is gone already.
    }
  }
}

/** In one write to the network: the client would make one for each statement. */
function sendTogether(
  client: pg.Client,
  statements: readonly LinkStatement[],
): readonly Promise<pg.QueryArrayResult>[] {
  const { stream } = client.connection;
  stream.cork();
  try {
    return statements.map(({ name, text, values }) =>
      client.query({
        ...(name === null ? {} : { name }),
        text,
        values: [...values],
        rowMode: 'array',
        types: resultTypes,
      }),
    );
  } finally {
    stream.uncork();
  }
}

/** The one that is open after these statements. */
function transactionAfter<T>(
  statements: readonly LinkStatement[],
  before: T | null,
  connection: T,
): T | null {
  return statements.reduce<T | null>((open, { text }) => {
    if (text.startsWith('BEGIN')) return connection;
    return text === 'COMMIT' || text === 'ROLLBACK' ? null : open;
  }, before);
}

/** The server ends the transaction when it notices. */
function destroy(client: pg.Client): void {
  client.connection.stream.destroy();
}

function resultOf({ fields, rows, rowCount, command }: pg.QueryArrayResult): LinkResult {
  const columns = fields.map(({ name, dataTypeID }) => ({ name, isBytes: dataTypeID === oid.bytea }));
  return { count: rowCount ?? 0, columns, rows, tag: command };
}

function failed(error: unknown): Answer {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof pg.DatabaseError ? (error.code ?? null) : null;
  return { ok: false, message, code: isLostConnection(error) ? null : code };
}

const settings = workerData as LinkSettings;
parentPort?.on('message', (end: LinkEnd) => {
  new LinkedConnection(settings, end);
});
