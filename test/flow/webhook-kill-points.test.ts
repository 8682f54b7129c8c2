// kill -9 at each named point of the way to a registered address, and a new start: each event reaches it, always under the same
// key.
import { expect, it } from 'vitest';
import { webhookKillPoints } from '../../server/outbound/webhooks/dispatcher.ts';
import { startKillPointAgent } from '../support/kill-point-agent.ts';
import { providerSecret, startProvider } from '../support/provider.ts';
import { runOnce } from '../support/run-once.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { runSeed, seededRandom } from '../support/trees.ts';
import { waitFor } from '../support/wait-for.ts';

const files = 12;
/** Twelve events, at most four to a lease: every point is reached at least this often, as the writes come one by one. */
const timesMax = 3;

it.each(webhookKillPoints)('at %s no event is lost and none has two keys', runOnce, async (point) => {
  const random = seededRandom(runSeed());
  const receiver = await startProvider();
  const dataDir = tempFolder('mooring-kill');
  const first = await startKillPointAgent(dataDir, null);
  const { workspaceId } = await first.owner.workspaces.create({ name: 'Kill' });
  await first.owner.webhooks.register(workspaceId, {
    url: receiver.url,
    pathGlobs: ['/docs/**'],
    secret: providerSecret,
    allowPlainHttp: true,
    allowPrivateAddresses: true,
  });
  await first.stop();

  const dying = await startKillPointAgent(dataDir, point, 1 + random.below(timesMax));
  const unanswered: string[] = [];
  for (let file = 0; file < files; file += 1) {
    try {
      await dying.owner.writeFile(workspaceId, `/docs/${file}.md`, 'x');
    } catch {
      // It died before it could answer: the write is made again, as a client would.
      unanswered.push(`/docs/${file}.md`);
    }
  }
  await dying.gone;
  const last = await startKillPointAgent(dataDir, null);
  for (const path of unanswered) await last.owner.writeFile(workspaceId, path, 'x');
  const { events } = await last.owner.events.page(workspaceId, { limit: 1000 });
  const told = () => new Set(receiver.items.filter((call) => call.taken).map((call) => call.data.eventId));
  await waitFor('every event to be told', () => told().size === events.length, { deadlineMs: 60_000 });
  expect([...told()].sort()).toEqual(events.map((event) => event.eventId).sort());
  for (const { eventId } of events) {
    const calls = receiver.items.filter((call) => call.data.eventId === eventId);
    expect([eventId, new Set(calls.map((call) => call.id)).size]).toEqual([eventId, 1]);
  }
});
