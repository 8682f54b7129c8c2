// Desktops without folders, several in one process: the real engine of remotes with its real client, each over a store in memory, and a
// person on each who writes, edits and deletes. Started by simulated-desktops.ts; only it sends messages.
import { createHash } from 'node:crypto';
import type { FileChange } from '../../server/core/change/change.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { createIds } from '../../server/platform/crypto/ids.ts';
import { createLogger } from '../../server/platform/observe/logger.ts';
import { createRemoteManager } from '../../server/remotes/manager.ts';
import type { RemoteManager } from '../../server/remotes/port.ts';
import { createWorkspaceService } from '../../server/workspaces/service.ts';
import { changeOn, type Side, textAt, writeOf } from '../simulation/remotes/side.ts';
import { SimStore, type StoreTurns } from '../simulation/store.ts';
import { inlineCompute } from './inline-compute.ts';
import type { DesktopReport, DesktopsStart, FromDesktops, ToDesktops } from './simulated-desktops.ts';

const ownFiles = 5;
const sharedFiles = 8;

const turns: StoreTurns = {
  get wallMs() {
    return Date.now();
  },
  // Everything that waits is one commit.
  random: { below: (bound) => Math.max(0, bound - 1) },
  trace: { add: () => undefined },
  post: (_lane, _label, run) => void setImmediate(run),
};

class SimulatedDesktop {
  readonly #side: Side;
  readonly #remotes: RemoteManager;
  /** Of the paths that nobody else writes: the text that was written last; null: deleted. */
  readonly #own = new Map<string, string | null>();
  /** Of the paths that all write. */
  readonly #shared = new Map<string, string>();
  #changes = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(name: string, dataDir: string) {
    const store = new SimStore(turns);
    const workspaceId = `rw_${name.replace('-', '')}`;
    store.commit({
      name: 'create_workspace',
      input: { workspaceId, name, createdAtMs: Date.now() },
    });
    this.#side = { name, store, workspaceId };
    const port = store.port(() => true);
    const ids = createIds();
    this.#remotes = createRemoteManager({
      ...{ compute: inlineCompute, store: port, clock: systemClock, ids, dataDir },
      workspaces: createWorkspaceService({ store: port, clock: systemClock, randomId: ids.text }),
      logger: createLogger({ level: 'error' }),
    });
  }

  async start({ url, workspaceId, tokenFile }: DesktopsStart): Promise<void> {
    await this.#remotes.start();
    await this.#remotes.add(this.#side.workspaceId, {
      ...{ url, tokenFile, remoteWorkspaceId: workspaceId },
      insecureHttp: false,
    });
  }

  /** One change after the other, `pauseMs` apart on average. */
  edit(pauseMs: number): void {
    this.#timer = setTimeout(
      () => {
        this.#change();
        this.edit(pauseMs);
      },
      pauseMs * (0.5 + Math.random()),
    );
  }

  endEdits(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async report(): Promise<DesktopReport> {
    const { name, store, workspaceId } = this.#side;
    const [remote] = await this.#remotes.list(workspaceId);
    const files = [...store.files(workspaceId, null)].sort(([left], [right]) => (left < right ? -1 : 1));
    return {
      name,
      state: remote?.state ?? 'missing',
      waiting: (remote?.pendingLocal ?? 0) + (remote?.pendingRemote ?? 0),
      digest: createHash('sha256').update(JSON.stringify(files)).digest('hex'),
      changes: this.#changes,
      own: [...this.#own],
      shared: [...this.#shared],
    };
  }

  async stop(): Promise<void> {
    this.endEdits();
    await this.#remotes.stop();
  }

  #change(): void {
    const { name } = this.#side;
    const dice = Math.random();
    const text = `${name} ${this.#changes}\n`;
    if (dice < 0.25) {
      const path = `/shared/${Math.floor(Math.random() * sharedFiles)}.md`;
      if (this.#apply(writeOf(path, text))) this.#shared.set(path, text);
      return;
    }
    const path = `/own/${name}/${Math.floor(Math.random() * ownFiles)}.md`;
    const isThere = textAt(this.#side, path) !== null;
    if (isThere && dice < 0.35) {
      if (this.#apply({ kind: 'delete_file', path, precondition: { kind: 'any' } }))
        this.#own.set(path, null);
    } else if (this.#apply(writeOf(path, text))) this.#own.set(path, text);
  }

  #apply(change: FileChange): boolean {
    const isMade = changeOn(this.#side, change, Date.now());
    if (isMade) this.#changes += 1;
    return isMade;
  }
}

const desktops: SimulatedDesktop[] = [];
const send = (message: FromDesktops) => process.send?.(message);

async function take(message: ToDesktops): Promise<void> {
  switch (message.kind) {
    case 'start':
      for (const name of message.names) {
        const desktop = new SimulatedDesktop(name, message.dataDir);
        desktops.push(desktop);
        await desktop.start(message);
      }
      return void send({ kind: 'done' });
    case 'edit':
      for (const desktop of desktops) desktop.edit(message.pauseMs);
      return void send({ kind: 'done' });
    case 'end edits':
      for (const desktop of desktops) desktop.endEdits();
      return void send({ kind: 'done' });
    case 'report':
      return void send({
        kind: 'report',
        desktops: await Promise.all(desktops.map((desktop) => desktop.report())),
        residentBytes: process.memoryUsage.rss(),
      });
    case 'stop':
      await Promise.all(desktops.map((desktop) => desktop.stop()));
      return process.disconnect();
  }
}

process.on('message', (message: ToDesktops) => {
  take(message).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
