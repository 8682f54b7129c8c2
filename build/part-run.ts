// What every part of `npm test` is made of: its counts, and how it starts a program.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { answersChecked } from './answers-checked.ts';
import type { Reason } from './vitest-reporter.ts';

export const root = path.resolve(import.meta.dirname, '..');
const resultFolder = path.join(root, 'node_modules/.cache/mooring-test');

export interface Result {
  passed: number;
  failures: Reason[];
  skipped: Reason[];
  /** Tests that passed only when they were run once more, with the error of the first time; they count as passed. */
  again?: Reason[];
  /** Printed beside the seconds. */
  note?: string;
}

interface RunOptions {
  readonly quiet?: true;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Default: that of this process. It holds for what the script starts as well. */
  readonly priority?: number;
}

/** Runs a script under this Node; its output goes through to ours, or with `quiet` is returned. */
export async function node(
  args: readonly string[],
  options: RunOptions = {},
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', options.quiet ? 'pipe' : 'inherit', options.quiet ? 'pipe' : 'inherit'],
    ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
  });
  if (options.priority !== undefined && child.pid !== undefined) setPriority(child.pid, options.priority);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

export function answersCheckedIn(part: string): string | undefined {
  return answersChecked(path.join(resultFolder, `${part}-answers.json`));
}

export function noted(note: string | undefined): { readonly note?: string } {
  return note === undefined ? {} : { note };
}

export function freshResultFile(name: string): string {
  mkdirSync(resultFolder, { recursive: true });
  const file = path.join(resultFolder, `${name}.json`);
  rmSync(file, { force: true });
  return file;
}

/** A part that could not be run. */
export function broken(name: string, reason: string): Result {
  return { passed: 0, failures: [{ name, reason }], skipped: [] };
}
