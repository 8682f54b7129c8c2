// kill -9 at each named point of the way to a provider, and a new start: each item reaches its provider, always under the same
// key, so that it has its effect once. Each new start is the agent that dies in the next round.
import { expect, it } from 'vitest';
import { type MooringClient, NoAnswerError } from '../../sdk/index.ts';
import { writebackKillPoints } from '../../server/outbound/operations/dispatcher.ts';
import { startKillPointAgent } from '../support/kill-point-agent.ts';
import { type ProviderProcess, providerSecret, startProvider } from '../support/provider.ts';
import { runOnce } from '../support/run-once.ts';
import { killRounds } from '../support/scale.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { runSeed, seededRandom } from '../support/trees.ts';
import { waitFor } from '../support/wait-for.ts';

const rounds = killRounds();
const files = 12;
/** Twelve items, at most four to a lease: every point is reached at least this often. */
const timesMax = 3;
const pathOf = (file: number) => `/git/${file}.md`;

async function createWorkspace(owner: MooringClient, provider: ProviderProcess): Promise<string> {
  const { workspaceId } = await owner.workspaces.create({ name: 'Kill' });
  await owner.providers.add(workspaceId, {
    provider: 'git',
    kind: 'http',
    url: provider.url,
    secret: providerSecret,
    allowPlainHttp: true,
    allowPrivateAddresses: true,
  });
  return workspaceId;
}

/** Writes one after the other and notes the operation of each; returns what was not answered. */
async function writeAll(
  owner: MooringClient,
  workspaceId: string,
  wanted: readonly number[],
  opIds: Map<string, string>,
): Promise<number[]> {
  const unanswered: number[] = [];
  for (const file of wanted) {
    try {
      opIds.set(pathOf(file), (await owner.writeFile(workspaceId, pathOf(file), `content ${file}`)).opId);
    } catch (error) {
      // It died before it could answer: the write is made again, as a client would.
      if (!(error instanceof NoAnswerError)) throw error;
      unanswered.push(file);
    }
  }
  return unanswered;
}

function expectEachOnce(provider: ProviderProcess, opIds: ReadonlyMap<string, string>): void {
  // At least once, and always under its own key...
  for (const [path, opId] of opIds) {
    const calls = provider.items.filter((call) => call.data.opId === opId);
    expect([path, calls.length > 0, new Set(calls.map((call) => call.id))]).toEqual([
      path,
      true,
      new Set([opId]),
    ]);
    expect(new Set(calls.map((call) => call.data.content)).size).toBe(1);
  }
  // ...so that a provider that knows keys takes each once.
  const taken = provider.items.filter((call) => call.taken && call.fresh).map((call) => call.id);
  expect(new Set(taken).size).toBe(taken.length);
}

it.each(writebackKillPoints)(
  'at %s nothing is lost and nothing has its effect twice',
  runOnce,
  async (point) => {
    const random = seededRandom(runSeed());
    const dataDir = tempFolder('mooring-kill');
    const provider = await startProvider();
    let agent = await startKillPointAgent(dataDir, null);
    for (let round = 0; round < rounds; round += 1) {
      const workspaceId = await createWorkspace(agent.owner, provider);
      await agent.arm(point, 1 + random.below(timesMax));
      const opIds = new Map<string, string>();
      const all = Array.from({ length: files }, (_, file) => file);
      const unanswered = await writeAll(agent.owner, workspaceId, all, opIds);
      await agent.gone;

      agent = await startKillPointAgent(dataDir, null);
      expect(await writeAll(agent.owner, workspaceId, unanswered, opIds)).toEqual([]);
      await waitFor(
        'every item to be settled',
        async () => {
          const pages = await agent.owner.operations.list(workspaceId, { limit: 1000 });
          return pages.items.every(({ status }) => status === 'succeeded');
        },
        { deadlineMs: 60_000 },
      );
      expectEachOnce(provider, opIds);
    }
  },
);
