// Checks which folders may be mirrored, and takes their root locks: one agent per folder, and no mirrored folder inside another
// (docs/sync-rules.md#19). It changes no file of a user.

import { normalizeReadPath, parseWritePath } from '../../core/paths/path.ts';
import { onFolder } from '../../disk/port/confined-file-system.ts';
import { errorCode } from '../../disk/port/file-system.ts';
import { type CloudMachine, cloudFactsOf } from '../../disk/root/cloud-facts.ts';
import { type CloudFolder, findCloudFolder } from '../../disk/root/cloud-folders.ts';
import { ownedAbove, ownedBelow } from '../../disk/root/nested-roots.ts';
import { askOwner, listenAsOwner, type OwnerSocket } from '../../disk/root/owner-socket.ts';
import { ensurePrivate, makeRoot, realNameOf } from '../../disk/root/root.ts';
import { lockRoot, type RootOwner, releaseRoot, removeSocket } from '../../disk/root/root-lock.ts';
import type { Logger } from '../../platform/observe/logger.ts';
import { isSameProcess, thisProcess } from '../../platform/process/process-identity.ts';
import { CloudFolderError, MirrorRefusedError, runFoldersName } from './port.ts';

/** Owners that are checked one after the other while the lock changes its owner. */
const ownersCheckedMax = 20;

export interface RootDeps {
  /** Reported to another agent that requests the same folder; never mirrored itself. */
  readonly dataDir: string;
  readonly logger: Logger;
  /** Where to look for other sync programs. */
  readonly cloudMachine: CloudMachine;
  /** The mirrored folders. */
  readonly mirroredDirs: () => readonly string[];
}

export class MirrorRoots {
  readonly #deps: RootDeps;
  readonly #process: Omit<RootOwner, 'socket'>;
  /** Root -> the socket of its lock. */
  readonly #sockets = new Map<string, OwnerSocket>();
  /** The resolved path, as that of the folders. It contains keys and is never mirrored. */
  readonly #dataDir: string;

  constructor(deps: RootDeps) {
    this.#deps = deps;
    const { pid, started } = thisProcess();
    this.#process = { pid, startedAt: started ?? '', dataDir: deps.dataDir };
    this.#dataDir = realNameOf(deps.dataDir) ?? deps.dataDir;
  }

  rootRefusal(dir: string): string | null {
    const folder = realNameOf(dir);
    if (folder === null) return `Cannot mirror ${dir}: it is not an absolute path.`;
    if (this.#overlapsDataDir(folder)) return this.#dataDirOverlap(dir);
    const clash = this.#deps.mirroredDirs().find((other) => areNested(other, folder));
    return clash === undefined ? null : overlapText(dir, clash);
  }

  /** The folder of another sync program around or in `dir`, which need not exist; null: none. */
  async cloudFolderOf(dir: string): Promise<CloudFolder | null> {
    const folder = realNameOf(dir);
    if (folder === null) return null;
    return findCloudFolder(folder, await cloudFactsOf(folder, this.#deps.cloudMachine));
  }

  /** Throws a CloudFolderError; creates nothing. */
  async refuseCloudFolder(dir: string): Promise<void> {
    const cloud = await this.cloudFolderOf(dir);
    if (cloud !== null) throw new CloudFolderError(dir, cloud);
  }

  /** Creates the folder where it is missing, and returns its resolved path. Throws a MirrorRefusedError. */
  prepareRoot(dir: string): string {
    const result = makeRoot(dir);
    if (!result.ok) throw new MirrorRefusedError(result.reason);
    const { root } = result;
    const clash = this.#deps.mirroredDirs().find((other) => areNested(other, root));
    if (clash === root) throw new MirrorRefusedError(`Cannot mirror ${root}: it is mirrored already.`);
    if (clash !== undefined) throw new MirrorRefusedError(overlapText(root, clash));
    if (this.#overlapsDataDir(root)) throw new MirrorRefusedError(this.#dataDirOverlap(root));
    return root;
  }

  /** A folder of a run is below the data directory and contains nothing else of it. */
  #overlapsDataDir(root: string): boolean {
    const runFolders = `${withSlash(this.#dataDir)}${runFoldersName}/`;
    return areNested(root, this.#dataDir) && !root.startsWith(runFolders);
  }

  #dataDirOverlap(dir: string): string {
    return `Cannot mirror ${dir}: it overlaps the data directory ${this.#dataDir}. Choose a folder outside it.`;
  }

  /** For people: another agent's mirror above or below the folder; null: none. Scans all directories. */
  async foreignOverlap(root: string): Promise<string | null> {
    const owned = (await ownedAbove(root, this.#isOther)) ?? (await ownedBelow(root, this.#isOther));
    return owned && `Cannot mirror ${root}: another agent (${ownerText(owned.owner)}) mirrors ${owned.root}.`;
  }

  /**
   * null: the lock is taken. Otherwise the owner of the folder or of a mirrored folder around it, for people. Throws a
   * MirrorRefusedError when the data directory was moved into it.
   */
  async lock(root: string): Promise<string | null> {
    if (this.#overlapsDataDir(root)) throw new MirrorRefusedError(this.#dataDirOverlap(root));
    const above = await ownedAbove(root, this.#isOther);
    if (above !== null) return `${ownerText(above.owner)}, which mirrors ${above.root}`;
    const owner = { ...this.#process, socket: await this.#listenIn(root) };
    const other = await this.#take(root, owner);
    if (other === null) return null;
    onFolder(root, (fs) => removeSocket(fs, root, owner));
    this.#close(root);
    return ownerText(other);
  }

  /** `everything`: also removes the private folder. */
  release(root: string, everything: boolean): void {
    const socket = this.#sockets.get(root)?.name ?? null;
    try {
      onFolder(root, (fs) => releaseRoot(fs, root, { ...this.#process, socket }, everything));
    } catch (error) {
      // The folder is not accessible. Its lock names a process that is ending.
      this.#deps.logger.warn({ dir: root, reason: errorCode(error) }, 'root lock could not be removed');
    }
    this.#close(root);
  }

  /** Checks between the attempts whether the owner that the lock names is alive, once per owner. */
  async #take(root: string, owner: RootOwner): Promise<RootOwner | null> {
    const alive = new Map<string, boolean>();
    for (let checked = 0; ; checked += 1) {
      const holder = onFolder(root, (fs) =>
        lockRoot(fs, root, owner, (other) => alive.get(keyOf(other)) ?? true),
      );
      if (holder === null || alive.get(keyOf(holder)) === true || checked === ownersCheckedMax) return holder;
      alive.set(keyOf(holder), await isAlive(holder, root));
    }
  }

  /** The name of the socket; null: the disk does not support sockets. */
  async #listenIn(root: string): Promise<string | null> {
    const known = this.#sockets.get(root);
    if (known !== undefined && (await askOwner(root, known.name)) === 'held') return known.name;
    // There is none, or it cannot be found because the private folder was removed.
    this.#close(root);
    makePrivate(root);
    const socket = await listenAsOwner(root);
    if (socket !== null) this.#sockets.set(root, socket);
    return socket?.name ?? null;
  }

  #close(root: string): void {
    const socket = this.#sockets.get(root);
    this.#sockets.delete(root);
    socket?.close();
  }

  readonly #isOther = async (owner: RootOwner, root: string): Promise<boolean> => {
    const { pid, startedAt } = this.#process;
    const isOwn =
      owner.socket === null
        ? owner.pid === pid && owner.startedAt === startedAt
        : owner.socket === this.#sockets.get(root)?.name;
    if (isOwn) return false;
    return await isAlive(owner, root);
  };
}

function makePrivate(root: string): void {
  try {
    onFolder(root, (fs) => ensurePrivate(fs, root));
  } catch (error) {
    if (errorCode(error) !== 'ENOTDIR') throw error;
    throw new MirrorRefusedError(
      `Cannot mirror ${root}: ${root}/.mooring is not a directory. Remove it and try again.`,
    );
  }
}

function keyOf({ pid, startedAt, socket }: RootOwner): string {
  return JSON.stringify([pid, startedAt, socket]);
}

/** The kernel reports whether a process listens on the socket. Owners without a socket are checked by their process id. */
async function isAlive({ pid, startedAt, socket }: RootOwner, root: string): Promise<boolean> {
  const state = socket === null ? 'unknown' : await askOwner(root, socket);
  return state === 'unknown'
    ? isSameProcess({ pid, started: startedAt === '' ? null : startedAt })
    : state === 'held';
}

function ownerText({ pid, dataDir }: RootOwner): string {
  return `process ${pid} with the data directory ${dataDir}`;
}

function overlapText(dir: string, clash: string): string {
  return `Cannot mirror ${dir}: it overlaps the mirrored folder ${clash}. Choose a folder outside it.`;
}

function areNested(left: string, right: string): boolean {
  return left === right || left.startsWith(withSlash(right)) || right.startsWith(withSlash(left));
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

/** The directory of the workspace that a new mirror shows. */
export function rootPathOf(path: string): string {
  const normalized = normalizeReadPath(path);
  if (normalized === '/') return normalized;
  const parsed = parseWritePath(normalized);
  if (!parsed.ok)
    throw new MirrorRefusedError(
      `Cannot mirror ${path}: it is not a directory path of a workspace (${parsed.reason}).`,
    );
  return parsed.path;
}
