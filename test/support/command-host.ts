// A few processes for many commands of `mooring`: those that only call an agent, with their output in place of a terminal's. Each runs one
// command at a time. A command that comes while all are busy, or needs more than a data directory, has a process of its own.
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { processFile } from './processes.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

/** They start no process, open no store, and read no input. */
const hosted: ReadonlySet<string> = new Set([
  'completion',
  'config',
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

/** Of `mooring run`, which otherwise starts a program. */
const hostedOfRun: ReadonlySet<string> = new Set(['commit', 'discard', 'list', 'show', 'undo']);

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

/** Of tests that call several commands at once. */
const hostsMax = 3;
const idleHosts: ChildProcess[] = [];
const hosts = new Set<ChildProcess>();

/** null: the command has to have a process of its own. */
export function hostedCommand(
  args: readonly string[],
  dataDir: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<CommandResult> | null {
  const [name = '', inner = ''] = args;
  if (!(name === 'run' ? hostedOfRun.has(inner) : hosted.has(name))) return null;
  const host = idleHosts.pop() ?? (hosts.size < hostsMax ? start(env) : null);
  return host === null ? null : run(host, { args, dataDir });
}

async function run(child: ChildProcess, command: HostedCommand): Promise<CommandResult> {
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
    if (hosts.has(child)) idleHosts.push(child);
  }
}

function start({ NODE_OPTIONS: _recorder, ...env }: NodeJS.ProcessEnv): ChildProcess {
  const child = fork(processFile('command-host-process'), [], {
    cwd: projectRoot,
    env,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  hosts.add(child);
  child.once('exit', () => {
    hosts.delete(child);
    const at = idleHosts.indexOf(child);
    if (at >= 0) idleHosts.splice(at, 1);
  });
  return child;
}
