// kill -9 at each named point of the way to a provider, and a new start: each item reaches its provider, always under the same
// key, so that it has its effect once.
import { expect, it } from 'vitest';
import { writebackKillPoints } from '../../server/writeback/dispatcher.ts';
import { startKillPointAgent } from '../support/kill-point-agent.ts';
import { providerSecret, startProvider } from '../support/provider.ts';
import { scaled } from '../support/scale.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { runSeed, seededRandom } from '../support/trees.ts';
import { waitFor } from '../support/wait-for.ts';

const rounds = scaled(1, 100);
const files = 12;
/** Twelve items, at most four to a lease: every point is reached at least this often. */
const timesMax = 3;

it.each(writebackKillPoints)('at %s nothing is lost and nothing has its effect twice', async (point) => {
  const random = seededRandom(runSeed());
  for (let round = 0; round < rounds; round += 1) {
    const provider = await startProvider();
    const dataDir = tempFolder('mooring-kill');
    const first = await startKillPointAgent(dataDir, null);
    const { workspaceId } = await first.owner.workspaces.create({ name: 'Kill' });
    await first.owner.providers.add(workspaceId, {
      provider: 'git',
      kind: 'http',
      url: provider.url,
      secret: providerSecret,
      allowPlainHttp: true,
      allowPrivateAddresses: true,
    });
    await first.stop();

    const dying = await startKillPointAgent(dataDir, point, 1 + random.below(timesMax));
    const opIds = new Map<string, string>();
    const unanswered: string[] = [];
    for (let file = 0; file < files; file += 1) {
      const path = `/git/${file}.md`;
      try {
        opIds.set(path, (await dying.owner.writeFile(workspaceId, path, `content ${file}`)).opId);
      } catch {
        // It died before it could answer: the write is made again, as a client would.
        unanswered.push(path);
      }
    }
    await dying.gone;

    const last = await startKillPointAgent(dataDir, null);
    for (const path of unanswered) {
      const index = path.slice('/git/'.length, -'.md'.length);
      opIds.set(path, (await last.owner.writeFile(workspaceId, path, `content ${index}`)).opId);
    }
    await waitFor(
      'every item to be settled',
      async () => {
        const pages = await last.owner.listOperations(workspaceId, { limit: 1000 });
        return pages.items.every(({ status }) => status === 'succeeded');
      },
      { deadlineMs: 30_000 },
    );

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
    await last.stop();
    await provider.end();
  }
});
