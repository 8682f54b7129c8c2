// The published mount program of the reference, unmodified, polling and with its WebSocket, against this agent: changes travel both ways.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import {
  mountRunsHere,
  mountSkipReason,
  startMount,
  untilMountHasSeen,
  untilMountWatches,
} from '../support/relayfile-mount.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { putFile } from '../support/trees.ts';
import { waitFor } from '../support/wait-for.ts';

/** It polls every 5 s at the least; a change may need two rounds. */
const roundMs = 90_000;

it('a polling relayfile-mount creates, edits and deletes both ways', { timeout: 300_000 }, async ({
  skip,
}) => {
  skip(!mountRunsHere, mountSkipReason);
  const agent = await startAgent();
  const { client, token, workspaceId } = await freshWorkspace(agent);
  await client.writeFile(workspaceId, '/notes/first.md', 'from the agent\n');
  const dir = tempFolder('mooring-mount');
  const child = startMount([
    ...['--base-url', agent.url, '--token', token, '--workspace', workspaceId, '--mode', 'poll'],
    ...['--local-dir', dir, '--state-dir', tempFolder('mooring-mount-state'), '--interval', '5s'],
  ]);
  const local = (file: string) => path.join(dir, file);
  const text = (file: string) => (existsSync(local(file)) ? readFileSync(local(file), 'utf8') : null);
  const remote = async (file: string) => (await client.readFile(workspaceId, file)).content;
  const gone = async (file: string) =>
    await client.readFile(workspaceId, file).then(
      () => false,
      (error: unknown) => error instanceof Error && error.name === 'NotFoundError',
    );
  const waits = { deadlineMs: roundMs, everyMs: 100 };
  const untilSeen = async () => await untilMountHasSeen(client, workspaceId, dir, roundMs);

  await waitFor('the first file in the folder', () => text('notes/first.md') === 'from the agent\n', waits);
  await untilMountWatches(child, dir, roundMs);
  await untilSeen();
  putFile(dir, 'notes/second.md', 'from the folder\n');
  await waitFor(
    'the new file in the workspace',
    async () => (await remote('/notes/second.md')) === 'from the folder\n',
    waits,
  );
  await untilSeen();
  await client.writeFile(workspaceId, '/notes/first.md', 'edited by the agent\n');
  writeFileSync(local('notes/second.md'), 'edited in the folder\n');
  await waitFor('the edit of the agent', () => text('notes/first.md') === 'edited by the agent\n', waits);
  await waitFor(
    'the edit of the folder',
    async () => (await remote('/notes/second.md')) === 'edited in the folder\n',
    waits,
  );
  await untilSeen();
  await client.deleteFile(workspaceId, '/notes/first.md');
  rmSync(local('notes/second.md'));
  await waitFor('the delete of the folder', async () => await gone('/notes/second.md'), waits);
  await waitFor('the delete of the agent', () => text('notes/first.md') === null, {
    ...waits,
    deadlineMs: 2 * roundMs,
  });
  expect(child.exitCode).toBeNull();
});
