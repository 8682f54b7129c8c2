// A real agent process for a bench: started in a data directory of its own, measured from outside, always stopped.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { program } from '../support/program.ts';

export interface BenchAgent {
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  readonly ownerToken: string;
  /** Runs a CLI command against this agent and answers its stdout. */
  cli(...args: readonly string[]): string;
  stop(): Promise<void>;
}

export function benchFolder(name: string): string {
  return mkdtempSync(path.join(os.tmpdir(), `mooring-bench-${name}-`));
}

export function removeBenchFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** `nodeArgs`: arguments of Node, before the program. `env`: beside the environment of the bench. */
export async function startBenchAgent(
  dataDir: string,
  args: readonly string[] = [],
  {
    nodeArgs = [],
    env = {},
  }: { readonly nodeArgs?: readonly string[]; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<BenchAgent> {
  const child = spawn(
    process.execPath,
    [
      ...nodeArgs,
      program,
      'serve',
      '--json',
      '--no-ui',
      '--log-level',
      'error',
      '--listen',
      '127.0.0.1:0',
      '--data-dir',
      dataDir,
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } },
  );
  const ready = await readyLine(child);
  return {
    url: ready.url,
    pid: ready.pid,
    dataDir,
    ownerToken: readFileSync(ready.ownerTokenFile, 'utf8').trim(),
    cli: (...cliArgs) =>
      execFileSync(process.execPath, [program, ...cliArgs], {
        env: { ...process.env, MOORING_DATA_DIR: dataDir },
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      }),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

function readyLine(child: ChildProcess): Promise<{ url: string; pid: number; ownerTokenFile: string }> {
  const { stdout } = child;
  if (stdout === null) throw new Error('the agent has no stdout');
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      reject(new Error(`the agent ended before it was ready (exit code ${code})`)),
    );
    createInterface({ input: stdout }).once('line', (line) => resolve(JSON.parse(line)));
  });
}

/** Resident set of a process now and at its peak, in MB; `files`: what of it are pages of files (Linux; elsewhere null). */
export function residentMb(pid: number): { now: number; peak: number; files: number } | null {
  if (process.platform !== 'linux') return null;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (key: string) => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  return { now: read('VmRSS'), peak: read('VmHWM'), files: read('RssFile') };
}

/** Forgets the peak of a process so far (Linux). */
export function forgetPeak(pid: number): void {
  if (process.platform === 'linux') writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** CPU seconds that a process has used so far (Linux; elsewhere null). */
export function cpuSeconds(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const clockTicksPerSecond = 100;
  return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond;
}
