// A workspace with a long history: 100,000 files, then ten revisions of each, 1,000,000 in all. What a page of history, an
// old revision, a difference, a file and a durable PUT cost beside each length, and how large the database is.
import { statSync } from 'node:fs';
import path from 'node:path';
import type { FileChange } from '../../server/core/change.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { openStore } from '../../server/store/open.ts';
import type { Store } from '../../server/store/port.ts';
import { databaseFileName } from '../../server/store/sqlite.ts';
import { type BenchAgent, benchFolder, removeBenchFolder, startBenchAgent } from './bench-agent.ts';
import { median, percentile, print } from './report.ts';

const files = Number(process.env.MOORING_BENCH_FILES ?? 100_000);
const lengths = [1, 10] as const;
const batchFiles = 1_000;
const asked = 400;
const workspaceId = 'rw_history1';

const scratch = benchFolder('history');
try {
  await run();
} finally {
  removeBenchFolder(scratch);
}

async function run(): Promise<void> {
  const dataDir = path.join(scratch, 'data');
  const putMs = new Map<number, number>();
  let written = 0;
  for (const length of lengths) {
    await seed(dataDir, written, length);
    written = length;
    const revisions = (files * length).toLocaleString('en-US');
    const bytes = databaseBytes(dataDir);
    print({
      name: `database with ${revisions} revisions`,
      value: bytes / (files * length),
      unit: 'B/rev',
      note: `${Math.round(bytes / 1024 / 1024)} MiB`,
    });
    const agent = await startBenchAgent(dataDir);
    try {
      putMs.set(length, await measure(agent, revisions));
    } finally {
      await agent.stop();
    }
  }
  const [short = 1, long = 1] = lengths.map((length) => putMs.get(length) ?? Number.NaN);
  print({
    name: 'PUT file: beside the long history / beside the short one',
    value: long / short,
    unit: 'x',
    reach: { at: 'most', value: 1.5 },
  });
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

async function seed(dataDir: string, from: number, to: number): Promise<void> {
  const logger = { warn: () => undefined, error: console.error };
  const settings = { historyDays: 30, historyRevisionsMin: 20, externalWriteback: 'auto' } as const;
  const store = await openStore({ dataDir, logger, clock: systemClock, settings });
  await store.workspaces.create({ workspaceId, name: 'History', createdAtMs: Date.now() });
  for (let round = from; round < to; round += 1) {
    for (let first = 0; first < files; first += batchFiles) await writeBatch(store, round, first);
  }
  await store.close();
}

async function writeBatch(store: Store, round: number, first: number): Promise<void> {
  const changes = await Promise.all(
    Array.from({ length: Math.min(batchFiles, files - first) }, async (_, k): Promise<FileChange> => {
      const text = `round ${round}\nfile ${first + k}\n`.padEnd(256, 'x');
      return {
        kind: 'write_file',
        path: filePath(first + k),
        precondition: { kind: 'any' },
        content: await store.files.stage(Buffer.from(text)),
        defaultContentType: 'text/plain',
        encoding: 'utf-8',
      };
    }),
  );
  await store.change({
    kind: 'change_files',
    workspaceId,
    changes,
    atomic: false,
    actor: { kind: 'token', name: 'bench', tokenId: null },
    origin: 'agent_write',
    access: null,
    correlationId: `seed-${round}-${first}`,
    makesOperations: true,
  });
}

/** Prints p95 of each call; answers the median milliseconds of a PUT. */
async function measure({ url, ownerToken }: BenchAgent, revisions: string): Promise<number> {
  const headers = { authorization: `Bearer ${ownerToken}`, 'x-correlation-id': 'bench', 'if-match': '*' };
  const base = `${url}/v1/workspaces/${workspaceId}/fs`;
  const call = async (rest: string, init: RequestInit = {}) => {
    const answer = await fetch(base + rest, { headers, ...init });
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${rest} answered ${answer.status}: ${body}`);
    return body;
  };
  const pathOf = (k: number) => filePath(Math.floor((k * files) / asked));
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
    [
      'PUT file (durable)',
      (k) => call(`/file?path=${pathOf(k)}`, { method: 'PUT', body: '{"content":"new"}' }),
    ],
  ];
  let medianMs = Number.NaN;
  for (const [name, one] of calls) {
    const tookMs: number[] = [];
    for (let k = 0; k < asked; k += 1) {
      const start = performance.now();
      await one(k);
      tookMs.push(performance.now() - start);
    }
    medianMs = median(tookMs);
    print({
      name: `${name}, ${revisions} revisions, p95`,
      value: percentile(tookMs, 0.95),
      unit: 'ms',
      note: `median ${medianMs.toPrecision(3)} ms`,
    });
  }
  return medianMs;
}
