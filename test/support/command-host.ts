// One process for many commands of `mooring`: those that only call an agent, with their output in place of a terminal's. A command that comes
// while another runs, or needs more than a data directory, has a process of its own.
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { processFile } from './processes.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

/** They start no process, open no store, and read no input. */
const hosted: ReadonlySet<string> = new Set([
  'conflicts',
  'dead-letters',
  'explain',
  'fork',
  'log',
  'logs',
  'mirror',
  'ops',
  'provider',
  'remote',
  'restore',
  'search',
  'show',
  'status',
  'stop',
  'sync',
  'token',
  'undo',
  'workspace',
  'writeback',
]);

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface CommandResult extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

export interface HostedCommand {
  readonly args: readonly string[];
  readonly dataDir: string | undefined;
}

let host: ChildProcess | null = null;
let isBusy = false;

/** null: the command has to have a process of its own. */
export function hostedCommand(
  args: readonly string[],
  dataDir: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<CommandResult> | null {
  if (isBusy || !hosted.has(args[0] ?? '')) return null;
  return run({ args, dataDir }, env);
}

async function run(command: HostedCommand, env: NodeJS.ProcessEnv): Promise<CommandResult> {
  isBusy = true;
  host ??= start(env);
  const child = host;
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
  const ended = () => reject(new Error(`the process of the commands ended during ${command.args.join(' ')}`));
  child.once('message', resolve);
  child.once('exit', ended);
  child.ref();
  child.channel?.ref();
  child.send(command);
  try {
    return await promise;
  } finally {
    child.off('message', resolve);
    child.off('exit', ended);
    // A test process that is done does not wait for it.
    child.unref();
    child.channel?.unref();
    isBusy = false;
  }
}

function start({ NODE_OPTIONS: _recorder, ...env }: NodeJS.ProcessEnv): ChildProcess {
  const child = fork(processFile('command-host-process'), [], {
    cwd: projectRoot,
    env,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.once('exit', () => {
    if (host === child) host = null;
  });
  return child;
}
