// kill -9 while the API writes and the folder changes, and a new start: nothing that was acknowledged is missing, nothing stands
// twice, and folder and workspace come to hold the same.
import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { MooringClient } from '../../sdk/index.ts';
import { type AgentProcess, mooring, startAgent } from '../support/agent-process.ts';
import { ownerClient } from '../support/client-of.ts';
import { runOnce } from '../support/run-once.ts';
import { scaled } from '../support/scale.ts';
import { tempFolder } from '../support/temp-folder.ts';
import {
  differences,
  hashFolder,
  hashTar,
  putFile,
  runSeed,
  seededRandom,
  sha256,
} from '../support/trees.ts';
import { waitFor } from '../support/wait-for.ts';

const rounds = scaled(3, 200);
const writersAtOnce = 8;
/** The kill comes after so many acknowledged writes of a round: anywhere from the first to the middle of the crowd. */
const killAfterWritesMax = 150;

interface Acknowledged {
  /** Path to the hash of the last content whose write was answered. */
  readonly contents: Map<string, string>;
  /** Paths whose last change got no answer: it may have been applied or not. */
  readonly open: Map<string, string>;
  readonly opIds: Set<string>;
}

/** Writes until the agent is gone. Each writer has its own files, so that the last answer per path is known. */
async function writeUntilGone(
  client: MooringClient,
  workspaceId: string,
  round: number,
  known: Acknowledged,
) {
  const writer = async (number: number) => {
    const random = seededRandom(round * 1_000 + number);
    for (let at = 0; ; at += 1) {
      const file = `/api/${number}/${random.below(30)}`;
      const content = random.bytes(1 + random.below(at % 7 === 0 ? 90_000 : 2_000));
      known.open.set(file, sha256(content));
      try {
        const { opId } = await client.writeFile(workspaceId, file, content);
        if (known.opIds.has(opId)) throw new Error(`operation ${opId} was given twice`);
        known.opIds.add(opId);
      } catch (error) {
        if (error instanceof Error && error.name === 'NoAnswerError') return;
        throw error;
      }
      known.open.delete(file);
      known.contents.set(file, sha256(content));
    }
  };
  await Promise.all(Array.from({ length: writersAtOnce }, (_, number) => writer(number)));
}

/** Changes the folder until told to stop: in place, by rename into place, and by moving. */
async function changeFolder(dir: string, round: number, stop: AbortSignal): Promise<void> {
  const random = seededRandom(round * 7_919);
  for (let at = 0; !stop.aborted; at += 1) {
    const file = `folder/${random.below(20)}/${random.below(20)}.bin`;
    const content = random.bytes(random.below(3_000));
    if (at % 3 === 0) putFile(dir, file, content);
    else {
      putFile(dir, `${file}.part~`, content);
      renameSync(path.join(dir, `${file}.part~`), path.join(dir, file));
    }
    if (at % 5 === 0) {
      mkdirSync(path.join(dir, 'folder/moved'), { recursive: true });
      renameSync(path.join(dir, file), path.join(dir, `folder/moved/${round}-${at}`));
    }
    await new Promise((resolve) => setImmediate(resolve));
    // A person does not save a thousand times a second; the disk of this machine belongs to the agent, too.
    if (at % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function checkAcknowledged(
  client: MooringClient,
  workspaceId: string,
  known: Acknowledged,
): Promise<void> {
  const lost: string[] = [];
  for (const [file, hash] of known.contents) {
    const { contentHash } = await client.readFile(workspaceId, file);
    // Another content is right only if it is the one that was on its way when the agent was killed.
    if (contentHash !== hash && contentHash !== known.open.get(file)) lost.push(file);
    known.contents.set(file, contentHash);
  }
  known.open.clear();
  expect(lost).toEqual([]);
}

/** Every event and every operation once, numbers without a repetition. */
async function checkNothingDoubled(client: MooringClient, workspaceId: string): Promise<void> {
  const ids = new Set<string>();
  const revisions = new Set<string>();
  let total = 0;
  for await (const event of client.events.all(workspaceId, { limit: 1000 })) {
    total += 1;
    ids.add(event.eventId);
    revisions.add(`${event.revision} ${event.path}`);
  }
  expect(ids.size).toBe(total);
  expect(revisions.size).toBe(total);
}

it(
  'loses nothing acknowledged and doubles nothing over kill -9 in the middle of writes',
  runOnce,
  async () => {
    const seed = runSeed();
    process.stdout.write(`seed ${seed} (MOORING_TEST_SEED repeats it)\n`);
    const random = seededRandom(seed);
    const dir = tempFolder('mooring-power-cut');
    const agent: AgentProcess = await startAgent({ args: ['--log-level', 'error'] });
    const created = await mooring(['workspace', 'create', '--name', 'cut', '--mirror', dir, '--json'], {
      dataDir: agent.dataDir,
    });
    const { workspaceId } = JSON.parse(created.stdout) as { workspaceId: string };
    const known: Acknowledged = { contents: new Map(), open: new Map(), opIds: new Set() };
    const client = () =>
      new MooringClient({ baseUrl: agent.url, token: agent.ownerToken, retry: { retries: 0 } });

    for (let round = 0; round < rounds; round += 1) {
      const stop = new AbortController();
      const folderWork = changeFolder(dir, seed + round, stop.signal);
      const writes = writeUntilGone(client(), workspaceId, seed + round, known);
      const enough = known.opIds.size + 1 + random.below(killAfterWritesMax);
      await waitFor('writes to kill', () => known.opIds.size >= enough, { everyMs: 1, deadlineMs: 90_000 });
      await agent.kill9();
      await writes;
      stop.abort();
      await folderWork;
      await agent.start();
      await checkAcknowledged(client(), workspaceId, known);
    }

    const synced = await mooring(['sync', '--wait', '--timeout', '120s'], { dataDir: agent.dataDir });
    expect(synced).toMatchObject({ code: 0 });
    await checkNothingDoubled(client(), workspaceId);
    const { stream } = await ownerClient(agent).files.export(workspaceId, { format: 'tar' });
    const workspace = await hashTar(new Uint8Array(await new Response(stream).arrayBuffer()));
    expect(differences(workspace, hashFolder(dir))).toEqual([]);
    const { checks } = await client().agent.diagnostics();
    expect(checks.filter((check) => check.state === 'failed')).toEqual([]);
    process.stdout.write(`${known.opIds.size} acknowledged writes over ${rounds} kills\n`);
  },
);
