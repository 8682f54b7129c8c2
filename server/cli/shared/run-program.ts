// Runs the program of a user in a folder, with the streams of this process, and passes signals and its exit code on.
import { spawn } from 'node:child_process';
import os from 'node:os';
import { failure } from './failure.ts';
import { note } from './output.ts';
import { inSandbox, SandboxSignals, sandboxStdio } from './sandbox.ts';

/** As a shell reports a program that it cannot find. */
const notFoundCode = 127;
const signalCodeBase = 128;
const passedOn = ['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGINT'] as const;

/** Resolves with its exit code. Signals to this process go to it; those of a terminal reach it without that. */
export async function runProgram(
  command: readonly string[],
  { dir, isConfined }: { readonly dir: string; readonly isConfined: boolean },
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  const [program = shell(), ...programArgs] = command;
  const { file, args } = isConfined
    ? inSandbox([program, ...programArgs], dir)
    : { file: program, args: programArgs };
  const child = spawn(file, args, {
    cwd: dir,
    stdio: isConfined ? [...sandboxStdio] : 'inherit',
    env: { ...process.env, ...variables, PWD: dir },
    shell: process.platform === 'win32',
  });
  const confined = isConfined ? new SandboxSignals(child) : null;
  const pass = (signal: NodeJS.Signals) => {
    const isOfTerminal = process.stdin.isTTY && (signal === 'SIGINT' || signal === 'SIGQUIT');
    if (isOfTerminal) return;
    if (confined === null) child.kill(signal);
    else confined.send(signal);
  };
  for (const signal of passedOn) process.on(signal, pass);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') note(`${file} was not found. Check its name and PATH.`);
        if (error.code === 'ENOENT') resolve(notFoundCode);
        else reject(failure(`${file} cannot be started: ${error.message}.`));
      });
      child.once('exit', (code, signal) => resolve(code ?? signalCode(signal)));
    });
  } finally {
    for (const signal of passedOn) process.off(signal, pass);
  }
}

function shell(): string {
  return process.platform === 'win32' ? (process.env.ComSpec ?? 'cmd.exe') : (process.env.SHELL ?? '/bin/sh');
}

function signalCode(signal: NodeJS.Signals | null): number {
  return signalCodeBase + (signal === null ? 0 : os.constants.signals[signal]);
}
