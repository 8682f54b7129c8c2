// A real agent for a page: its own data directory, any free port, killed and started again at will. It knows what the
// command line promises (`serve --json`) and nothing of the server's inside.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { MooringClient } from '../../sdk/index.ts';
import { CheckedAnswers } from '../support/answers/checked-answers.ts';
import { program } from '../support/program.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const readyDeadlineMs = 120_000;
const stopDeadlineMs = 60_000;
/** 2,000 files on a disk and processors that other tests use, too. */
const settleDeadlineMs = 120_000;
const logCharactersMax = 64 * 1024;

interface Ready {
  readonly url: string;
  readonly ownerTokenFile: string;
}

export class UiAgent {
  readonly #folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'mooring-ui-')));
  readonly #answers: CheckedAnswers | null;
  #child: ChildProcess | undefined;
  #ready: Ready | undefined;
  #log = '';
  #clearings = 0;

  /** It was started, and nobody has killed it since. */
  get runs(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** null: its answers are not noted (a bench measures the agent alone). */
  constructor(answers: CheckedAnswers | null = new CheckedAnswers()) {
    this.#answers = answers;
  }

  get url(): string {
    if (this.#ready === undefined) throw new Error('the agent was never started');
    return this.#ready.url;
  }

  get log(): string {
    return this.#log;
  }

  get ownerToken(): string {
    if (this.#ready === undefined) throw new Error('the agent was never started');
    return readFileSync(this.#ready.ownerTokenFile, 'utf8').trim();
  }

  get client(): MooringClient {
    return new MooringClient({ baseUrl: this.url, token: () => this.ownerToken });
  }

  /** An empty folder outside of the data directory. */
  folder(name: string): string {
    const folder = path.join(this.#folders, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** A workspace mirrored at a new folder, when its first round is over. */
  async mirror(name: string, dir = this.folder(name)): Promise<{ workspaceId: string; dir: string }> {
    const workspace = await this.client.workspaces.create({ name });
    await this.client.mirrors.add(workspace.workspaceId, dir);
    await this.settle();
    return { workspaceId: workspace.workspaceId, dir };
  }

  async settle(): Promise<void> {
    const result = await this.client.mirrors.waitUntilSynced({ timeoutMs: settleDeadlineMs });
    if (!result.settled) throw new Error(`not settled: ${JSON.stringify(result.mirrors)}`);
  }

  async start(): Promise<void> {
    // The second start takes the port of the first: the page knows no other.
    const listen = this.#ready === undefined ? '127.0.0.1:0' : new URL(this.#ready.url).host;
    const args = ['serve', '--json', '--data-dir', path.join(this.#folder, 'data'), '--listen', listen];
    const child = spawn(process.execPath, [program, ...args], {
      cwd: projectRoot,
      env: { ...process.env, ...this.#answers?.nodeOptions() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#log = (this.#log + text).slice(-logCharactersMax);
    });
    this.#ready = await new Promise<Ready>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`not ready in time\n${this.#log}`)), readyDeadlineMs);
      child.once('exit', (code) => {
        clearTimeout(timer);
        reject(new Error(`the agent ended with ${code}\n${this.#log}`));
      });
      if (child.stdout === null) return;
      createInterface(child.stdout).once('line', (line) => {
        clearTimeout(timer);
        resolve(JSON.parse(line) as Ready);
      });
    });
  }

  /** Leaves it without workspaces, mirrors and folders: what the next test begins with. */
  async clear(): Promise<void> {
    for (const { workspaceId } of await this.client.workspaces.list()) {
      await this.client.workspaces.remove(workspaceId);
    }
    rmSync(this.#folders, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    // A folder of a name that was there before is another one all the same.
    this.#clearings += 1;
    this.#log = '';
  }

  /** As a crash would end it. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Throws when an answer since the last call, to the page or to the test, was not as the API is documented. */
  async verifyAnswers(): Promise<void> {
    await this.#answers?.verify();
  }

  /** Ends it and, when it is gone, verifies its last answers. */
  async dispose(): Promise<void> {
    await this.#end('SIGTERM');
    try {
      await this.verifyAnswers();
    } finally {
      this.#answers?.end();
      rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    }
  }

  get #folders(): string {
    return path.join(this.#folder, `folders-${this.#clearings}`);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), stopDeadlineMs);
    await exited;
    clearTimeout(timer);
  }
}
