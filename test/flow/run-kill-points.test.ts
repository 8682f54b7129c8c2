// kill -9 of the agent, of the command, and of both, at each stage of `mooring run`: after a restart the run is there again and can be
// continued, and the live folder has not changed, except by a commit or an undo that the store has.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { MooringClient, Run } from '../../sdk/index.ts';
import { mooringProcess } from '../support/agent-process.ts';
import { type KillPointAgent, startKillPointAgent } from '../support/kill-point-agent.ts';
import { program } from '../support/program.ts';
import { isLong, killRounds } from '../support/scale.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

vi.setConfig({ testTimeout: 300_000 });

const fileCount = 60;
/** It makes a name that is not synced when it has begun, and one when it has done its work. */
const script = `echo begun > .begun.swp
  i=0; while [ $i -lt 30 ]; do echo "$i" > "new-$i.txt"; i=$((i+1)); done
  rm -rf dir1; mv dir2 dir3; echo more >> dir0/file0.txt; echo done > .done.swp; exec sleep 100`;

interface Rig {
  readonly dataDir: string;
  readonly live: string;
  readonly workspaceId: string;
  agent: KillPointAgent;
}

/** An agent with a mirrored folder at rest. */
async function startRig(): Promise<Rig> {
  const [dataDir, live] = [tempFolder('mooring-data'), tempFolder('mooring-live')];
  for (let at = 0; at < fileCount; at += 1) {
    mkdirSync(path.join(live, `dir${at % 3}`), { recursive: true });
    writeFileSync(path.join(live, `dir${at % 3}/file${at}.txt`), `file ${at}\n`);
  }
  const agent = await startKillPointAgent(dataDir, null);
  const { workspaceId } = await agent.owner.workspaces.create({ name: 'killed' });
  await agent.owner.mirrors.add(workspaceId, live);
  const rig = { dataDir, live, workspaceId, agent };
  await settled(rig);
  return rig;
}

async function settled({ agent, workspaceId }: Rig): Promise<void> {
  expect((await agent.owner.mirrors.waitUntilSynced({ workspaceId, timeoutMs: 60_000 })).settled).toBe(true);
}

async function restart(rig: Rig): Promise<MooringClient> {
  await rig.agent.stop();
  rig.agent = await startKillPointAgent(rig.dataDir, null);
  return rig.agent.owner;
}

/** Path -> inode and content. */
function filesIn(dir: string, { inodes = true } = {}): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(dir, file);
    if (!entry.isFile() || name.startsWith('.mooring') || name.endsWith('.swp')) continue;
    files[name] = `${inodes ? lstatSync(file).ino : ''} ${readFileSync(file, 'utf8')}`;
  }
  return files;
}

function startRun({ dataDir, workspaceId }: Rig): ChildProcess {
  return spawn(process.execPath, [program, 'run', '--workspace', workspaceId, '--', 'sh', '-c', script], {
    env: { ...process.env, MOORING_DATA_DIR: dataDir },
    stdio: 'ignore',
    detached: true,
  });
}

async function killGroup(child: ChildProcess): Promise<void> {
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
  // Also a command whose `mooring run` has ended.
  try {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  } catch {
    // It has ended.
  }
  await ended;
}

async function onlyRun(owner: MooringClient, workspaceId: string): Promise<Run> {
  const { runs } = await owner.runs.list(workspaceId);
  expect(runs).toHaveLength(1);
  return runs[0] as Run;
}

/** Where the folder of the run is, found without its agent. */
function folderOf({ dataDir, workspaceId }: Rig): string | null {
  const all = path.join(dataDir, 'runs', workspaceId);
  const [name] = existsSync(all) ? readdirSync(all) : [];
  return name === undefined ? null : path.join(all, name);
}

/** The run is continued to its end, and its result is that of a run that nothing has interrupted. */
async function finish(rig: Rig, before: Record<string, string>): Promise<void> {
  const { workspaceId, live } = rig;
  const owner = rig.agent.owner;
  await settled(rig);
  expect(filesIn(live)).toEqual(before);
  const { runId, state } = await onlyRun(owner, workspaceId);
  expect(state).toBe('open');
  const rest = script.replace('exec sleep 100', 'exit 0');
  const again = await mooringProcess(
    ['run', 'open', runId, '--workspace', workspaceId, '--', 'sh', '-c', `mkdir -p dir0; ${rest}`],
    { dataDir: rig.dataDir },
  );
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('mooring run commit')]);
  const { dir } = await owner.runs.folder(workspaceId, runId);
  const made = filesIn(dir, { inodes: false });
  expect(Object.keys(made).filter((name) => name.startsWith('new-'))).toHaveLength(30);
  expect(Object.keys(made).some((name) => name.startsWith('dir1/'))).toBe(false);
  expect(Object.keys(made).filter((name) => name.startsWith('dir3/'))).toHaveLength(fileCount / 3);
  expect(filesIn(live)).toEqual(before);
  await owner.runs.commit(workspaceId, runId);
  await settled(rig);
  expect(filesIn(live, { inodes: false })).toEqual(made);
}

/** `npm test` takes every fourth case, which are of each stage and each victim. */
function some<T>(cases: readonly T[]): readonly T[] {
  return isLong ? cases : cases.filter((_, at) => at % 4 === 1);
}

type Victim = 'agent' | 'command' | 'both';
const victims: readonly Victim[] = ['agent', 'command', 'both'];

interface Stage {
  readonly name: string;
  readonly isReached: (rig: Rig) => boolean;
}
const has = (name: string) => (rig: Rig) => {
  const dir = folderOf(rig);
  return dir !== null && existsSync(path.join(dir, name));
};
const stages: readonly Stage[] = [
  { name: 'its folder is made', isReached: (rig) => folderOf(rig) !== null },
  { name: 'its folder is filled', isReached: has('dir0/file0.txt') },
  { name: 'the command begins', isReached: has('.begun.swp') },
  { name: 'the command changes files', isReached: has('new-15.txt') },
  { name: 'its changes are synced', isReached: has('.done.swp') },
];

describe('kill -9 when', () => {
  const cases = stages.flatMap((stage) => victims.map((victim) => ({ stage, victim })));
  test.each(some(cases))('$stage.name, of: $victim', async ({ stage, victim }) => {
    const rig = await startRig();
    const before = filesIn(rig.live);
    const command = startRun(rig);
    await waitFor(stage.name, () => stage.isReached(rig), { everyMs: 1, deadlineMs: 60_000 });
    if (victim !== 'agent') await killGroup(command);
    if (victim !== 'command') await rig.agent.stop();
    await killGroup(command);
    if (victim !== 'command') await restart(rig);
    await finish(rig, before);
  });
});

describe('kill -9 of the agent at', () => {
  const points = [
    { point: 'run.created', times: 1 },
    { point: 'download.intended', times: 1 },
    { point: 'download.applied', times: 1 },
    { point: 'download.agreed', times: 1 },
    { point: 'upload.committed', times: 1 },
    { point: 'upload.committed', times: 2 },
  ];
  test.each(some(points))('$point, arrival $times, before the commit', async ({ point, times }) => {
    const rig = await startRig();
    const before = filesIn(rig.live);
    await rig.agent.arm(point, times);
    const command = startRun(rig);
    await goneWhileWorking(rig);
    await killGroup(command);
    await restart(rig);
    await finish(rig, before);
  });

  const ends = [
    'run.commit',
    'run.committed',
    'run.undo',
    'run.undone',
    'download.applied',
    'download.agreed',
  ];
  test.each(some(ends))('%s, during commit or undo', async (point) => {
    for (let round = 0; round < killRounds(); round += 1) await killAtEnd(point);
  });
});

/** The agent ends at its kill point. A busy machine takes all that the command did as one change, so more changes follow it. */
async function goneWhileWorking(rig: Rig): Promise<void> {
  let isGone = false;
  void rig.agent.gone.then(() => {
    isGone = true;
  });
  let more = 0;
  const isDone = has('.done.swp');
  const isAtItsPoint = () => {
    const dir = isDone(rig) && !isGone ? folderOf(rig) : null;
    more += 1;
    if (dir !== null) writeFileSync(path.join(dir, `more-${more}.txt`), 'more\n');
    return isGone;
  };
  await waitFor('the agent to be at its point', isAtItsPoint, { everyMs: 500, deadlineMs: 120_000 });
}

async function killAtEnd(point: string): Promise<void> {
  const rig = await startRig();
  const { workspaceId, live, dataDir } = rig;
  const before = filesIn(live, { inodes: false });
  const changes = script.replace('exec sleep 100', 'exit 0');
  await mooringProcess(['run', '--workspace', workspaceId, '--', 'sh', '-c', changes], { dataDir });
  const { runId } = await onlyRun(rig.agent.owner, workspaceId);
  const made = filesIn((await rig.agent.owner.runs.folder(workspaceId, runId)).dir, { inodes: false });
  const isUndo = point.startsWith('run.und');
  if (isUndo) {
    await rig.agent.owner.runs.commit(workspaceId, runId);
    await settled(rig);
  }
  await rig.agent.arm(point, 1);
  const { owner } = rig.agent;
  await Promise.allSettled([
    isUndo ? owner.runs.undo(workspaceId, runId) : owner.runs.commit(workspaceId, runId),
  ]);
  await rig.agent.gone;
  const again = await restart(rig);
  await settled(rig);
  const { state } = await onlyRun(again, workspaceId);
  const isDone = point !== 'run.commit' && point !== 'run.undo';
  expect(state).toBe(isUndo ? (isDone ? 'undone' : 'committed') : isDone ? 'committed' : 'open');
  expect(filesIn(live, { inodes: false })).toEqual(isUndo === isDone ? before : made);
  if (!isDone) {
    if (isUndo) await again.runs.undo(workspaceId, runId);
    else await again.runs.commit(workspaceId, runId);
    await settled(rig);
    expect(filesIn(live, { inodes: false })).toEqual(isUndo ? before : made);
  }
}
