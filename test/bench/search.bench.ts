// Searches beside many files of real text: time of the first answer by mode, of a new file until it is found, size of the index, what indexing
// costs, and PUT and bulk writes with the index beside the same without one. The text is that of the packages and of the system's documentation
// on this machine; the bench says how much there was.
import { isUtf8 } from 'node:buffer';
import { chmodSync, type Dirent, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FileChange } from '../../server/core/change/change.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { indexedFileBytesMax } from '../../server/search/limits.ts';
import { openStore } from '../../server/store/open.ts';
import {
  type BenchAgent,
  benchFolder,
  cpuSeconds,
  removeBenchFolder,
  residentMb,
  startBenchAgent,
} from './bench-agent.ts';
import { alternate, median, percentile, print, printComparison, roundsMin } from './report.ts';

const filesMax = Number(process.env.MOORING_BENCH_FILES ?? 100_000);
const asked = 60;
const workspaceId = 'rw_search01';
const places = [
  path.resolve(import.meta.dirname, '../../node_modules'),
  '/usr/share',
  '/usr/lib/python3',
  '/usr/lib/python3.11',
  '/usr/include',
];

interface Corpus {
  readonly files: number;
  readonly bytes: number;
  /** Bytes of different contents: equal ones are indexed once. */
  readonly uniqueBytes: number;
  readonly paths: readonly string[];
}
const scratch = benchFolder('search');
const seen = new Set<string>();

function* walk(folder: string): Generator<string> {
  let names: Dirent[];
  try {
    names = readdirSync(folder, { withFileTypes: true });
  } catch {
    return;
  }
  for (const entry of names) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(file);
    else if (entry.isFile()) yield file;
  }
}

/** Where the machine has too few texts they come again under other folders, with other words at other places in each copy. */
function* texts(): Generator<{ readonly path: string; readonly bytes: Buffer }> {
  for (let copy = 0; ; copy += 1) {
    let found = 0;
    for (const [index, place] of places.entries()) {
      for (const file of walk(place)) {
        const original = readFileSync(file);
        if (original.length === 0 || original.includes(0) || !isUtf8(original)) continue;
        const bytes = copy === 0 ? original : changedText(original, copy);
        if (bytes.length > indexedFileBytesMax) continue;
        found += 1;
        yield { path: `${copy === 0 ? '' : `/copy${copy}`}/p${index}/${path.relative(place, file)}`, bytes };
      }
    }
    if (found === 0) return;
  }
}

/** Each ninth word becomes one that other copies do not have there. */
function changedText(original: Buffer, copy: number): Buffer {
  let words = copy * 4;
  const text = original.toString('utf8').replace(/[A-Za-z]{4,}/g, (word) => {
    words += 1;
    return words % 9 === 0 ? word.slice(-2) + word.slice(0, -2) : word;
  });
  return Buffer.from(text);
}

async function seed(dataDir: string): Promise<Corpus> {
  const store = await openStore({
    dataDir,
    logger: { info: () => undefined, warn: () => undefined, error: console.error },
    clock: systemClock,
    settings: { historyDays: 30, historyRevisionsMin: 20, externalWriteback: 'off' },
  });
  await store.workspaces.create({ workspaceId, name: 'search', createdAtMs: Date.now() });
  const paths: string[] = [];
  let bytes = 0;
  let uniqueBytes = 0;
  let changes: FileChange[] = [];
  const flush = async () => {
    const results = await store.content.change({
      kind: 'change_files',
      workspaceId,
      changes,
      atomic: false,
      actor: { kind: 'system', name: 'bench', tokenId: null },
      access: null,
      correlationId: 'bench',
      origin: 'agent_write',
      makesOperations: false,
    });
    if (results.some(({ ok }) => !ok))
      throw new Error(`a file was refused: ${JSON.stringify(results.find(({ ok }) => !ok))}`);
    changes = [];
  };
  for (const file of texts()) {
    if (paths.length >= filesMax) break;
    const content = await store.content.stage(file.bytes);
    changes.push({
      kind: 'write_file',
      path: file.path,
      precondition: { kind: 'any' },
      content,
      defaultContentType: 'text/plain',
      encoding: 'utf-8',
    });
    paths.push(file.path);
    bytes += file.bytes.length;
    if (!seen.has(content.hash)) uniqueBytes += file.bytes.length;
    seen.add(content.hash);
    if (changes.length === 1_000) await flush();
  }
  await flush();
  await store.close();
  return { files: paths.length, bytes, uniqueBytes, paths };
}

const headers = (agent: BenchAgent) => ({
  authorization: `Bearer ${agent.ownerToken}`,
  'x-correlation-id': 'bench',
});

async function call(agent: BenchAgent, route: string, init: RequestInit = {}) {
  const answer = await fetch(`${agent.url}/v1${route}`, {
    ...init,
    headers: { ...headers(agent), 'if-match': '*', 'content-type': 'application/json' },
  });
  if (!answer.ok) throw new Error(`${route}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

async function untilIndexed(agent: BenchAgent): Promise<void> {
  for (;;) {
    const { state } = (await call(agent, '/agent/search-index')) as { state?: string };
    if (state === 'current') return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

const queries: Readonly<Record<string, readonly string[]>> = {
  text: [
    'function',
    'return value',
    'license',
    'deprecated api',
    'socket timeout',
    'unicode normalization',
    'export default',
    '"is not a function"',
    '"end of file"',
    '"number of elements in the"',
    'promise',
    'parse*',
    'copyright notice',
    'buffer overflow',
  ],
  literal: [
    'function',
    'export default',
    'Object.defineProperty',
    'THE SOFTWARE IS PROVIDED',
    '=> {',
    'process.env.NODE',
    'import os',
    'xyzzy-not-there',
    'node_modules',
    'utf-8',
    'TypeError(',
    '@deprecated',
  ],
  regex: [
    'function\\s+\\w+Error',
    'class \\w+ extends EventEmitter',
    'TODO|FIXME',
    'https?://[\\w.]+/releases',
    '^import .* from .react',
  ],
  name: [
    'index.ts',
    'readme',
    'package',
    'parser',
    'utf8',
    'licnse',
    'srcindex',
    'test util',
    'a',
    '__init__.py',
  ],
};
const reach: Readonly<Record<string, number>> = { text: 50, literal: 150, regex: 1_000, name: 30 };

async function measureSearches(agent: BenchAgent): Promise<void> {
  for (const [mode, all] of Object.entries(queries)) {
    const times: number[] = [];
    const slow = new Map<string, number>();
    const cpuBefore = cpuSeconds(agent.pid) ?? 0;
    for (let round = 0; round < Math.ceil(asked / all.length); round += 1) {
      for (const q of all) {
        const started = performance.now();
        await call(agent, `/workspaces/${workspaceId}/fs/search?mode=${mode}&q=${encodeURIComponent(q)}`);
        const ms = performance.now() - started;
        times.push(ms);
        slow.set(q, Math.max(slow.get(q) ?? 0, ms));
      }
    }
    const cpuMs = (((cpuSeconds(agent.pid) ?? 0) - cpuBefore) * 1_000) / times.length;
    const [q = '', worst = 0] = [...slow].toSorted(([, left], [, right]) => right - left)[0] ?? [];
    print({
      name: `first answer, mode \`${mode}\`, p95`,
      value: percentile(times, 0.95),
      unit: 'ms',
      reach: { at: 'most', value: reach[mode] ?? 0 },
      note: `median ${median(times).toFixed(1)} ms, ${cpuMs.toFixed(1)} ms of a processor each, worst ${worst.toFixed(0)} ms: ${q}`,
    });
  }
}

async function measureNewFile(agent: BenchAgent): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const word = `fresh${round}word`;
    await call(agent, `/workspaces/${workspaceId}/fs/file?path=/new/f${round}.md`, {
      method: 'PUT',
      body: JSON.stringify({ content: `a text with ${word} in it` }),
    });
    const started = performance.now();
    for (;;) {
      const { items } = (await call(agent, `/workspaces/${workspaceId}/fs/search?q=${word}`)) as {
        items: unknown[];
      };
      if (items.length > 0) break;
    }
    times.push(performance.now() - started);
  }
  print({
    name: 'a new file is found after its save, without wait, p95',
    value: percentile(times, 0.95),
    unit: 'ms',
    reach: { at: 'most', value: 300 },
    note: `median ${median(times).toFixed(0)} ms`,
  });
}

/** The floor is an agent whose index cannot be opened, because a directory has its name. */
async function measureWrites(): Promise<void> {
  const [own, without] = [path.join(scratch, 'own'), path.join(scratch, 'without')];
  mkdirSync(path.join(without, 'search.db'), { recursive: true });
  chmodSync(without, 0o700);
  const agents = [await startBenchAgent(own), await startBenchAgent(without)] as const;
  try {
    for (const agent of agents)
      await call(agent, '/workspaces', {
        method: 'POST',
        body: JSON.stringify({ name: 'w', workspaceId: 'rw_writes01' }),
      });
    await compareWrites('PUT of new files, 16 at once', agents, putFiles);
    await compareWrites('bulk writes of 500 files', agents, bulkFiles);
  } finally {
    await Promise.all(agents.map((agent) => agent.stop()));
  }
}

let written = 0;
const textOf = (number: number) => `${number} ${'some text that is new in each file '.repeat(30)}`;

async function putFiles(agent: BenchAgent): Promise<void> {
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let index = 0; index < 60; index += 1) {
        written += 1;
        const route = `/workspaces/rw_writes01/fs/file?path=/d${written % 50}/f${written}.md`;
        await call(agent, route, { method: 'PUT', body: JSON.stringify({ content: textOf(written) }) });
      }
    }),
  );
}

async function bulkFiles(agent: BenchAgent): Promise<void> {
  for (let round = 0; round < 6; round += 1) {
    const files = Array.from({ length: 500 }, () => {
      written += 1;
      return { path: `/b${written % 50}/f${written}.md`, content: textOf(written) };
    });
    await call(agent, '/workspaces/rw_writes01/fs/bulk', { method: 'POST', body: JSON.stringify({ files }) });
  }
}

async function compareWrites(
  name: string,
  [withIndex, withoutIndex]: readonly [BenchAgent, BenchAgent],
  write: (agent: BenchAgent) => Promise<void>,
): Promise<void> {
  const rate = async (agent: BenchAgent) => {
    const started = performance.now();
    await write(agent);
    return 1_000 / (performance.now() - started);
  };
  // Both begin at rest: what the other has left to index or to write back would slow it.
  const rateFromRest = async (agent: BenchAgent) => {
    await untilIndexed(withIndex);
    await new Promise((resolve) => setTimeout(resolve, 300));
    return await rate(agent);
  };
  await rate(withIndex);
  await rate(withoutIndex);
  const { own, floor } = await alternate(
    roundsMin * 4,
    () => rateFromRest(withIndex),
    () => rateFromRest(withoutIndex),
  );
  printComparison({
    name,
    unit: 'rounds/s',
    floorName: 'without the index',
    own,
    floor,
    reach: { at: 'least', value: 0.95 },
  });
}

async function run(): Promise<void> {
  const dataDir = path.join(scratch, 'data');
  const corpus = await seed(dataDir);
  const megabytes = corpus.bytes / 1e6;
  console.log(
    `${corpus.files} files of real text, ${megabytes.toFixed(0)} MB, ${(corpus.uniqueBytes / 1e6).toFixed(0)} MB different`,
  );
  const agent = await startBenchAgent(dataDir);
  try {
    const before = { cpu: cpuSeconds(agent.pid) ?? 0, at: performance.now() };
    await call(agent, '/agent/search-index');
    await untilIndexed(agent);
    const seconds = (performance.now() - before.at) / 1_000;
    const cpu = (cpuSeconds(agent.pid) ?? 0) - before.cpu;
    const { bytes } = (await call(agent, '/agent/search-index')) as { bytes: number };
    print({
      name: 'size of the index / text',
      value: bytes / corpus.bytes,
      unit: 'x',
      reach: { at: 'most', value: 0.6 },
      note: `${(bytes / corpus.uniqueBytes).toFixed(2)} of different text`,
    });
    print({
      name: 'first build of the index',
      value: corpus.uniqueBytes / 1e6 / cpu,
      unit: 'MB/s',
      note: `${cpu.toFixed(1)} s of a processor, ${seconds.toFixed(1)} s`,
    });
    print({ name: 'resident memory at its end, peak', value: residentMb(agent.pid)?.peak ?? 0, unit: 'MB' });
    await measureSearches(agent);
    await measureNewFile(agent);
    await new Promise((resolve) => setTimeout(resolve, 15_000));
    print({ name: 'resident memory at rest', value: residentMb(agent.pid)?.now ?? 0, unit: 'MB' });
  } finally {
    await agent.stop();
  }
  await measureRest();
  await measureWrites();
}

/** Of an agent without files: what the thread adds. */
async function measureRest(): Promise<void> {
  const agent = await startBenchAgent(path.join(scratch, 'rest'));
  try {
    const rest = async () => {
      await new Promise((resolve) => setTimeout(resolve, 15_000));
      return residentMb(agent.pid)?.now ?? 0;
    };
    const before = await rest();
    await call(agent, '/agent/search-index');
    print({
      name: 'memory at rest that the search adds',
      value: (await rest()) - before,
      unit: 'MB',
      reach: { at: 'most', value: 15 },
    });
  } finally {
    await agent.stop();
  }
}

try {
  await run();
} finally {
  removeBenchFolder(scratch);
}
