// Dead letters at the command line, against real agents, of the causes that lie not in the payload but in what was there when it
// came: a store that cannot write, a workspace that was deleted meanwhile, a fault of the agent. Each is found, read, mended and
// replayed, and its file is right.
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import type { MooringClient } from '../../sdk/index.ts';
import type { FailureCause } from '../../server/contract/sync.ts';
import { mooring, startAgent } from '../support/agent-process.ts';
import { ownerClient } from '../support/client-of.ts';
import { startKillPointAgent } from '../support/kill-point-agent.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

// Agents that start, and a dozen commands.
vi.setConfig({ testTimeout: 120_000 });

/** Larger than what lies in the database itself. */
const text = 'x'.repeat(100_000);
const mended = `${text} mended`;
const file = '/hub/a.md';
/** Between two tries lie up to 30 s. */
const triesDeadline = { deadlineMs: 60_000 };

interface Given {
  readonly dataDir: string;
  readonly owner: MooringClient;
  readonly workspaceId: string;
}

const pending = async ({ owner, workspaceId }: Given): Promise<number> =>
  (await owner.sync.ingress(workspaceId)).pendingTotal;

async function withWebhook(dataDir: string, owner: MooringClient): Promise<Given & { readonly id: string }> {
  const { workspaceId } = await owner.workspaces.create({ name: 'faults' });
  const webhook = { provider: 'hub', event_type: 'file.created', path: file, data: { content: text } };
  const { id } = await owner.sync.ingestWebhook(workspaceId, webhook);
  return { dataDir, owner, workspaceId, id };
}

/** Takes the folder of large contents away, as a disk that was unmounted would. Returns what puts it back. */
function withoutBlobFolder(dataDir: string): () => void {
  const folder = path.join(dataDir, 'blobs/incoming');
  renameSync(folder, `${folder}-away`);
  return () => renameSync(`${folder}-away`, folder);
}

/** Its cause is read in words and as a code; with a corrected payload it takes its effect. */
async function expectRoundTrip(given: Given & { readonly id: string }, cause: FailureCause): Promise<void> {
  const { dataDir, owner, workspaceId, id } = given;
  const run = (...args: readonly string[]) =>
    mooring(['dead-letters', ...args, '--workspace', workspaceId], { dataDir });
  const listed = await run('list', '--cause', cause, '--json');
  expect(JSON.parse(listed.stdout)).toMatchObject({ items: [{ envelopeId: id }] });
  expect((await run('show', id)).stdout).toContain(`${cause}: `);
  const corrected = path.join(tempFolder(), 'payload.json');
  writeFileSync(
    corrected,
    JSON.stringify({ event_type: 'file.created', path: file, data: { content: mended } }),
  );
  const replay = ['replay', id, '--payload', corrected];
  expect(await run(...replay, '--dry-run')).toMatchObject({ code: 0, stdout: `create ${file}\n` });
  expect(await run(...replay)).toMatchObject({ code: 0 });
  const content = async () => (await owner.readFile(workspaceId, file)).content;
  await waitFor('the queue to be empty', async () => (await pending(given)) === 0, triesDeadline);
  expect(await content()).toBe(mended);
  expect((await run('list')).stderr).toBe('No dead letters.\n');
}

it('a webhook that the store could not take in is mended and replayed', async () => {
  const agent = await startAgent({ args: ['--envelope-attempts', '2'] });
  const putBack = withoutBlobFolder(agent.dataDir);
  const given = await withWebhook(agent.dataDir, ownerClient(agent));
  await waitFor('its last try', async () => (await pending(given)) === 0, triesDeadline);
  putBack();
  await expectRoundTrip(given, 'store_unavailable');
});

it('a webhook whose workspace was deleted while it waited is mended and replayed after a restore', async () => {
  const agent = await startAgent({ args: ['--envelope-attempts', '100'] });
  // It waits because the store cannot write, for as long as that takes.
  const putBack = withoutBlobFolder(agent.dataDir);
  const given = await withWebhook(agent.dataDir, ownerClient(agent));
  const { dataDir, workspaceId } = given;
  const workspace = (...args: readonly string[]) => mooring(['workspace', ...args], { dataDir });
  expect(await workspace('delete', workspaceId, '--yes')).toMatchObject({ code: 0 });
  putBack();
  await waitFor('its next try', () => agent.stderr.includes('"cause":"workspace_gone"'), triesDeadline);
  expect(await workspace('restore', workspaceId)).toMatchObject({ code: 0 });
  await expectRoundTrip(given, 'workspace_gone');
});

it('a webhook that met faults of the agent is mended and replayed', async () => {
  const dataDir = tempFolder('mooring-fault');
  const { owner } = await startKillPointAgent(dataDir, 'apply.prepared', 2, 'fault');
  const given = await withWebhook(dataDir, owner);
  await waitFor('its last try', async () => (await pending(given)) === 0, triesDeadline);
  await expectRoundTrip(given, 'internal_error');
});
