// Generated scripts of real commands, each as a run of a real agent on a real mirrored folder. After a discard nothing has changed, after a
// commit workspace and folder have what the folder of the run had, after an undo all is as it was, with other edits of the live folder kept.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { MooringClient } from '../../sdk/index.ts';
import { IgnoreRules, ignoreFileName } from '../../server/disk/names/ignore.ts';
import { agentOfFile } from '../support/agent-process.ts';
import { ownerClient } from '../support/client-of.ts';
import { runOnce } from '../support/run-once.ts';
import { findPrograms, makeScript, plantFolder } from '../support/run-scripts.ts';
import { scaled } from '../support/scale.ts';
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts';
import { differences, entriesBelow, hashTar, runSeed, seededRandom, sha256 } from '../support/trees.ts';

const seeds =
  process.env.MOORING_TEST_SEED === undefined ? scaled(5, Number(process.env.MOORING_TEST_RUNS ?? 1000)) : 1;
const filesMax = scaled(120, 3000);
const reportEvery = 20;
const firstSeed = runSeed();
const programs = findPrograms();
const agent = agentOfFile();
let client: MooringClient;

vi.setConfig({ testTimeout: scaled(120_000, 3_600_000) });

beforeAll(() => {
  client = ownerClient(agent);
});
// The data of a thousand runs takes minutes to remove.
afterAll(
  async () => {
    await agent.kill9();
    removeFolder(agent.dataDir);
  },
  scaled(30_000, 900_000),
);

type Tree = Readonly<Record<string, string>>;

/** Path -> everything that a program can see of what is there, without times. */
function everything(dir: string, { inodes = false } = {}): Tree {
  const tree: Record<string, string> = {};
  for (const { entry, at, name } of entriesBelow(dir)) {
    const { mode, ino } = lstatSync(at);
    const content = entry.isSymbolicLink()
      ? readlinkSync(at)
      : entry.isFile()
        ? sha256(readFileSync(at))
        : 'directory';
    tree[name] = `${mode.toString(8)} ${content}${inodes ? ` ${ino}` : ''}`;
  }
  return tree;
}

/** Path -> hash of each file that a mirror syncs. */
function synced(dir: string): Tree {
  const text = readIfThere(path.join(dir, ignoreFileName));
  const rules = IgnoreRules.from(text === null ? [] : [{ directory: '/', text }]);
  const tree: Record<string, string> = {};
  for (const { entry, at, name } of entriesBelow(dir)) {
    if (entry.isFile() && !rules.ignores(`/${name}`)) tree[name] = sha256(readFileSync(at));
  }
  return tree;
}

const readIfThere = (file: string) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};

function same(what: string, expected: Tree, actual: Tree): void {
  const lines = differences(new Map(Object.entries(expected)), new Map(Object.entries(actual)));
  if (lines.length > 0) throw new Error([what, ...lines].join('\n  '));
}

async function inWorkspace(workspaceId: string): Promise<Tree> {
  const { stream } = await client.files.export(workspaceId, { format: 'tar' });
  return Object.fromEntries(await hashTar(new Uint8Array(await new Response(stream).arrayBuffer())));
}

interface Place {
  readonly workspaceId: string;
  readonly live: string;
}

async function settle({ workspaceId }: Place): Promise<void> {
  expect((await client.mirrors.waitUntilSynced({ workspaceId, timeoutMs: 30_000 })).settled).toBe(true);
}

/** As `mooring run` does it, up to the end of the command. */
async function runScript({ workspaceId }: Place, script: string) {
  const { runId, forkId } = await client.runs.create(workspaceId);
  const { dir } = await client.runs.openFolder(workspaceId, runId);
  const settleFolder = async () =>
    expect((await client.runs.syncFolder(workspaceId, runId, { timeoutMs: 30_000 })).settled).toBe(true);
  await settleFolder();
  const child = spawn('sh', ['-c', script], {
    cwd: dir,
    env: { ...process.env, MOORING_RUN: runId, MOORING_FORK: forkId },
    stdio: 'ignore',
  });
  await once(child, 'exit');
  await settleFolder();
  return { runId, dir };
}

/** An edit of the live folder that has nothing to do with the run. */
function editLive({ live }: Place, name: string): Tree {
  writeFileSync(path.join(live, name), `${name} of the live folder\n`);
  return { [name]: everything(live)[name] as string };
}

async function checkSeed(seed: number, place: Place): Promise<void> {
  const random = seededRandom(seed);
  const files = plantFolder(place.live, random);
  const script = makeScript(random, files, { programs, filesMax });
  const { workspaceId, live } = place;
  await client.mirrors.add(workspaceId, live);
  await settle(place);
  const before = everything(live, { inodes: true });
  const content = everything(live);
  const filesBefore = await inWorkspace(workspaceId);
  same('workspace before the run', synced(live), filesBefore);

  const discarded = await runScript(place, script);
  await settle(place);
  same('live folder during the run', before, everything(live, { inodes: true }));
  await client.runs.discard(workspaceId, discarded.runId);
  await settle(place);
  same('live folder after the discard', before, everything(live, { inodes: true }));
  same('workspace after the discard', filesBefore, await inWorkspace(workspaceId));

  const committed = await runScript(place, script);
  const held = heldByLinks(committed.dir, await inRun(place, committed.runId, filesBefore));
  const made = { ...held, ...synced(committed.dir) };
  const other = random.below(2) === 0 ? editLive(place, 'edited during the run') : {};
  await settle(place);
  const hashes = (tree: Tree) =>
    Object.fromEntries(Object.keys(tree).map((name) => [name, sha256(readFileSync(path.join(live, name)))]));
  const shown = await client.runs.get(workspaceId, committed.runId);
  const hasChanges = shown.writtenCount + shown.deletedCount > 0;
  const done = hasChanges ? await client.runs.commit(workspaceId, committed.runId) : null;
  // A file that was changed and changed back is shown, and needs no commit.
  const isCommitted = done !== null && done.writtenCount + done.deletedCount > 0;
  await settle(place);
  const expected = { ...made, ...hashes(other) };
  same('workspace after the commit', expected, await inWorkspace(workspaceId));
  same('live folder after the commit', expected, synced(live));

  const later = editLive(place, 'edited after the commit');
  await settle(place);
  if (isCommitted) await client.runs.undo(workspaceId, committed.runId);
  await settle(place);
  const isMadeAgain = (name: string) => name in filesBefore && !(name in made);
  const after = { ...content, ...other, ...later };
  same(
    'live folder after the undo',
    withoutModes(after, isMadeAgain),
    withoutModes(everything(live), isMadeAgain),
  );
  const kept = { ...hashes(other), ...hashes(later) };
  same('workspace after the undo', { ...filesBefore, ...kept }, await inWorkspace(workspaceId));
}

/** The files that the run shows. */
async function inRun({ workspaceId }: Place, runId: string, before: Tree): Promise<Tree> {
  const { forkId } = await client.runs.get(workspaceId, runId);
  const tree = new Map(Object.entries(before));
  for await (const { path: at, contentHash } of client.forks.staged(workspaceId, forkId)) {
    if (contentHash === undefined) tree.delete(at.slice(1));
    else tree.set(at.slice(1), contentHash);
  }
  return Object.fromEntries(tree);
}

/** A link in the place of a file is not synced, and is reported: the file stays until it is decided on, as it was when it was synced last, which
 * may be a state from before the link. */
function heldByLinks(dir: string, files: Tree): Tree {
  const links = [...entriesBelow(dir)].flatMap(({ entry, name }) => (entry.isSymbolicLink() ? name : []));
  const isHeld = (name: string) => links.some((link) => name === link || name.startsWith(`${link}/`));
  return Object.fromEntries(Object.entries(files).filter(([name]) => isHeld(name)));
}

/** A workspace has no permissions: a file that is made again gets those of a new file. */
function withoutModes(tree: Tree, isChosen: (name: string) => boolean): Tree {
  return Object.fromEntries(
    Object.entries(tree).map(([name, text]) => [name, isChosen(name) ? text.slice(text.indexOf(' ')) : text]),
  );
}

function scriptOf(seed: number): string {
  const random = seededRandom(seed);
  const scratch = makeTempFolder('mooring-script');
  const script = makeScript(random, plantFolder(scratch, random), { programs, filesMax });
  removeFolder(scratch);
  return script;
}

test(`${seeds} scripts: discarded, committed and undone`, runOnce, async () => {
  process.stdout.write(`seed ${firstSeed} (MOORING_TEST_SEED repeats one)\n`);
  for (const [name, isThere] of Object.entries(programs))
    if (!isThere) process.stdout.write(`${name} is not installed: the scripts do without it\n`);
  const failures: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
    const live = makeTempFolder('mooring-live');
    const { workspaceId } = await client.workspaces.create({ name: `seed ${seed}` });
    try {
      await checkSeed(seed, { workspaceId, live });
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      failures.push(`seed ${seed}: ${cause}\n${scriptOf(seed)}`);
      // A long run that is ended early says what it found.
      process.stdout.write(`seed ${seed} failed: ${cause}\n`);
    }
    await client.workspaces.remove(workspaceId);
    rmSync(live, { recursive: true, force: true });
    const done = seed - firstSeed + 1;
    if (done % reportEvery === 0) process.stdout.write(`${done} scripts, ${failures.length} failed\n`);
  }
  expect(failures).toEqual([]);
});
