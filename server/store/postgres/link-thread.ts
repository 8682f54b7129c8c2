// The thread that holds connections to PostgreSQL. Code in tables/ is synchronous: it runs in threads of its own, which wait here for
// their answers. One connection for each of them; statements of one message are sent without waiting for each other.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import type { LinkEnd } from '../port/access.ts';
import type { FromLink, LinkResult, LinkSettings, LinkStatement, ToLink } from './link-messages.ts';
import { isLostConnection, oid, resultTypes, sessionOptions } from './session.ts';

class LinkedConnection {
  readonly #settings: LinkSettings;
  readonly #port: MessagePort;
  readonly #signal: Int32Array;
  #client: Promise<pg.Client> | null = null;
  #order: Promise<void> = Promise.resolve();

  constructor(settings: LinkSettings, { port, signal }: LinkEnd) {
    this.#settings = settings;
    this.#port = port;
    this.#signal = new Int32Array(signal);
    port.on('message', (message: ToLink) => {
      this.#order = this.#order.then(() => this.#take(message));
    });
    port.on('close', () => void this.#end());
  }

  async #take(message: ToLink): Promise<void> {
    if (message.kind === 'close') {
      await this.#end();
      return;
    }
    const answer = await this.#run(message.statements);
    this.#port.postMessage(answer);
    Atomics.add(this.#signal, 0, 1);
    Atomics.notify(this.#signal, 0);
  }

  async #run(statements: readonly LinkStatement[]): Promise<FromLink> {
    let client: pg.Client;
    try {
      this.#client ??= this.#connect();
      client = await this.#client;
    } catch (error) {
      this.#client = null;
      return failed(error);
    }
    const results = await Promise.allSettled(
      statements.map(({ name, text, values }) =>
        client.query({
          ...(name === null ? {} : { name }),
          text,
          values: [...values],
          rowMode: 'array',
          types: resultTypes,
        }),
      ),
    );
    // After the first that failed, the others only say that the transaction is at its end.
    const refused = results.find((result) => result.status === 'rejected');
    if (refused !== undefined) {
      const answer = failed(refused.reason);
      if (!answer.ok && answer.code === null) await this.#end();
      return answer;
    }
    return {
      ok: true,
      results: results.map((result) =>
        resultOf((result as PromiseFulfilledResult<pg.QueryArrayResult>).value),
      ),
    };
  }

  async #connect(): Promise<pg.Client> {
    const { url, applicationName } = this.#settings;
    const client = new pg.Client({
      ...sessionOptions(url, applicationName),
      pipeline: true,
    } as pg.ClientConfig);
    // A connection that is lost between two statements: the next one opens another.
    client.on('error', () => {
      this.#client = null;
    });
    await client.connect();
    return client;
  }

  async #end(): Promise<void> {
    const ending = this.#client;
    this.#client = null;
    try {
      await (await ending)?.end();
    } catch {
      // It is gone already.
    }
  }
}

function resultOf({ fields, rows, rowCount, command }: pg.QueryArrayResult): LinkResult {
  const columns = fields.map(({ name, dataTypeID }) => ({ name, isBytes: dataTypeID === oid.bytea }));
  return { count: rowCount ?? 0, columns, rows, tag: command };
}

function failed(error: unknown): FromLink {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof pg.DatabaseError ? (error.code ?? null) : null;
  return { ok: false, message, code: isLostConnection(error) ? null : code };
}

const settings = workerData as LinkSettings;
parentPort?.on('message', (end: LinkEnd) => {
  new LinkedConnection(settings, end);
});
