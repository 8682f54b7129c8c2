// What a simulated run takes place on: disk, store, time and judge, all drawn from the seed. Nothing here acts by itself.
import type { FileSystem } from '../../server/disk/port/file-system.ts';
import { inspectRoot, writeMarker } from '../../server/disk/root/root.ts';
import { type SeededRandom, seededRandom } from '../support/trees.ts';
import { type Inode, SimDisk } from './disk.ts';
import { engineDisk } from './engine-disk.ts';
import { Ledger, type View, viewOf } from './ledger.ts';
import { drawOptions, type RunOptions } from './options.ts';
import { Contents, type PathParts, pathPartsOn } from './people.ts';
import { Scheduler } from './scheduler.ts';
import { SimStore } from './store.ts';

export const rootPath = '/r';
export const workspaceId = 'rw_simulate';
export const mirrorId = 'mir_simulated';
const outsidePath = '/outside';
const markerId = 'simulated';
const forkLifeMs = 3_000_000_000_000;

export class Scene {
  readonly random: SeededRandom;
  readonly scheduler: Scheduler;
  readonly options: RunOptions;
  readonly disk: SimDisk;
  readonly store: SimStore;
  readonly ledger: Ledger;
  readonly root: Inode;
  /** A directory beside the root that links of the folder lead to. */
  readonly outside: Inode;
  readonly contents: Contents;
  readonly paths: PathParts;
  /** The fork that the folder shows; null: the workspace itself. */
  readonly forkId: string | null;
  /** Something else, or nothing, stands where the folder was. */
  isFolderAway = false;
  /** From here on nobody but the mirror does anything, and the disk refuses nothing. */
  isOver = false;

  constructor(seed: number, isForked = false) {
    this.forkId = isForked ? 'fork_simulated' : null;
    this.random = seededRandom(seed);
    this.scheduler = new Scheduler(this.random);
    this.options = drawOptions(this.random, seed);
    const { grainMs, reusesInodes, names } = this.options;
    this.disk = new SimDisk({ nowMs: () => this.scheduler.wallMs, grainMs, reusesInodes, names });
    this.store = new SimStore(this.scheduler);
    this.ledger = new Ledger(this.store, names !== 'bytes', this.forkId);
    this.contents = new Contents(this.random, (content) => this.ledger.know(content));
    this.paths = pathPartsOn(names);
    this.disk.makeDirectory(rootPath);
    this.disk.makeDirectory(outsidePath);
    this.root = this.disk.inodeAt(rootPath) as Inode;
    this.outside = this.disk.inodeAt(outsidePath) as Inode;
    this.disk.create(`${outsidePath}/file`);
  }

  /** What stands in the folder now, also while it is away. */
  folder(): View {
    return viewOf(this.root);
  }

  workspace(): View {
    return this.ledger.workspace(workspaceId);
  }

  say(what: string): void {
    this.scheduler.trace.add(what);
  }

  /** The disk as nobody disturbs it, and at no cost of time. */
  undisturbedDisk(): FileSystem {
    const { disk, ledger, root, outside } = this;
    return engineDisk({ disk, ledger, root, outside, before: () => undefined, later: (act) => act() });
  }

  /** A workspace, and its mirror in the folder; both are still empty. */
  establish(): void {
    const fs = this.undisturbedDisk();
    const workspace = { workspaceId, name: 'simulated', createdAtMs: 0 };
    this.store.commit({ name: 'create_workspace', input: workspace });
    if (this.forkId !== null) this.#createFork(this.forkId);
    writeMarker(fs, rootPath, markerId);
    this.disk.syncAll();
    const state = inspectRoot(fs, rootPath);
    if (state.kind !== 'present') throw new Error('the root is not there');
    const row = {
      mirrorId,
      workspaceId,
      dir: rootPath,
      mode: 'two-way' as const,
      rootPath: '/',
      forkId: this.forkId,
      markerId,
      rootDevice: state.device,
      rootInode: state.inode,
      paused: false,
      pausedUntilMs: null,
      deletesPerMinuteMax: null,
      haltedCause: null,
      epoch: this.store.epoch(),
      established: false,
      lastSyncAtMs: null,
      createdAtMs: 0,
    };
    this.store.commit({ name: 'insert_mirror', input: row });
  }

  #createFork(forkId: string): void {
    const created = this.store.commit({
      name: 'create_fork',
      input: {
        workspaceId,
        forkId,
        proposalId: 'simulated',
        createdBy: 'an agent',
        creatorTokens: [],
        atMs: 0,
        expiresAtMs: forkLifeMs,
      },
    });
    if ((created as { kind: string }).kind !== 'open') throw new Error('the fork is not open');
  }
}
