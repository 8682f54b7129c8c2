// Backups of real agents into one directory: at most one at a time writes there, whoever asks, and each one that is answered 200 can be
// restored.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MooringClient } from '../../sdk/index.ts';
import { restoreBackup } from '../../server/store/maintenance/backup.ts';
import { type AgentProcess, startAgent } from '../support/agent-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const files = 20;
const fileBytes = 512 * 1024;

/** An agent whose backup takes a moment: each file is a content of its own on the disk. */
async function agentWithFiles(mark: string): Promise<AgentProcess> {
  const agent = await startAgent({ args: ['--no-ui', '--log-level', 'error'] });
  const client = new MooringClient({ baseUrl: agent.url, token: agent.ownerToken });
  const { workspaceId } = await client.workspaces.create({ name: mark });
  await Promise.all(
    Array.from({ length: files }, (_, number) =>
      client.writeFile(workspaceId, `/f${number}`, `${mark}${number}`.padEnd(fileBytes, mark)),
    ),
  );
  return agent;
}

async function backUp(
  agent: AgentProcess,
  dir: string,
): Promise<{ status: number; code?: string; message?: string }> {
  const answer = await agent.fetch('/v1/agent/backup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ dir }),
  });
  return { status: answer.status, ...((await answer.json()) as { code?: string; message?: string }) };
}

async function expectRestorable(dir: string): Promise<void> {
  await expect(restoreBackup(dir, tempFolder('mooring-restored'))).resolves.toMatchObject({ replaced: null });
}

test('of backups into one directory at the same time one is made, and the others are refused', async () => {
  const [first, second] = await Promise.all([agentWithFiles('a'), agentWithFiles('b')]);
  const dir = path.join(tempFolder('mooring-backups'), 'same');
  const answers = await Promise.all([
    backUp(first, dir),
    backUp(first, dir),
    backUp(second, dir),
    backUp(second, dir),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  for (const { status, code, message } of answers) {
    if (status === 200) continue;
    expect(code).toBe('invalid_state');
    expect(message).toMatch(/another backup .* in progress.*wait.*another directory/i);
  }
  expect(readdirSync(dir).sort()).toEqual(['backup.json', 'blobs', 'mooring.db']);
  await expectRestorable(dir);
  // The refused ones have taken nothing away, and a finished backup is never written over.
  expect(await backUp(second, dir)).toMatchObject({ status: 409, code: 'invalid_state' });
  await expectRestorable(dir);
});

test('a backup that was killed leaves no backup, and the next one into its directory is whole', async () => {
  const agent = await agentWithFiles('c');
  const dir = path.join(tempFolder('mooring-backups'), 'killed');
  const cut = backUp(agent, dir).catch(() => null);
  await waitFor('the first copied content', () => existsSync(path.join(dir, 'blobs')), { everyMs: 2 });
  await agent.kill9();
  expect(await cut).toBeNull();
  await expect(restoreBackup(dir, tempFolder('mooring-restored'))).rejects.toThrow('no finished backup');
  await agent.restart();
  expect(await backUp(agent, dir)).toMatchObject({ status: 200 });
  await expectRestorable(dir);
});
