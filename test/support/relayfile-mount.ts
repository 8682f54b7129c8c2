// The published mount program of the reference: started by a test and ended with it, and what can be seen of it from outside.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { onTestFailed, onTestFinished } from 'vitest';
import type { MooringClient } from '../../sdk/index.ts';
import { tempFolder } from './temp-folder.ts';
import { hashFolder, type TreeHashes } from './trees.ts';
import { waitFor } from './wait-for.ts';

/** Of the version that the published SDK asks for; MOORING_TEST_MOUNT names the program of another one. */
const binary =
  process.env.MOORING_TEST_MOUNT ??
  path.resolve(import.meta.dirname, '../../node_modules/@relayfile/mount-linux-x64/bin/relayfile-mount');
export const mountRunsHere = process.platform === 'linux' && process.arch === 'x64' && existsSync(binary);
export const mountSkipReason = 'relayfile-mount is published as a program for Linux on x64 only';
/** What it keeps for itself in the folder. */
const privateFolder = '.relay';

/** A program that can be run: the package's file may have lost its execute bit on the way. */
export function mountProgram(): string {
  const program = path.join(tempFolder('mooring-mount-bin'), 'relayfile-mount');
  copyFileSync(binary, program);
  chmodSync(program, 0o755);
  return program;
}

/** `program`: from `mountProgram`, so that several start with nothing in between. Default: a copy of its own. */
export function startMount(args: readonly string[], program = mountProgram()): ChildProcess {
  const child = spawn(program, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  onTestFinished(async () => {
    await endMount(child, 'SIGKILL');
  });
  onTestFailed(() => {
    process.stderr.write(`--- log of relayfile-mount\n${log}---\n`);
  });
  return child;
}

export async function endMount(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/**
 * It begins to watch after its first round and compares nothing later: an edit made in between would never leave the folder.
 * That every directory is watched by now is told by the kernel, which lists the inode of each.
 */
export async function untilMountWatches(child: ChildProcess, dir: string, deadlineMs: number): Promise<void> {
  const what = 'relayfile-mount to watch every directory';
  await waitFor(what, () => directories(dir).every((inode) => watchedInodes(child).has(inode)), {
    deadlineMs,
  });
}

function directories(dir: string): readonly string[] {
  const below = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
    .filter((name) => !isPrivate(name));
  return ['', ...below].map((name) => statSync(path.join(dir, name)).ino.toString(16));
}

/** proc_pid_fdinfo(5): a line `inotify wd:1 ino:7f ...` for each watch. */
function watchedInodes({ pid }: ChildProcess): ReadonlySet<string> {
  const folder = `/proc/${pid}/fdinfo`;
  const lines = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  return new Set(
    [...lines.join('\n').matchAll(/^inotify wd:\S+ ino:([0-9a-f]+)/gm)].map(([, inode = '']) => inode),
  );
}

/** The parts of its public state that are read here. */
export interface MountState {
  readonly pendingWriteback: number;
  /** When the event happened that it dealt with last. */
  readonly lastEventAt?: string;
}

/** Throws while it is being written. */
export function mountState(dir: string): MountState {
  return JSON.parse(readFileSync(path.join(dir, privateFolder, 'state.json'), 'utf8')) as MountState;
}

/**
 * With its WebSocket it is told of its own writes, too, and reads and writes such a file once more: what is done to the file in
 * between is undone. So a test lets it deal with the last event before it touches the same file again.
 */
export async function untilMountHasSeen(
  client: MooringClient,
  workspaceId: string,
  dir: string,
  deadlineMs: number,
): Promise<void> {
  const { events } = await client.events.page(workspaceId, { direction: 'desc', limit: 1 });
  const last = events[0]?.timestamp;
  const what = 'relayfile-mount to deal with the last event';
  await waitFor(what, () => mountState(dir).lastEventAt === last, { deadlineMs });
}

/** The workspace's files in its folder. */
export function mountedFiles(dir: string): TreeHashes {
  return new Map([...hashFolder(dir)].filter(([file]) => !isPrivate(file)));
}

/** Every text that it keeps for itself, the losing versions of conflicts among them. */
export function keptAside(dir: string): readonly string[] {
  return readdirSync(path.join(dir, privateFolder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
}

function isPrivate(file: string): boolean {
  return file === privateFolder || file.startsWith(`${privateFolder}/`);
}
