// A program changes every file of a mirrored folder at once while the agent serves its API: more events than the system's queue
// holds. Nobody asks the mirror to look; it notices by itself, and nothing stays behind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import type { MooringClient } from '../../sdk/index.ts';
import { startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { isLong, scaled } from '../support/scale.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { differences, hashFolder, hashTar, putFile } from '../support/trees.ts';
import { waitFor } from '../support/wait-for.ts';

const directories = 30;
const filesEach = scaled(40, 1000);
/** The long form states the promise; the short one only asks for an end, however busy the machine is. */
const followsWithinMs = scaled(120_000, 60_000);
/** By then each change is known: done, or listed as on its way. Asked in the long form only, which has the machine to itself. */
const noticedWithinMs = 5000;
const askedAtOnce = 20;

vi.setConfig({ testTimeout: scaled(180_000, 900_000) });

it(`follows ${directories * filesEach} changes of another program under load, without being asked to look`, async () => {
  const agent = await startAgent();
  const { workspaceId, client, owner } = await freshWorkspace(agent);
  const dir = tempFolder('mooring-burst');
  for (let at = 0; at < directories; at += 1) {
    for (let file = 0; file < filesEach; file += 1) putFile(dir, `d${at}/${file}.txt`, `${at} ${file}\n`);
  }
  await owner.mirrors.add(workspaceId, dir);
  const { settled } = await owner.mirrors.waitUntilSynced({
    workspaceId,
    timeoutMs: scaled(120_000, 600_000),
  });
  expect(settled).toBe(true);

  const loaded = new AbortController();
  const load = underLoad(client, workspaceId, loaded.signal);
  const script = fileURLToPath(new URL('../support/burst-writer.ts', import.meta.url));
  const writer = spawn(process.execPath, [script, dir, String(directories), String(filesEach)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(writer, 'close')) as [number | null];
  expect(code).toBe(0);
  const endedMs = performance.now();
  if (isLong) expect(await unnoticed(owner, workspaceId, endedMs + noticedWithinMs, dir)).toEqual([]);
  const expected = hashFolder(dir);
  await waitFor(
    'the workspace to hold every change',
    async () => differences(expected, await exported(client, workspaceId)).length === 0,
    { deadlineMs: followsWithinMs - (performance.now() - endedMs), everyMs: 500 },
  );
  process.stdout.write(
    `settled ${((performance.now() - endedMs) / 1000).toFixed(1)} s after the last change\n`,
  );
  loaded.abort();
  expect(await load).toBeGreaterThan(0);
  const { conflicts, problems, halt } = (await owner.mirrors.list(workspaceId))[0] ?? {};
  expect({ conflicts, problems, halt }).toEqual({ conflicts: 0, problems: 0, halt: null });
});

/** Four clients that read and ask without a pause. Returns how many requests were answered. */
async function underLoad(client: MooringClient, workspaceId: string, signal: AbortSignal): Promise<number> {
  let answered = 0;
  const one = async () => {
    while (!signal.aborted) {
      await client.readFile(workspaceId, '/d0/0.txt');
      await client.agent.status().catch(() => null);
      answered += 1;
    }
  };
  await Promise.all([one(), one(), one(), one()]);
  return answered;
}

/** Paths of which the agent knows nothing new at that time: they hold the old content and are not listed as on their way. */
async function unnoticed(
  owner: MooringClient,
  workspaceId: string,
  atMs: number,
  dir: string,
): Promise<readonly string[]> {
  const expected = hashFolder(dir);
  await delay(Math.max(0, atMs - performance.now()));
  const done = await exported(owner, workspaceId);
  const open = [...expected].filter(([file, hash]) => done.get(file) !== hash).map(([file]) => file);
  process.stdout.write(
    `${expected.size - open.length} done, ${open.length} open 5 s after the last change\n`,
  );
  const unknown: string[] = [];
  const ask = async () => {
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      const [mirror] = (await owner.mirrors.explain(workspaceId, `/${file}`)).mirrors;
      const noticed = mirror?.state === 'on_its_way' || mirror?.state === 'settling';
      // Done since.
      const same = mirror?.observed.folder?.contentHash === expected.get(file);
      if (!noticed && !same) unknown.push(file);
    }
  };
  await Promise.all(Array.from({ length: askedAtOnce }, ask));
  return unknown;
}

async function exported(client: MooringClient, workspaceId: string): ReturnType<typeof hashTar> {
  const { stream } = await client.files.export(workspaceId, { format: 'tar' });
  return await hashTar(new Uint8Array(await new Response(stream).arrayBuffer()));
}
