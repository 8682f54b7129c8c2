// The published mount program of the reference, unmodified and polling, through what happens to a mounted folder in its life: a first
// contact with 1,000 files, changes of both sides, an agent that is away, a conflict, its own end and start. In the end both sides
// are the same to the byte, no operation waits, and nothing that anybody wrote is lost.
//
// What it does with a conflict is its own affair: as its state and its rounds fall, it sends the folder's version over the
// workspace's or keeps it beside. So the test asks for both versions: in the workspace's history, or where the program keeps
// things aside. What was edited in the folder while the program did not run it never looks at, and nothing is edited then.
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type MooringClient, NotFoundError } from '../../sdk/index.ts';
import { startAgent } from '../support/agent-process.ts';
import { freshWorkspace, ownerClient } from '../support/client-of.ts';
import {
  endMount,
  keptAside,
  mountedFiles,
  mountRunsHere,
  mountSkipReason,
  mountState,
  startMount,
  untilMountWatches,
} from '../support/relayfile-mount.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { differences, hashTar, putFile } from '../support/trees.ts';
import { waitFor } from '../support/wait-for.ts';

const filesAtFirst = 1_000;
const filesOfRequest = 250;
/** It polls every 5 s at the least, waits up to 30 s after failures, and the machine may be busy with other things. */
const waits = { deadlineMs: 90_000, everyMs: 100 };
const testMs = 600_000;

const nameOf = (n: number) => `docs/d${n % 20}/file ${n}.md`;

it('relayfile-mount and the agent agree after all that can happen to a mounted folder', {
  timeout: testMs,
}, async ({ skip }) => {
  skip(!mountRunsHere, mountSkipReason);
  const agent = await startAgent();
  const { token, workspaceId } = await freshWorkspace(agent);
  const address = new URL(agent.url).host;
  const client = () => ownerClient(agent);
  await seed(client(), workspaceId);
  const dir = tempFolder('mooring-mount');
  const stateDir = tempFolder('mooring-mount-state');
  const mount = () =>
    startMount([
      ...['--base-url', agent.url, '--token', token, '--workspace', workspaceId, '--mode', 'poll'],
      ...['--local-dir', dir, '--state-dir', stateDir, '--interval', '5s', '--interval-jitter', '0'],
      ...['--websocket=false', '--timeout', '60s'],
    ]);
  const untilSame = async (what: string) => await untilEqual(what, client(), workspaceId, dir);
  const textOf = async (n: number) => await contentOf(client(), workspaceId, `/${nameOf(n)}`);

  let child = mount();
  await untilSame('the first contact');
  expect(mountedFiles(dir).size).toBe(filesAtFirst);
  await untilMountWatches(child, dir, waits.deadlineMs);

  // Changes of the folder, then of the workspace.
  putFile(dir, 'docs/made.md', 'made in the folder\n');
  putFile(dir, nameOf(1), 'edited in the folder\n');
  rmSync(path.join(dir, nameOf(2)));
  await waitFor(
    'the edit in the workspace',
    async () => (await textOf(1)) === 'edited in the folder\n',
    waits,
  );
  await waitFor('the deletion in the workspace', async () => (await textOf(2)) === null, waits);
  await client().writeFile(workspaceId, `/${nameOf(3)}`, 'edited in the workspace\n');
  await client().deleteFile(workspaceId, `/${nameOf(4)}`);
  await client().writeFile(workspaceId, '/docs/made remotely.bin', new Uint8Array([0, 255, 1]));
  await untilSame('changes of both sides');

  // The agent is away; the folder goes on. The program knows what it owes, and sleeps while the workspace changes, too.
  await agent.kill9();
  putFile(dir, nameOf(5), 'the folder says this\n');
  putFile(dir, nameOf(7), 'edited while the agent was away\n');
  putFile(dir, 'docs/made while away.md', 'made while the agent was away\n');
  rmSync(path.join(dir, nameOf(8)));
  await waitFor('four changes to wait for the agent', () => mountState(dir).pendingWriteback === 4, waits);
  child.kill('SIGSTOP');
  await agent.start(address);
  await client().writeFile(workspaceId, `/${nameOf(5)}`, 'the workspace says that\n');
  await client().writeFile(workspaceId, `/${nameOf(6)}`, 'written before the program came back\n');
  child.kill('SIGCONT');
  await waitFor('the deletion after the outage', async () => (await textOf(8)) === null, waits);
  await waitFor('nothing to wait any more', () => mountState(dir).pendingWriteback === 0, waits);
  await untilSame('the return of the agent, with a conflict');
  expect(await textOf(7)).toBe('edited while the agent was away\n');
  const versions = await versionsOf(client(), workspaceId, `/${nameOf(5)}`);
  expect(versions).toContain('the workspace says that\n');
  expect([...versions, ...keptAside(dir)]).toContain('the folder says this\n');

  // The program ends and starts again; meanwhile the workspace goes on.
  await endMount(child);
  await client().writeFile(workspaceId, `/${nameOf(9)}`, 'written while the program was away\n');
  await client().writeFile(workspaceId, '/docs/new/made while the program was away.md', 'new\n');
  await client().deleteFile(workspaceId, `/${nameOf(10)}`);
  child = mount();
  await untilSame('the start after its end');
  await untilMountWatches(child, dir, waits.deadlineMs);
  putFile(dir, nameOf(11), 'edited after the start\n');
  await waitFor('the last edit', async () => (await textOf(11)) === 'edited after the start\n', waits);

  await untilSame('the end');
  expect(readFileSync(path.join(dir, nameOf(9)), 'utf8')).toBe('written while the program was away\n');
  await waitFor(
    'the last operation',
    async () => (await client().operations.list(workspaceId, { status: 'pending' })).items.length === 0,
    waits,
  );
  expect(await client().writeback.pending(workspaceId)).toEqual([]);
  expect((await client().operations.list(workspaceId, { status: 'dead_lettered' })).items).toEqual([]);
  expect(child.exitCode).toBeNull();
});

async function seed(client: MooringClient, workspaceId: string): Promise<void> {
  for (let from = 0; from < filesAtFirst; from += filesOfRequest) {
    const files = Array.from({ length: filesOfRequest }, (_, n) => ({
      path: `/${nameOf(from + n)}`,
      content: `file ${from + n}\n`.repeat(1 + ((from + n) % 50)),
    }));
    expect((await client.bulkWrite(workspaceId, files)).errorCount).toBe(0);
  }
}

/** Waits until the workspace's export and the folder hold the same names and bytes. */
async function untilEqual(
  what: string,
  client: MooringClient,
  workspaceId: string,
  dir: string,
): Promise<void> {
  let last: readonly string[] = [];
  const look = async () => {
    const { stream } = await client.files.export(workspaceId, { format: 'tar' });
    const exported = await hashTar(new Uint8Array(await new Response(stream).arrayBuffer()));
    last = differences(exported, mountedFiles(dir));
    return last.length === 0;
  };
  await waitFor(what, look, { ...waits, everyMs: 500 }).catch((error: unknown) => {
    throw new Error(`${what}: ${last.join('; ')}`, { cause: error });
  });
}

/** null: there is no such file. */
async function contentOf(client: MooringClient, workspaceId: string, file: string): Promise<string | null> {
  try {
    return (await client.readFile(workspaceId, file)).content;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

async function versionsOf(
  client: MooringClient,
  workspaceId: string,
  file: string,
): Promise<readonly string[]> {
  const versions: string[] = [];
  for await (const { revision } of client.history.entries(workspaceId, file)) {
    versions.push((await client.readFile(workspaceId, file, { revision })).content);
  }
  return versions;
}
