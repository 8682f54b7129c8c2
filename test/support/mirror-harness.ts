// A mirror on a real folder with the real store, without the agent around it: what a test does to either side, and what it
// sees there. The folder, the data and all that runs are gone when the test ends.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Conflicts, createConflicts } from '../../server/conflicts/conflicts.ts';
import type { Mirror } from '../../server/contract/workspaces.ts';
import type { ChangeResult, FileChange, Precondition } from '../../server/core/change/change.ts';
import { createMirrorManager } from '../../server/mirror/manager/manager.ts';
import type { MirrorManager, MirrorManagerDeps, NewMirror } from '../../server/mirror/manager/port.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { createIds } from '../../server/platform/crypto/ids.ts';
import { createLogger } from '../../server/platform/observe/logger.ts';
import { openStore } from '../../server/store/open.ts';
import type { EventRow, Store } from '../../server/store/port/store.ts';
import { createForks, type ForkService } from '../../server/workspaces/forks.ts';
import { createWorkspaceService, type WorkspaceService } from '../../server/workspaces/service.ts';
import { inlineCompute } from './inline-compute.ts';

/** Only turns a hang into a failure. */
const settleMs = 60_000;

export type Files = Readonly<Record<string, string>>;
export type MirrorHarnessOptions = Partial<
  Pick<
    MirrorManagerDeps,
    | 'atKillPoint'
    | 'openFolder'
    | 'clock'
    | 'provesByItself'
    | 'onProofAlarm'
    | 'proofPace'
    | 'processorShares'
    | 'fileBytesMax'
    | 'cloudMachine'
  >
> & {
  /** The workspace as the mirror meets it. */
  readonly met?: (workspaces: WorkspaceService) => WorkspaceService;
  /** The store is open, and no mirror runs yet. */
  readonly beforeMirrors?: () => Promise<unknown>;
};

export class MirrorHarness {
  readonly base: string;
  readonly dataDir: string;
  readonly root: string;
  readonly ids = createIds();
  readonly #logger = createLogger({ level: 'silent' });
  workspaceId = '';
  mirrorId = '';
  #store: Store | null = null;
  #workspaces: WorkspaceService | null = null;
  #manager: MirrorManager | null = null;
  #conflicts: Conflicts | null = null;
  #forks: ForkService | null = null;

  constructor(base: string) {
    this.base = base;
    this.dataDir = path.join(base, 'data');
    this.root = path.join(base, 'folder');
    mkdirSync(this.root, { recursive: true });
  }

  get store(): Store {
    if (this.#store === null) throw new Error('the rig is stopped');
    return this.#store;
  }
  get workspaces(): WorkspaceService {
    if (this.#workspaces === null) throw new Error('the rig is stopped');
    return this.#workspaces;
  }
  get forks(): ForkService {
    if (this.#forks === null) throw new Error('the rig is stopped');
    return this.#forks;
  }
  get manager(): MirrorManager {
    if (this.#manager === null) throw new Error('the rig is stopped');
    return this.#manager;
  }

  get conflicts(): Conflicts {
    if (this.#conflicts === null) throw new Error('the rig is stopped');
    return this.#conflicts;
  }

  /** Store and manager; existing mirrors start. */
  async start({ met, beforeMirrors, ...parts }: MirrorHarnessOptions = {}): Promise<void> {
    this.#store = await openStore({
      dataDir: this.dataDir,
      logger: this.#logger,
      clock: systemClock,
      settings: { historyDays: 30, historyRevisionsMin: 20, externalWriteback: 'auto' },
    });
    this.#workspaces = createWorkspaceService({
      store: this.#store,
      clock: systemClock,
      randomId: this.ids.text,
    });
    if (this.workspaceId === '')
      this.workspaceId = (await this.#workspaces.create({ name: 'rig' })).workspaceId;
    this.#forks = createForks({ store: this.#store, clock: systemClock, uuid: () => crypto.randomUUID() });
    await beforeMirrors?.();
    this.#manager = createMirrorManager({
      compute: inlineCompute,
      store: this.#store,
      forks: this.#forks,
      workspaces: met?.(this.#workspaces) ?? this.#workspaces,
      clock: systemClock,
      logger: this.#logger,
      ids: this.ids,
      dataDir: this.dataDir,
      cloudMachine: { platform: process.platform, home: this.base, env: {} },
      // A test that is about something else has the folder to itself.
      provesByItself: false,
      ...parts,
    });
    this.#conflicts = createConflicts({
      store: this.#store,
      workspaces: this.#workspaces,
      forks: this.#forks,
      compute: inlineCompute,
      onChange: this.#manager.conflictsChanged,
    });
    await this.#manager.start();
  }

  async stop(): Promise<void> {
    await this.#manager?.stop();
    await this.#store?.close();
    this.#manager = null;
    this.#store = null;
    this.#workspaces = null;
  }

  async restart(parts: MirrorHarnessOptions = {}): Promise<void> {
    await this.stop();
    await this.start(parts);
  }

  /** Mirrors the folder and waits until both sides are equal. */
  async mirror(more?: NewMirror): Promise<Mirror> {
    this.mirrorId = (await this.manager.add(this.workspaceId, this.root, more)).mirrorId;
    return await this.settle();
  }

  /** Fails when it does not settle. */
  async settle(): Promise<Mirror> {
    const { settled, mirrors } = await this.manager.settle({ timeoutMs: settleMs });
    if (!settled) throw new Error(`not settled: ${JSON.stringify(mirrors, null, 1)}`);
    return mirrors[0] as Mirror;
  }

  async view(): Promise<Mirror> {
    return (await this.manager.list())[0] as Mirror;
  }

  // ---- the folder

  at(file: string): string {
    return path.join(this.root, file);
  }

  write(file: string, content: string | Uint8Array): void {
    mkdirSync(path.dirname(this.at(file)), { recursive: true });
    writeFileSync(this.at(file), content);
  }

  /** As careful programs save: a temporary file, then a rename. */
  save(file: string, content: string): void {
    const temp = path.join(path.dirname(this.at(file)), '.rig.swp');
    mkdirSync(path.dirname(temp), { recursive: true });
    writeFileSync(temp, content);
    renameSync(temp, this.at(file));
  }

  read(file: string): string {
    return readFileSync(this.at(file), 'utf8');
  }

  remove(file: string): void {
    rmSync(this.at(file), { recursive: true });
  }

  rename(from: string, to: string): void {
    mkdirSync(path.dirname(this.at(to)), { recursive: true });
    renameSync(this.at(from), this.at(to));
  }

  /** Regular files but those of `.mooring`. */
  folder(): Files {
    const files: Record<string, string> = {};
    for (const entry of readdirSync(this.root, { recursive: true, withFileTypes: true })) {
      const full = path.join(entry.parentPath, entry.name);
      const name = path.relative(this.root, full);
      if (entry.isFile() && !name.startsWith('.mooring/')) files[`/${name}`] = readFileSync(full, 'latin1');
    }
    return sorted(files);
  }

  // ---- the workspace

  async put(
    file: string,
    content: string,
    precondition: Precondition = { kind: 'any' },
  ): Promise<ChangeResult> {
    return await this.change({
      kind: 'write_file',
      path: file,
      precondition,
      content: await this.workspaces.stage(Buffer.from(content, 'latin1')),
      defaultContentType: 'text/plain',
      encoding: 'utf-8',
    });
  }

  async delete(file: string): Promise<ChangeResult> {
    return await this.change({ kind: 'delete_file', path: file, precondition: { kind: 'any' } });
  }

  async change(...changes: readonly FileChange[]): Promise<ChangeResult> {
    const results = await this.workspaces.change({
      workspaceId: this.workspaceId,
      changes,
      atomic: true,
      actor: { kind: 'system', name: 'rig', tokenId: null },
      origin: 'agent_write',
      access: null,
      correlationId: 'rig',
      makesOperations: true,
    });
    return results.at(-1) as ChangeResult;
  }

  async workspace(): Promise<Files> {
    const files: Record<string, string> = {};
    for (let after: string | null = null; ; ) {
      const page = await this.workspaces.listFiles(this.workspaceId, '/', after, 1000);
      for (const entry of page) {
        files[entry.path] = Buffer.from((await this.workspaces.readContent(entry.hash)) ?? []).toString(
          'latin1',
        );
      }
      const last = page.at(-1);
      if (last === undefined) return sorted(files);
      after = last.path;
    }
  }

  /** Events since the beginning, oldest first. */
  async events(): Promise<readonly EventRow[]> {
    const page = await this.store.events.list(this.workspaceId, {
      direction: 'asc',
      from: null,
      limit: 1000,
      pathPrefix: null,
      provider: null,
      access: null,
    });
    return page.events;
  }

  /** Both sides, which must be equal. */
  async both(): Promise<Files> {
    const folder = this.folder();
    const workspace = await this.workspace();
    if (JSON.stringify(folder) !== JSON.stringify(workspace)) {
      throw new Error(`the sides differ: ${JSON.stringify({ folder, workspace }, null, 1)}`);
    }
    return folder;
  }
}

function sorted(files: Record<string, string>): Files {
  return Object.fromEntries(Object.entries(files).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** A rig that runs, and ends with the current test. */
export async function startMirrorHarness(parts: MirrorHarnessOptions = {}): Promise<MirrorHarness> {
  // Loaded here, because the process of mirror-until-killed has no test around it.
  const { onTestFinished } = await import('vitest');
  const { makeTempFolder, removeFolder } = await import('./temp-folder.ts');
  const base = makeTempFolder('mooring-mirror');
  const rig = new MirrorHarness(base);
  onTestFinished(async () => {
    await rig.stop();
    removeFolder(base);
  });
  await rig.start(parts);
  return rig;
}

/** A rig whose folder and workspace have the same twelve files in `/d`. */
export async function mirroredTwelve(): Promise<MirrorHarness> {
  const rig = await startMirrorHarness();
  for (let n = 0; n < 12; n += 1) rig.write(`d/${n}`, `content ${n}`);
  await rig.mirror();
  return rig;
}
