// kill -9 at each named point of the way in, and a new start: every webhook that was answered has its effect, each exactly once,
// and what was not answered may be sent again. Each new start is the agent that dies in the next round, so the data grows old
// with the rounds as on a real machine.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { type MooringClient, NoAnswerError, type WorkspaceEvent } from '../../sdk/index.ts';
import { ingestKillPoints } from '../../server/inbound/context.ts';
import { startKillPointAgent } from '../support/kill-point-agent.ts';
import { processFile } from '../support/processes.ts';
import { runOnce } from '../support/run-once.ts';
import { killRounds } from '../support/scale.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { runSeed, seededRandom } from '../support/trees.ts';
import { waitFor } from '../support/wait-for.ts';

const rounds = killRounds();
const webhooks = 40;
const senders = 8;
/** No point is reached less often than this: each webhook passes each of them once. */
const timesMax = 30;
const all = Array.from({ length: webhooks }, (_, index) => index);

/** Every tenth is broken, the others are files of their own. */
const isBroken = (index: number) => index % 10 === 9;

async function send(client: MooringClient, workspaceId: string, index: number): Promise<void> {
  await client.sync.ingestWebhook(workspaceId, {
    provider: 'hub',
    event_type: 'file.created',
    path: isBroken(index) ? '/hub/../x' : `/hub/${index}`,
    data: { content: `content ${index}` },
    delivery_id: `d${index}`,
  });
}

/** Sends what is left with several senders at once; returns what was not answered. */
async function sendAll(client: MooringClient, workspaceId: string, indexes: readonly number[]) {
  const left = [...indexes];
  const unanswered: number[] = [];
  await Promise.all(
    Array.from({ length: senders }, async () => {
      for (let index = left.shift(); index !== undefined; index = left.shift()) {
        try {
          await send(client, workspaceId, index);
        } catch (error) {
          // It died before it could answer: the sender does not know, and will send it again.
          if (!(error instanceof NoAnswerError)) throw error;
          unanswered.push(index);
        }
      }
    }),
  );
  return unanswered;
}

/** What an owner sees at the end: each webhook counted once, each file made once, each broken one told once. */
async function expectEachOnce(client: MooringClient, workspaceId: string): Promise<void> {
  const broken = all.filter(isBroken).length;
  const ingress = await waitFor(
    'everything to be settled',
    async () => {
      const status = await client.sync.ingress(workspaceId);
      return status.pendingTotal === 0 && status.deadLetterTotal === broken && status;
    },
    { deadlineMs: 60_000 },
  );
  expect(ingress.acceptedTotal).toBe(webhooks);
  const events: WorkspaceEvent[] = [];
  for await (const event of client.events.all(workspaceId)) events.push(event);
  const expected = all.filter((index) => !isBroken(index)).map((index) => `file.created /hub/${index}`);
  const files = events
    .filter(({ type }) => type.startsWith('file.'))
    .map(({ type, path }) => `${type} ${path}`);
  expect(files.sort()).toEqual(expected.sort());
  expect(events.filter(({ type }) => type === 'sync.error')).toHaveLength(broken);
}

it.each(ingestKillPoints.filter((point) => point !== 'apply.failed'))(
  'at %s nothing is lost and nothing has its effect twice',
  runOnce,
  async (point) => {
    const random = seededRandom(runSeed());
    const dataDir = tempFolder('mooring-kill');
    let agent = await startKillPointAgent(dataDir, null);
    for (let round = 0; round < rounds; round += 1) {
      const { workspaceId } = await agent.owner.workspaces.create({ name: `Kill ${round}` });
      await agent.arm(point, 1 + random.below(timesMax));
      const unanswered = await sendAll(agent.owner, workspaceId, all);
      await agent.gone;

      agent = await startKillPointAgent(dataDir, null);
      expect(await sendAll(agent.owner, workspaceId, unanswered)).toEqual([]);
      await expectEachOnce(agent.owner, workspaceId);
    }
  },
);

it(
  'at apply.failed a try that failed is counted once or not at all, and the webhook has its effect once',
  runOnce,
  async () => {
    const random = seededRandom(runSeed());
    for (let round = 0; round < rounds; round += 1) {
      const dataDir = tempFolder('mooring-kill');
      const program = processFile('ingest-at-kill-point');
      const times = String(1 + random.below(timesMax));
      const child = spawn(process.execPath, [program, dataDir, 'apply.failed', times, String(webhooks)]);
      const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
      expect(signal).toBe('SIGKILL');
      const { stdout } = await promisify(execFile)(process.execPath, [
        program,
        dataDir,
        'none',
        '1',
        String(webhooks),
      ]);
      const { events, counters, findings } = JSON.parse(stdout) as {
        events: string[];
        counters: Record<string, number>;
        findings: string[];
      };
      expect(findings).toEqual([]);
      expect(counters).toMatchObject({ accepted: webhooks, applied: webhooks, dead: 0, pending: 0 });
      expect(events.sort()).toEqual(all.map((index) => `file.created /hub/${index}`).sort());
    }
  },
);
