// A thread that runs reads of the store, one at a time, and waits for each of its statements.
import { parentPort, workerData } from 'node:worker_threads';
import type { FileEntry } from '../../core/entry.ts';
import { readNamed } from '../adapters/reads.ts';
import { snapshotPages } from '../adapters/snapshot-reads.ts';
import { ServerFault } from '../database/server-fault.ts';
import type { LinkEnd } from '../port/access.ts';
import { CorruptContentError } from '../port/errors.ts';
import { firstStatementOf } from './read-ahead.ts';
import type { FromReader, ToReader } from './read-messages.ts';
import { PostgresReadStatements } from './read-statements.ts';

/** Reads whose first rows are in memory at once: each may have the text of a small file. */
const togetherMax = 32;

type Pages = AsyncGenerator<readonly FileEntry[], undefined>;

function serve(): void {
  const port = parentPort;
  if (port === null) throw new Error('reads run only in a worker thread');
  const statements = new PostgresReadStatements(workerData as LinkEnd);
  const begun = new Map<number, Pages>();
  const resultOf = async (message: ToReader): Promise<unknown> => {
    switch (message.kind) {
      case 'read':
        return await readNamed(message.subject, message.name)(statements, ...(message.input as never[]));
      case 'hold':
        statements.holdState({ idleMinutes: snapshotIdleMinutes });
        return null;
      case 'pages':
        begun.set(message.pages, snapshotPages(statements, ...message.input));
        return null;
      case 'next': {
        const step = await begun.get(message.pages)?.next();
        return step?.done === false ? step.value : null;
      }
      default:
        return message satisfies never;
    }
  };
  const answer = async (message: ToReader): Promise<FromReader> => {
    try {
      return { id: message.id, ok: true, result: await resultOf(message) };
    } catch (thrown) {
      statements.recover();
      return refusal(message.id, thrown);
    }
  };
  const waiting: ToReader[] = [];
  let isServing = false;
  /** The first of those that wait; what arrives meanwhile waits for the next call. */
  const serveWaiting = async () => {
    const messages = waiting.splice(0, togetherMax);
    try {
      statements.readAhead(messages.flatMap((message) => firstStatementOf(message) ?? []));
    } catch {
      // Each of the reads asks again, and reports it.
      statements.recover();
    }
    for (const message of messages) port.postMessage(await answer(message));
    // The next read takes the end of this one along.
    setImmediate(() => {
      if (waiting.length > 0) return void serveWaiting();
      isServing = false;
      statements.rest();
    });
  };
  port.on('message', (message: ToReader) => {
    waiting.push(message);
    if (isServing) return;
    isServing = true;
    // After the messages that wait already.
    setImmediate(() => void serveWaiting());
  });
}

/** A client that takes this long between two pages of an export has gone. */
const snapshotIdleMinutes = 10;

function refusal(id: number, thrown: unknown): FromReader {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return {
    id,
    ok: false,
    isPassing: error instanceof ServerFault && error.isPassing,
    name: error.name,
    message: error.message,
    stack: error.stack ?? error.message,
    hash: error instanceof CorruptContentError ? error.hash : null,
  };
}

serve();
