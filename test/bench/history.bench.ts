// A workspace with a long history: 100,000 files, then ten revisions of each, 1,000,000 in all. What a page of history, an
// old revision, a difference, a file and a durable PUT cost beside each length, and how large the database is. And whether a PUT
// minds how long the history of its own file is.
import { cpSync, statSync } from 'node:fs';
import path from 'node:path';
import type { FileChange } from '../../server/core/change/change.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { databaseFileName } from '../../server/store/database/sqlite.ts';
import { openStore } from '../../server/store/open.ts';
import type { Store } from '../../server/store/port/store.ts';
import { type BenchAgent, benchFolder, removeBenchFolder, startBenchAgent } from './bench-agent.ts';
import { alternate, median, percentile, print, printComparison, roundsMin } from './report.ts';

const files = Number(process.env.MOORING_BENCH_FILES ?? 100_000);
const lengths = [1, 10] as const;
const batchFiles = 1_000;
const asked = 400;
/** Revisions of one file, among others that have ten. */
const longFileRevisions = 10_000;
const longFile = '/long/history.txt';
const workspaceId = 'rw_history1';
/** After the first revision of each file. */
let firstRoundAtMs = 0;

const scratch = benchFolder('history');
try {
  await run();
} finally {
  removeBenchFolder(scratch);
}

async function run(): Promise<void> {
  const [short, long] = lengths.map((length) => path.join(scratch, `of-${length}`)) as [string, string];
  await seed(short, 0, lengths[0]);
  firstRoundAtMs = Date.now();
  await report(short, lengths[0]);
  cpSync(short, long, { recursive: true });
  await seed(long, lengths[0], lengths[1]);
  await report(long, lengths[1]);
  await withAgents([short, long], async (beside, besideLong) => {
    await compare(
      `PUT file beside ${revisionsOf(lengths[1])} revisions`,
      `beside ${revisionsOf(lengths[0])}`,
      (k) => put(besideLong, pathOf(k), k),
      (k) => put(beside, pathOf(k), k),
    );
  });
  await withAgents([long], async (call) => {
    await compare(
      `GET tree of the root, ${files / 100} folders, at a point in time`,
      'now',
      async () => void (await call(treeThen('/'))),
      async () => void (await call('/tree?depth=1')),
      2,
    );
    await compare(
      `GET tree of the root, ${files / 100} folders, at a point in time, asked for the first time`,
      'now',
      async (k) => void (await call(treeThen('/', k + 1))),
      async () => void (await call('/tree?depth=1')),
      20,
    );
  });
  await seedLongFile(long);
  await withAgents([long], async (call) => {
    const own = longFileRevisions.toLocaleString('en-US');
    await compare(
      `PUT file with ${own} revisions of its own`,
      `with ${lengths[1]}`,
      (k) => put(call, longFile, k),
      (k) => put(call, pathOf(k), k),
    );
  });
}

async function report(dataDir: string, length: number): Promise<void> {
  const bytes = databaseBytes(dataDir);
  print({
    name: `database with ${revisionsOf(length)} revisions`,
    value: bytes / (files * length),
    unit: 'B/rev',
    note: `${Math.round(bytes / 1024 / 1024)} MiB`,
  });
  await withAgents([dataDir], async (call) => await measure(call, revisionsOf(length)));
}

function revisionsOf(length: number): string {
  return (files * length).toLocaleString('en-US');
}

/** What is not in the database file yet lies in its log. */
function databaseBytes(dataDir: string): number {
  const file = path.join(dataDir, databaseFileName);
  return [file, `${file}-wal`].reduce(
    (sum, name) => sum + (statSync(name, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function filePath(n: number): string {
  return `/d${Math.floor(n / 100)}/file-${n}.txt`;
}

async function withStore(dataDir: string, use: (store: Store) => Promise<void>): Promise<void> {
  const logger = { info: () => undefined, warn: () => undefined, error: console.error };
  const settings = { historyDays: 30, historyRevisionsMin: 20, externalWriteback: 'auto' } as const;
  const store = await openStore({ dataDir, logger, clock: systemClock, settings });
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

async function seed(dataDir: string, from: number, to: number): Promise<void> {
  await withStore(dataDir, async (store) => {
    await store.workspaces.create({ workspaceId, name: 'History', createdAtMs: Date.now() });
    for (let round = from; round < to; round += 1) {
      for (let first = 0; first < files; first += batchFiles) {
        const numbers = Array.from({ length: Math.min(batchFiles, files - first) }, (_, k) => first + k);
        const written = numbers.map((n) => ({ path: filePath(n), text: `round ${round}\nfile ${n}\n` }));
        await write(store, written, `seed-${round}-${first}`);
      }
    }
  });
}

/** One write after the other, as they come in a life; those that wait are one commit. */
async function seedLongFile(dataDir: string): Promise<void> {
  await withStore(dataDir, async (store) => {
    for (let first = 0; first < longFileRevisions; first += batchFiles) {
      const numbers = Array.from({ length: batchFiles }, (_, k) => first + k);
      await Promise.all(
        numbers.map((n) => write(store, [{ path: longFile, text: `revision ${n}\n` }], `long-${n}`)),
      );
    }
  });
}

interface WrittenFile {
  readonly path: string;
  readonly text: string;
}

async function write(store: Store, written: readonly WrittenFile[], correlationId: string): Promise<void> {
  const changes = await Promise.all(
    written.map(
      async ({ path: name, text }): Promise<FileChange> => ({
        kind: 'write_file',
        path: name,
        precondition: { kind: 'any' },
        content: await store.content.stage(Buffer.from(text.padEnd(256, 'x'))),
        defaultContentType: 'text/plain',
        encoding: 'utf-8',
      }),
    ),
  );
  await store.content.change({
    kind: 'change_files',
    workspaceId,
    changes,
    atomic: false,
    actor: { kind: 'token', name: 'bench', tokenId: null },
    origin: 'agent_write',
    access: null,
    correlationId,
    makesOperations: true,
  });
}

type Call = (rest: string, init?: RequestInit) => Promise<string>;

/** An agent for each data directory, stopped again. */
async function withAgents<const T extends readonly string[]>(
  dataDirs: T,
  use: (...calls: { [K in keyof T]: Call }) => Promise<void>,
): Promise<void> {
  const agents: BenchAgent[] = [];
  try {
    for (const dataDir of dataDirs) agents.push(await startBenchAgent(dataDir));
    await use(...(agents.map(callerOf) as { [K in keyof T]: Call }));
  } finally {
    for (const agent of agents) await agent.stop();
  }
}

function callerOf({ url, ownerToken }: BenchAgent): Call {
  const headers = { authorization: `Bearer ${ownerToken}`, 'x-correlation-id': 'bench', 'if-match': '*' };
  const base = `${url}/v1/workspaces/${workspaceId}/fs`;
  return async (rest, init = {}) => {
    const answer = await fetch(base + rest, { headers, ...init });
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${rest} answered ${answer.status}: ${body}`);
    return body;
  };
}

async function put(call: Call, file: string, k: number): Promise<void> {
  await call(`/file?path=${file}`, { method: 'PUT', body: `{"content":"put ${k}"}` });
}

type Step = (k: number) => Promise<void>;

/** Each call of one side follows the same call of the other. */
async function compare(name: string, floorName: string, one: Step, floor: Step, most = 1.5): Promise<void> {
  const timed = async (step: Step, k: number) => {
    const start = performance.now();
    await step(k);
    return performance.now() - start;
  };
  const medians = { own: [] as number[], floor: [] as number[] };
  const perRound = asked / roundsMin;
  for (let round = 0; round < roundsMin; round += 1) {
    const tookMs = await alternate(
      perRound,
      (k) => timed(one, round * perRound + k),
      (k) => timed(floor, round * perRound + k),
    );
    medians.own.push(median(tookMs.own));
    medians.floor.push(median(tookMs.floor));
  }
  printComparison({ name, unit: 'ms', floorName, ...medians, reach: { at: 'most', value: most } });
}

/** `laterMs`: another point in time with the same tree, whose response is not in memory. */
function treeThen(folder: string, laterMs = 0): string {
  return `/history/tree?path=${folder}&depth=1&at=${timeThen(laterMs)}`;
}

/** The second revision of a file is made long after the longest of these. */
function timeThen(laterMs = 0): string {
  return new Date(firstRoundAtMs + laterMs).toISOString();
}

function pathOf(k: number): string {
  return filePath(Math.floor((k * files) / asked));
}

/** Prints p95 of each call. */
async function measure(call: Call, revisions: string): Promise<void> {
  const oldest = new Map<string, string>();
  const calls: readonly (readonly [name: string, one: (k: number) => Promise<unknown>])[] = [
    ['GET file', (k) => call(`/file?path=${pathOf(k)}`)],
    [
      'GET history',
      async (k) => {
        const page = JSON.parse(await call(`/history?path=${pathOf(k)}`)) as {
          entries: { revision: string }[];
        };
        oldest.set(pathOf(k), page.entries.at(-1)?.revision ?? '');
      },
    ],
    [
      'GET file at its oldest revision',
      (k) => call(`/file?path=${pathOf(k)}&revision=${oldest.get(pathOf(k))}`),
    ],
    [
      'GET diff from its oldest revision',
      (k) => call(`/diff?path=${pathOf(k)}&from=${oldest.get(pathOf(k))}`),
    ],
    ['GET history of everything, a page', () => call('/history?below=true')],
    ['GET tree as it was, a folder of 100', (k) => call(treeThen(path.dirname(pathOf(k)), k))],
    [`GET tree as it was, the root of ${files / 100} folders`, (k) => call(treeThen('/', k))],
    ['GET file as it was', (k) => call(`/file?path=${pathOf(k)}&at=${timeThen()}`)],
    [
      'POST restore of a folder of 100, dry run',
      (k) =>
        call('/restore', {
          method: 'POST',
          body: JSON.stringify({
            path: path.dirname(pathOf(k)),
            revision: oldest.get(pathOf(k)),
            dryRun: true,
          }),
        }),
    ],
    ['PUT file (durable)', (k) => put(call, pathOf(k), k)],
  ];
  for (const [name, one] of calls) {
    const tookMs: number[] = [];
    for (let k = 0; k < asked; k += 1) {
      const start = performance.now();
      await one(k);
      tookMs.push(performance.now() - start);
    }
    print({
      name: `${name}, ${revisions} revisions, p95`,
      value: percentile(tookMs, 0.95),
      unit: 'ms',
      note: `median ${median(tookMs).toPrecision(3)} ms`,
    });
  }
}
