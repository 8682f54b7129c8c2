// A server that takes the place of another between two requests of one sync: what was planned for the one is not written to the other,
// though both have the same revisions at the same paths.
import { expect, it } from 'vitest';
import { addRemote, filesOf, type RunningAgent, runningAgent, settle } from '../../support/remote-agents.ts';
import { ServerLine } from '../../support/server-line.ts';
import { sha256 } from '../../support/trees.ts';
import { waitFor } from '../../support/wait-for.ts';

const count = 300;
const pathAt = (at: number) => `/docs/${at}.md`;

async function writeAll({ client, workspaceId }: RunningAgent, name: string, ifMatch: '0' | '*') {
  const files = Array.from({ length: count }, (_, at) => ({
    path: pathAt(at),
    content: `${name} ${at}\n`,
    ifMatch,
  }));
  await client.files.writeMany(workspaceId, files);
}

it.each([true, false])(
  'nothing is overwritten on a server that takes the place of another (epochs: %s)',
  async (hasEpochs) => {
    const [first, second] = [await runningAgent('first'), await runningAgent('second')];
    const desktop = await runningAgent('desktop');
    for (const server of [first, second]) await writeAll(server, `text ${server.workspaceId}`, '0');
    let target = first;
    let isNext = false;
    let isArmed = false;
    const line = new ServerLine(() => target.agent.url);
    line.rewrite = (incoming) => {
      const { url = '', method } = incoming;
      // A socket is a connection of its own: those that are open stay open.
      if (isNext && !url.includes('/fs/ws')) target = second;
      isNext ||= isArmed && method === 'POST' && url.endsWith('/fs/bulk');
      if (!hasEpochs) delete incoming.headers['mooring-epoch'];
      return {
        url: url.replace(first.workspaceId, target.workspaceId),
        authorization: `Bearer ${target.agent.ownerToken}`,
      };
    };
    await line.open();
    const { remoteId } = await addRemote(first, desktop, 'desktop', line.url);
    expect(await settle(desktop)).toBe(true);
    await desktop.client.remotes.pause(desktop.workspaceId, remoteId);
    await writeAll(desktop, 'edited', '*');
    const before = await filesOf(second);
    isArmed = true;
    await desktop.client.remotes.resume(desktop.workspaceId, remoteId);
    await waitFor('it to have met the other server', () => target === second);
    await waitFor('both to be equal', () => settle(desktop, 10_000), { deadlineMs: 60_000 });
    const after = await filesOf(second);
    for (const [path, hash] of before) expect(after.get(path), path).toBe(hash);
    expect(await filesOf(desktop)).toEqual(after);
    const kept = new Set(after.values());
    for (let at = 0; at < count; at += 1)
      expect(kept.has(sha256(Buffer.from(`edited ${at}\n`))), pathAt(at)).toBe(true);
  },
);
