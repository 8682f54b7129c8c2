// Who mirrors and takes the writes of the workspace while a test kills it: the mirror alone, which starts in a moment, or the
// whole agent over HTTP. A write that got no answer resolves to null: it may have been applied or not.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { MooringClient } from '../../sdk/index.ts';
import { AgentProcess } from './agent.ts';
import type { MirrorHarness } from './mirror-harness.ts';
import { processFile } from './processes.ts';

/** true: applied. false: refused, as nothing stood there. null: nobody knows. */
type Answer = boolean | null;

export interface Killable {
  /** Resolves when it takes writes; rejects when it was killed before. */
  start(): Promise<void>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Durable when it resolves to true. `content: null` deletes. */
  change(path: string, content: string | null): Promise<Answer>;
}

export class KillableMirror implements Killable {
  readonly #rig: MirrorHarness;
  #child: ChildProcess | null = null;
  #lastId = 0;
  readonly #waiting = new Map<number, (answer: Answer) => void>();

  constructor(rig: MirrorHarness) {
    this.#rig = rig;
  }

  async start(): Promise<void> {
    const script = processFile('line-protocol-mirror');
    const child = spawn(process.execPath, [script, this.#rig.base, this.#rig.workspaceId], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child = child;
    // What is written after its death is told by the missing answer.
    child.stdin.on('error', () => undefined);
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (text) => {
        const line = JSON.parse(text) as { ready?: true; id: number; applied: boolean };
        if (line.ready) resolve();
        else this.#end(line.id, line.applied);
      });
      child.once('close', () => {
        for (const id of [...this.#waiting.keys()]) this.#end(id, null);
        reject(new Error('the mirror was killed before it was ready'));
      });
    });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }

  async change(path: string, content: string | null): Promise<Answer> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) return null;
    this.#lastId += 1;
    const id = this.#lastId;
    return await new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      stdin.write(`${JSON.stringify({ id, path, content })}\n`);
    });
  }

  #end(id: number, answer: Answer): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }
}

export class KillableAgent implements Killable {
  readonly #agent: AgentProcess;
  readonly #workspaceId: string;
  #client: MooringClient | null = null;

  constructor(rig: MirrorHarness) {
    this.#agent = new AgentProcess(rig.dataDir, { args: ['--log-level', 'error', '--no-ui'] });
    this.#workspaceId = rig.workspaceId;
  }

  async start(): Promise<void> {
    await this.#agent.start();
    const { url, ownerToken } = this.#agent;
    this.#client = new MooringClient({ baseUrl: url, token: ownerToken, retry: { retries: 0 } });
  }

  async kill(): Promise<void> {
    this.#client = null;
    await this.#agent.kill9();
  }

  async change(path: string, content: string | null): Promise<Answer> {
    if (this.#client === null) return null;
    try {
      if (content === null) await this.#client.deleteFile(this.#workspaceId, path);
      else await this.#client.writeFile(this.#workspaceId, path, content);
      return true;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (error.name === 'NoAnswerError') return null;
      if (error.name === 'NotFoundError') return false;
      throw error;
    }
  }
}
