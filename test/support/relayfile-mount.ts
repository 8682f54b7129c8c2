// The published mount program of the reference, started by a test and ended with it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { onTestFailed, onTestFinished } from 'vitest';
import { tempFolder } from './temp-folder.ts';

const binary = path.resolve(
  import.meta.dirname,
  '../../node_modules/@relayfile/mount-linux-x64/bin/relayfile-mount',
);
export const mountRunsHere = process.platform === 'linux' && process.arch === 'x64' && existsSync(binary);
export const mountSkipReason = 'relayfile-mount is published as a program for Linux on x64 only';

/** A program that can be run: the package's file may have lost its execute bit on the way. */
export function mountProgram(): string {
  const program = path.join(tempFolder('mooring-mount-bin'), 'relayfile-mount');
  copyFileSync(binary, program);
  chmodSync(program, 0o755);
  return program;
}

export function startMount(args: readonly string[]): ChildProcess {
  const child = spawn(mountProgram(), [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  onTestFinished(() => endMount(child));
  onTestFailed(() => {
    process.stderr.write(`--- log of relayfile-mount\n${log}---\n`);
  });
  return child;
}

async function endMount(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
