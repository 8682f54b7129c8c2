// Dead-letter commands against real agents, for causes outside the payload: a store that cannot write, a workspace deleted meanwhile,
// an internal error. Each dead letter is listed, shown, edited and replayed, and its file is correct.
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

// These tests start agents and a dozen commands.
vi.setConfig({ testTimeout: 300_000 });

/** Larger than a blob row. */
const text = 'x'.repeat(100_000);
const edited = `${text} edited`;
const file = '/hub/a.md';
/** The backoff between two attempts is at most 30 s. */
const attemptsDeadline = { deadlineMs: 60_000 };

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

/** Renames the folder of blob files, as if its disk were unmounted. Returns a function that restores it. */
function removeBlobFolder(dataDir: string): () => void {
  const folder = path.join(dataDir, 'blobs/incoming');
  renameSync(folder, `${folder}-away`);
  return () => renameSync(`${folder}-away`, folder);
}

/** Shows the cause, replays with an edited payload, and checks the file. */
async function expectRoundTrip(given: Given & { readonly id: string }, cause: FailureCause): Promise<void> {
  const { dataDir, owner, workspaceId, id } = given;
  const run = (...args: readonly string[]) =>
    mooring(['dead-letters', ...args, '--workspace', workspaceId], { dataDir });
  const listed = await run('list', '--cause', cause, '--json');
  expect(JSON.parse(listed.stdout)).toMatchObject({ items: [{ envelopeId: id }] });
  expect((await run('show', id)).stdout).toContain(`${cause}: `);
  const payloadFile = path.join(tempFolder(), 'payload.json');
  writeFileSync(
    payloadFile,
    JSON.stringify({ event_type: 'file.created', path: file, data: { content: edited } }),
  );
  const replay = ['replay', id, '--payload', payloadFile];
  expect(await run(...replay, '--dry-run')).toMatchObject({ code: 0, stdout: `create ${file}\n` });
  expect(await run(...replay)).toMatchObject({ code: 0 });
  const content = async () => (await owner.readFile(workspaceId, file)).content;
  await waitFor('the queue to be empty', async () => (await pending(given)) === 0, attemptsDeadline);
  expect(await content()).toBe(edited);
  expect((await run('list')).stderr).toBe('No dead letters.\n');
}

it('edits and replays a webhook that the store could not write', async () => {
  const agent = await startAgent({ args: ['--envelope-attempts', '2'] });
  const restoreFolder = removeBlobFolder(agent.dataDir);
  const given = await withWebhook(agent.dataDir, ownerClient(agent));
  await waitFor('its last attempt', async () => (await pending(given)) === 0, attemptsDeadline);
  restoreFolder();
  await expectRoundTrip(given, 'store_unavailable');
});

it('edits and replays a webhook whose workspace was deleted meanwhile and restored', async () => {
  const agent = await startAgent({ args: ['--envelope-attempts', '100'] });
  // It is pending as long as the store cannot write.
  const restoreFolder = removeBlobFolder(agent.dataDir);
  const given = await withWebhook(agent.dataDir, ownerClient(agent));
  const { dataDir, workspaceId } = given;
  const workspace = (...args: readonly string[]) => mooring(['workspace', ...args], { dataDir });
  expect(await workspace('delete', workspaceId, '--yes')).toMatchObject({ code: 0 });
  restoreFolder();
  await waitFor(
    'its next attempt',
    () => agent.stderr.includes('"cause":"workspace_gone"'),
    attemptsDeadline,
  );
  expect(await workspace('restore', workspaceId)).toMatchObject({ code: 0 });
  await expectRoundTrip(given, 'workspace_gone');
});

it('edits and replays a webhook after internal errors', async () => {
  const dataDir = tempFolder('mooring-fault');
  const { owner } = await startKillPointAgent(dataDir, 'apply.prepared', 2, 'fault');
  const given = await withWebhook(dataDir, owner);
  await waitFor('its last attempt', async () => (await pending(given)) === 0, attemptsDeadline);
  await expectRoundTrip(given, 'internal_error');
});
