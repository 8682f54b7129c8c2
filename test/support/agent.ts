// The agent as its users meet it: a real process, talked to over its port, stopped with signals. Nothing here
// imports from server/; what it knows is the ready line that `mooring serve --json` promises.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type CommandResult, type Exit, hostedCommand } from './command-host.ts';
import { program } from './program.ts';

export type { CommandResult, Exit } from './command-host.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
/** Generous: it only turns a hang into a failure, and a machine may be busy with twenty other processes. */
const readyDeadlineMs = 120_000;
const stopDeadlineMs = 60_000;
/** The end of the log that is kept and, when the test fails, printed. */
const logBytesMax = 256 * 1024;

export interface AgentOptions {
  /** Further arguments of `mooring serve`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The line that `serve --json` prints once it answers requests. */
export interface ReadyLine {
  readonly event: 'ready';
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  readonly ownerTokenFile: string;
  readonly uiUrl?: string;
}

export class AgentProcess {
  readonly dataDir: string;
  readonly #options: AgentOptions;
  #child: ChildProcess | undefined;
  #exited: Promise<Exit> = Promise.resolve({ code: null, signal: null });
  #ready: ReadyLine | undefined;
  #log = '';

  constructor(dataDir: string, options: AgentOptions) {
    this.dataDir = dataDir;
    this.#options = options;
  }

  get ready(): ReadyLine {
    if (this.#ready === undefined) throw new Error('the agent is not running');
    return this.#ready;
  }

  /** true: it has said that it is ready, and has not ended. */
  get isRunning(): boolean {
    return this.#ready !== undefined;
  }

  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  get url(): string {
    return this.ready.url;
  }

  get pid(): number {
    return this.ready.pid;
  }

  get ownerToken(): string {
    return readFileSync(this.ready.ownerTokenFile, 'utf8').trim();
  }

  /** What the agent has written to stderr since it was first started (the last 256 KiB). */
  get stderr(): string {
    return this.#log;
  }

  /** Starts the process and waits for its ready line. `listen` defaults to any free port of 127.0.0.1. */
  async start(listen = '127.0.0.1:0'): Promise<void> {
    if (this.#child !== undefined) throw new Error('the agent is already running');
    const child = spawn(
      process.execPath,
      [
        program,
        'serve',
        '--json',
        '--data-dir',
        this.dataDir,
        '--listen',
        listen,
        ...(this.#options.args ?? []),
      ],
      {
        cwd: projectRoot,
        env: { ...cleanEnvironment(), ...this.#options.env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log = (this.#log + text).slice(-logBytesMax);
    });
    // 'close' and not 'exit': by then all that it wrote has been read.
    this.#exited = once(child, 'close').then(([code, signal]) => {
      this.#child = undefined;
      this.#ready = undefined;
      return { code, signal } as Exit;
    });
    const readyLine = new Promise<ReadyLine>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const ready = parseReady(line);
        if (ready === undefined) this.#log += `[stdout] ${line}\n`;
        else resolve(ready);
      });
    });
    const outcome = await withDeadline(Promise.race([readyLine, this.#exited]), readyDeadlineMs);
    if (outcome !== undefined && 'event' in outcome) {
      this.#ready = outcome;
      return;
    }
    if (outcome === undefined) await this.kill9();
    const why =
      outcome === undefined ? `was not ready within ${readyDeadlineMs} ms` : `ended (${describe(outcome)})`;
    throw new Error(`the agent ${why}; its log:\n${this.#log}`);
  }

  /** SIGTERM, and waits for the end. Throws when it does not end in time. */
  async stop(): Promise<Exit> {
    this.#child?.kill('SIGTERM');
    const exit = await withDeadline(this.#exited, stopDeadlineMs);
    if (exit !== undefined) return exit;
    await this.kill9();
    throw new Error(`the agent did not end within ${stopDeadlineMs} ms of SIGTERM; its log:\n${this.#log}`);
  }

  /** SIGKILL: the power cut. Waits until the process is gone. */
  async kill9(): Promise<Exit> {
    this.#child?.kill('SIGKILL');
    return await this.#exited;
  }

  /** Stops it if it runs, and starts it again on the same data, by default on a new port. */
  async restart(listen?: string): Promise<void> {
    if (this.#child !== undefined) await this.stop();
    await this.start(listen);
  }

  /** Resolves when the process ends by itself. */
  get exited(): Promise<Exit> {
    return this.#exited;
  }

  /** A request to the agent as its owner, or with `init.headers` of one's own. */
  async fetch(route: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${this.ownerToken}`);
    if (!headers.has('x-correlation-id')) headers.set('x-correlation-id', crypto.randomUUID());
    return await fetch(this.url + route, { ...init, headers });
  }
}

export interface CommandOptions {
  readonly dataDir?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs one `mooring` command to its end and returns what it printed; it never throws for an exit code. Commands that only call an agent run
 * in a few processes that are kept (command-host.ts): two thirds of the processor time of such a command are the start of its process.
 */
export async function mooring(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const { cwd, env, dataDir } = options;
  const hosted =
    cwd === undefined && env === undefined ? hostedCommand(args, dataDir, cleanEnvironment()) : null;
  return await (hosted ?? mooringProcess(args, options));
}

/** The same in a process of its own. */
export async function mooringProcess(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: options.cwd ?? projectRoot,
    env: {
      ...cleanEnvironment(),
      ...(options.dataDir === undefined ? {} : { MOORING_DATA_DIR: options.dataDir }),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, stdout, stderr };
}

/** The environment without the settings of whoever runs the tests: an agent under test reads only its own. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MOORING_')));
}

function parseReady(line: string): ReadyLine | undefined {
  if (!line.startsWith('{')) return undefined;
  const value = JSON.parse(line) as Partial<ReadyLine>;
  return value.event === 'ready' ? (value as ReadyLine) : undefined;
}

function describe(exit: Exit): string {
  return exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;
}

async function withDeadline<T>(promise: Promise<T>, deadlineMs: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), deadlineMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
