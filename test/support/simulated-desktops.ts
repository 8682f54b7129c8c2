// Many desktops on one machine: processes that each have several, without folders (simulated-desktops-process.ts).
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { tokenFileFor } from './remote-agents.ts';
import type { Server } from './remote-scene.ts';
import { ServerLine } from './server-line.ts';
import { tempFolder } from './temp-folder.ts';

export interface DesktopsStart {
  readonly names: readonly string[];
  readonly url: string;
  /** On the server. */
  readonly workspaceId: string;
  readonly tokenFile: string;
  readonly dataDir: string;
}

/** Each is answered by one message. */
export type ToDesktops =
  | ({ readonly kind: 'start' } & DesktopsStart)
  | { readonly kind: 'edit'; readonly pauseMs: number }
  | { readonly kind: 'end edits' }
  | { readonly kind: 'report' }
  | { readonly kind: 'stop' };

export type FromDesktops =
  | { readonly kind: 'done' }
  | { readonly kind: 'report'; readonly desktops: readonly DesktopReport[]; readonly residentBytes: number };

export interface DesktopReport {
  readonly name: string;
  readonly state: string;
  /** Paths that wait to be synced. */
  readonly waiting: number;
  /** Of paths and hashes of all files, as `filesDigest` in the test. */
  readonly digest: string;
  readonly changes: number;
  /** Of the paths that it alone writes: the last text; null: deleted. */
  readonly own: readonly (readonly [path: string, text: string | null])[];
  /** Of the paths that all write: its last text. */
  readonly shared: readonly (readonly [path: string, text: string])[];
}

export class SimulatedDesktops {
  readonly #children: readonly ChildProcess[];

  private constructor(children: readonly ChildProcess[]) {
    this.#children = children;
  }

  /** `count` desktops in `processes` processes, each with a remote of the server. */
  static async start(server: Server, count: number, processes: number): Promise<SimulatedDesktops> {
    const line = new ServerLine(server.url);
    await line.open();
    const script = fileURLToPath(new URL('./simulated-desktops-process.ts', import.meta.url));
    const children = Array.from({ length: processes }, () => fork(script, [], { execArgv: [] }));
    onTestFinished(() => {
      for (const child of children) child.kill('SIGKILL');
    });
    const desktops = new SimulatedDesktops(children);
    const names = Array.from({ length: count }, (_, at) => `desktop-${at}`);
    const tokenFile = await tokenFileFor(server, 'desktop');
    await Promise.all(
      children.map((child, at) =>
        ask(child, {
          kind: 'start',
          names: names.filter((_, index) => index % processes === at),
          ...{ url: line.url, workspaceId: server.workspaceId, tokenFile },
          dataDir: tempFolder('mooring-desktops'),
        }),
      ),
    );
    return desktops;
  }

  /** From now on each person makes a change every `pauseMs` on average. */
  async edit(pauseMs: number): Promise<void> {
    await this.#all({ kind: 'edit', pauseMs });
  }

  async endEdits(): Promise<void> {
    await this.#all({ kind: 'end edits' });
  }

  async reports(): Promise<{ readonly desktops: readonly DesktopReport[]; readonly residentBytes: number }> {
    const reports = await this.#all({ kind: 'report' });
    const found = reports.filter((message) => message.kind === 'report');
    return {
      desktops: found.flatMap(({ desktops }) => desktops),
      residentBytes: found.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
    };
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        const ended = once(child, 'exit');
        child.send({ kind: 'stop' } satisfies ToDesktops);
        await ended;
      }),
    );
  }

  async #all(message: ToDesktops): Promise<readonly FromDesktops[]> {
    return await Promise.all(this.#children.map((child) => ask(child, message)));
  }
}

async function ask(child: ChildProcess, message: ToDesktops): Promise<FromDesktops> {
  const { promise, resolve, reject } = Promise.withResolvers<FromDesktops>();
  const ended = () => reject(new Error('the process of simulated desktops has ended'));
  child.once('message', resolve);
  child.once('exit', ended);
  child.send(message);
  try {
    return await promise;
  } finally {
    child.off('exit', ended);
  }
}
