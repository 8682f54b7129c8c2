// A run of many files on a hub with a PostgreSQL of this machine, beside an agent with SQLite, in turn within one run: staged, committed and
// undone, and a whole workspace restored and exported. A commit, an undo and a restore are one transaction each, for which every other write waits.
import { MooringClient } from '../../sdk/index.ts';
import type { BenchAgent } from './bench-agent.ts';
import { headersOf } from './floor.ts';
import { withHubAndAgent, writeTogether } from './hub-and-agent.ts';
import { printComparison } from './report.ts';

const rounds = 3;
const files = 2_000;
const batchFiles = 250;

/** Seconds, in the order in which the steps follow each other. */
const steps = ['staged', 'committed', 'undone', 'restore previewed', 'restored', 'exported'] as const;
type Times = Record<(typeof steps)[number], number>;

async function bulk(agent: BenchAgent, workspaceId: string, text: string, forkId?: string): Promise<void> {
  for (let from = 0; from < files; from += batchFiles) {
    const items = Array.from({ length: batchFiles }, (_, n) => ({
      path: `/d${Math.floor((from + n) / 100)}/file-${from + n}.txt`,
      content: `${text} ${from + n}\n`.padEnd(1024, 'x'),
    }));
    const target = { url: agent.url, token: agent.ownerToken, workspaceId };
    await writeTogether(target, items, forkId === undefined ? '' : `?forkId=${forkId}`);
  }
}

async function measure(agent: BenchAgent): Promise<Times> {
  const client = new MooringClient({ baseUrl: agent.url, token: agent.ownerToken });
  const { workspaceId } = await client.workspaces.create({ name: 'bench' });
  const times: Partial<Times> = {};
  const timed = async (step: keyof Times, run: () => Promise<unknown>): Promise<void> => {
    const begun = performance.now();
    await run();
    times[step] = (performance.now() - begun) / 1000;
  };
  await bulk(agent, workspaceId, 'one');
  const [newest] = (await client.events.page(workspaceId, { direction: 'desc', limit: 1 })).events;
  const at = newest?.timestamp ?? '';
  const { runId, forkId } = await client.runs.create(workspaceId, { name: 'bench' });
  await timed('staged', () => bulk(agent, workspaceId, 'two', forkId));
  await timed('committed', () => client.runs.commit(workspaceId, runId));
  await timed('undone', () => client.runs.undo(workspaceId, runId));
  await bulk(agent, workspaceId, 'three');
  await timed('restore previewed', () =>
    client.history.restore(workspaceId, { path: '/', at, dryRun: true }),
  );
  await timed('restored', () => client.history.restore(workspaceId, { path: '/', at }));
  await timed('exported', async () => {
    const answer = await fetch(`${agent.url}/v1/workspaces/${workspaceId}/fs/export?format=json`, {
      headers: headersOf(agent.ownerToken),
    });
    if (answer.status !== 200) throw new Error(`export answered ${answer.status}`);
    await answer.arrayBuffer();
  });
  return times as Times;
}

await withHubAndAgent('hub-runs', async (hub, alone) => {
  const own: Times[] = [];
  const floor: Times[] = [];
  for (let round = 0; round < rounds; round += 1) {
    own.push(await measure(hub));
    floor.push(await measure(alone));
  }
  for (const step of steps)
    printComparison({
      name: `${files} files of a hub, ${step}`,
      unit: 's',
      floorName: 'the agent with SQLite',
      own: own.map((times) => times[step]),
      floor: floor.map((times) => times[step]),
      reach: { at: 'most', value: step === 'exported' ? 20 : 6 },
    });
});
