// A thread that waits for its statements gets the answer to them, and no other: neither a wake-up that is late nor an answer that is.
import { MessageChannel, Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { PostgresReadStatements } from '../../../server/store/postgres/read-statements.ts';
import { PostgresWriteStatements } from '../../../server/store/postgres/write-statements.ts';

/** The other end, in place of link-thread.ts: a database whose answers are the numbers of its messages, and with them what was sent before. */
const otherEnd = `
  const { workerData } = require('node:worker_threads');
  const { port, signal, wakeUps, repeatsLast, changes } = workerData;
  const words = new Int32Array(signal);
  const columns = [{ name: 'n', isBytes: false }, { name: 'sent', isBytes: false }];
  const sent = [];
  let last = null;
  port.on('message', (message) => {
    if (message.kind !== 'run') return;
    for (let i = 0; i < wakeUps; i++) {
      Atomics.notify(words, 0);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
    if (repeatsLast && last !== null) port.postMessage(last);
    const rows = [[message.id, sent.join('; ')]];
    for (const { text } of message.statements) sent.push(text);
    last = { id: message.id, ok: true, results: message.statements.map(({ text }) => ({ count: changes, columns, rows, tag: text })) };
    port.postMessage(last);
    Atomics.add(words, 0, 1);
    Atomics.notify(words, 0);
  });
`;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

interface How {
  readonly wakeUps: number;
  readonly repeatsLast: boolean;
  /** Rows that each statement changes. */
  readonly changes?: number;
}

function connected(how: How): PostgresReadStatements {
  return new PostgresReadStatements(endOf(how));
}

function endOf(how: How): ConstructorParameters<typeof PostgresReadStatements>[0] {
  const { port1, port2 } = new MessageChannel();
  const signal = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const worker = new Worker(otherEnd, {
    eval: true,
    workerData: { port: port2, signal, changes: 1, ...how },
    transferList: [port2],
  });
  ends.push(() => worker.terminate());
  return { port: port1, signal };
}

test('a wake-up that belongs to the answer before is no answer', () => {
  const statements = connected({ wakeUps: 20, repeatsLast: false });
  for (const n of [1, 2, 3, 4, 5]) expect(statements.get('SELECT n FROM numbers')).toMatchObject({ n });
});

test('an answer to other statements is not taken for the one to these', () => {
  const statements = connected({ wakeUps: 0, repeatsLast: true });
  for (const n of [1, 2, 3, 4, 5]) expect(statements.get('SELECT n FROM numbers')).toMatchObject({ n });
});

test('reads that wait together take one message, and the next ones ask anew', () => {
  const statements = connected({ wakeUps: 0, repeatsLast: false });
  const sql = 'SELECT n FROM numbers WHERE path = ?';
  const read = (path: string) => statements.get(sql, path);
  statements.readAhead(['/a', '/b', '/c'].map((path) => ({ sql, values: [path] })));
  expect([read('/a'), read('/b'), read('/c'), read('/a')]).toMatchObject([
    { n: 1 },
    { n: 1 },
    { n: 1 },
    { n: 1 },
  ]);
  expect(read('/other')).toMatchObject({ n: 2 });
  statements.readAhead([]);
  expect(read('/a')).toMatchObject({ n: 3 });
});

test('the reads of one call take one message, are forgotten after it, and differ by each byte of their values', () => {
  const statements = connected({ wakeUps: 0, repeatsLast: false });
  const sql = 'SELECT n FROM numbers WHERE hash = ?';
  const [first, second, third] = [0xff, 0xfe, 0xfd].map((byte) => Buffer.from([byte])) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  const asked = [first, second].map((value) => ({ sql, values: [value] }));
  const read = (value: Buffer) => statements.get(sql, value);
  expect(statements.together(asked, () => [first, second, third].map(read))).toMatchObject([
    { n: 1 },
    { n: 1 },
    { n: 2 },
  ]);
  expect(read(first)).toMatchObject({ n: 3 });
  const fails = () =>
    statements.together(asked, () => {
      throw new Error('a row that cannot be');
    });
  expect(fails).toThrow('a row that cannot be');
  expect(read(first)).toMatchObject({ n: 5 });
});

test('a statement that must change one row, and does not, fails its transaction before the commit is sent', () => {
  for (const changes of [0, 1]) {
    const end = endOf({ wakeUps: 0, repeatsLast: false, changes });
    const statements = new PostgresWriteStatements(
      end,
      () => 'an-id',
      () => 0,
    );
    statements.begin([]);
    statements.runOne('a content is missing', 'UPDATE blobs SET refs = refs - 1 WHERE hash = ?', 'ab');
    if (changes === 0) expect(() => statements.commit()).toThrow('a content is missing');
    else statements.commit();
    const { sent } = statements.get<{ sent: string }>('SELECT sent FROM numbers') ?? { sent: '' };
    expect(sent).toContain('UPDATE blobs');
    expect(sent.includes('COMMIT')).toBe(changes === 1);
  }
});
