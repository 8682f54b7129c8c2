// Commit and undo of a run with 10,000 changed files, each beside its floor: the same 10,000 writes as one atomic command to the store.
// In wall time and in processor time of the whole process. And the folder of a run, from its creation until it has 10,000 files, by a real
// agent; the floor is that a program creates these files on the same disk.
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { MooringClient } from '../../sdk/index.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { createLogger } from '../../server/platform/observe/logger.ts';
import { RunService } from '../../server/runs/service.ts';
import { openStore } from '../../server/store/open.ts';
import type { Store } from '../../server/store/port/store.ts';
import { createForks } from '../../server/workspaces/forks.ts';
import { createHistory } from '../../server/workspaces/history.ts';
import { createWorkspaceService, type WorkspaceService } from '../../server/workspaces/service.ts';
import { inlineCompute } from '../support/inline-compute.ts';
import { benchFolder, cpuSeconds, removeBenchFolder, startBenchAgent } from './bench-agent.ts';
import { median, print } from './report.ts';

const files = Number(process.env.MOORING_BENCH_FILES ?? 10_000);
const rounds = Number(process.env.MOORING_BENCH_ROUNDS ?? 5);
const workspaceId = 'rw_runs0001';
const caller = {
  access: null,
  tokenId: null,
  actor: { kind: 'token', name: 'bench', tokenId: null },
  correlationId: 'bench',
} as const;
const pathOf = (index: number) => `/dir${index % 100}/file${index}.md`;

interface Spent {
  readonly wallMs: number;
  readonly cpuMs: number;
}

async function timed(work: () => Promise<unknown>): Promise<Spent> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - started, cpuMs: (user + system) / 1000 };
}

async function changesOf(workspaces: WorkspaceService, text: string) {
  return await Promise.all(
    Array.from({ length: files }, async (_, index) => ({
      kind: 'write_file' as const,
      path: pathOf(index),
      precondition: { kind: 'any' as const },
      content: await workspaces.stage(new TextEncoder().encode(`${text} ${index}\n`.repeat(20))),
      defaultContentType: 'text/markdown',
      encoding: 'utf-8' as const,
    })),
  );
}

async function measure(store: Store): Promise<void> {
  const clock = systemClock;
  const uuid = () => crypto.randomUUID();
  const workspaces = createWorkspaceService({ store, clock, randomId: uuid });
  const history = createHistory(store, inlineCompute);
  const forks = createForks({ store, clock, uuid });
  const runs = new RunService({ store, forks, workspaces, history, compute: inlineCompute, clock, uuid });
  await workspaces.create({ name: 'bench', workspaceId });
  const write = async (text: string) => {
    const changes = await changesOf(workspaces, text);
    return await timed(() =>
      workspaces.change({
        ...caller,
        workspaceId,
        changes,
        atomic: true,
        origin: 'agent_write',
        makesOperations: true,
      }),
    );
  };
  await write('first');
  const spent = { floor: [] as Spent[], commit: [] as Spent[], undo: [] as Spent[] };
  for (let round = 0; round < rounds; round += 1) {
    spent.floor.push(await write(`floor ${round}`));
    const created = await runs.create({
      workspaceId,
      name: '',
      path: '/',
      command: [],
      by: caller.actor,
      creatorTokens: [],
    });
    if (created.kind !== 'open') throw new Error(created.kind);
    const { runId, forkId } = created.run.run;
    const fork = await forks.files(workspaceId, forkId);
    const changes = await changesOf(workspaces, `run ${round}`);
    for (let from = 0; from < files; from += 1000)
      await fork.change({
        ...caller,
        workspaceId,
        changes: changes.slice(from, from + 1000),
        atomic: false,
        origin: 'agent_write',
        makesOperations: false,
      });
    spent.commit.push(
      await timed(() =>
        runs.commit(workspaceId, runId, caller, { globs: [], decisions: [], stagedRevision: null }),
      ),
    );
    spent.undo.push(
      await timed(() => runs.undo(workspaceId, runId, caller, { decisions: [], dryRun: false })),
    );
  }
  const floor = median(spent.floor.map(({ cpuMs }) => cpuMs));
  for (const [name, all] of Object.entries(spent)) {
    const cpuMs = median(all.map((one) => one.cpuMs));
    print({
      ...(name === 'floor' ? {} : { reach: { at: 'most', value: 2000 } }),
      name: `${name === 'floor' ? 'one atomic change' : `${name} of a run`}, ${files} files`,
      value: median(all.map(({ wallMs }) => wallMs)),
      unit: 'ms',
      note: `processor ${Math.round(cpuMs)} ms, ${(cpuMs / floor).toFixed(2)}x the floor`,
    });
  }
}

/** As a program does it that cares neither about links nor about a power cut. */
function createFiles(dir: string): Spent {
  const cpu = process.cpuUsage();
  const started = performance.now();
  for (let index = 0; index < 100; index += 1) mkdirSync(path.join(dir, `dir${index}`), { recursive: true });
  const bytes = Buffer.from('a line of text\n'.repeat(20));
  for (let index = 0; index < files; index += 1) {
    const handle = openSync(path.join(dir, pathOf(index)), 'wx');
    writeSync(handle, bytes);
    closeSync(handle);
  }
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - started, cpuMs: (user + system) / 1000 };
}

async function measureFolder(base: string): Promise<void> {
  const live = path.join(base, 'live');
  createFiles(live);
  const agent = await startBenchAgent(path.join(base, 'data'));
  const spent: Spent[] = [];
  const floors: Spent[] = [];
  try {
    const client = new MooringClient({ baseUrl: agent.url, token: agent.ownerToken });
    const { workspaceId: folderWorkspace } = await client.workspaces.create({ name: 'bench' });
    await client.mirrors.add(folderWorkspace, live);
    const settle = { workspaceId: folderWorkspace, timeoutMs: 300_000 };
    if (!(await client.mirrors.waitUntilSynced(settle)).settled) throw new Error('the folder is not in sync');
    for (let round = 0; round < rounds; round += 1) {
      const floorDir = path.join(base, `floor${round}`);
      floors.push(createFiles(floorDir));
      const cpu = cpuSeconds(agent.pid) ?? Number.NaN;
      const started = performance.now();
      const { runId } = await client.runs.create(folderWorkspace);
      await client.runs.openFolder(folderWorkspace, runId);
      const { settled } = await client.runs.syncFolder(folderWorkspace, runId, { timeoutMs: 300_000 });
      if (!settled) throw new Error('the folder of the run is not in sync');
      const wallMs = performance.now() - started;
      spent.push({ wallMs, cpuMs: ((cpuSeconds(agent.pid) ?? Number.NaN) - cpu) * 1000 });
      await client.runs.discard(folderWorkspace, runId);
    }
  } finally {
    await agent.stop();
  }
  const [own, floor] = [spent, floors].map((all) => ({
    wallMs: median(all.map(({ wallMs }) => wallMs)),
    cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
  })) as [Spent, Spent];
  print({
    name: `folder of a run, ${files} files`,
    value: own.wallMs,
    unit: 'ms',
    reach: { at: 'most', value: 2000 },
    note: `processor ${Math.round(own.cpuMs)} ms; creating the files takes ${Math.round(floor.wallMs)} ms, processor ${Math.round(floor.cpuMs)} ms`,
  });
}

const scratch = benchFolder('runs');
try {
  const folderBase = path.join(scratch, 'folder');
  mkdirSync(folderBase);
  await measureFolder(folderBase);
  // Its deletion is not a part of what follows.
  rmSync(folderBase, { recursive: true });
  const store = await openStore({
    dataDir: scratch,
    logger: createLogger({ level: 'error' }),
    clock: systemClock,
    settings: { historyDays: 30, historyRevisionsMin: 20, externalWriteback: 'auto' },
  });
  await measure(store);
  await store.close();
} finally {
  removeBenchFolder(scratch);
}
