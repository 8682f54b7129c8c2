// Which folders may be mirrored, and who owns them: one owner per folder, and no folder within another (sync-engine rule 19). It
// never touches a file of a user.

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
import { CloudFolderError, MirrorRefusedError } from './port.ts';

/** How many owners one after the other are asked whether they live, while the lock goes from hand to hand. */
const ownersAskedMax = 20;

export interface RootParts {
  /** Named to another agent that wants the same folder, and never mirrored itself. */
  readonly dataDir: string;
  readonly logger: Logger;
  /** Where other sync programs are looked for. */
  readonly cloudMachine: CloudMachine;
  /** The folders that are mirrored. */
  readonly taken: () => readonly string[];
}

export class MirrorRoots {
  readonly #parts: RootParts;
  readonly #process: Omit<RootOwner, 'socket'>;
  /** Of the roots that are held. */
  readonly #sockets = new Map<string, OwnerSocket>();
  /** Under its one real name, as the folders are: what lies in it is the key to everything. */
  readonly #dataDir: string;

  constructor(parts: RootParts) {
    this.#parts = parts;
    const { pid, started } = thisProcess();
    this.#process = { pid, startedAt: started ?? '', dataDir: parts.dataDir };
    this.#dataDir = realNameOf(parts.dataDir) ?? parts.dataDir;
  }

  rootRefusal(dir: string): string | null {
    const folder = realNameOf(dir);
    if (folder === null) return `${dir} is not an absolute path`;
    if (areNested(folder, this.#dataDir)) return this.#aroundData(dir);
    const clash = this.#parts.taken().find((other) => areNested(other, folder));
    return clash === undefined ? null : `${dir} and the mirrored folder ${clash} lie within each other`;
  }

  /** The folder of another sync program around or in a folder, which need not be there yet; null: none is known. */
  async cloudFolderOf(dir: string): Promise<CloudFolder | null> {
    const folder = realNameOf(dir);
    if (folder === null) return null;
    return findCloudFolder(folder, await cloudFactsOf(folder, this.#parts.cloudMachine));
  }

  /** Refuses with a CloudFolderError. Nothing is made. */
  async mustBeNoCloudFolder(dir: string): Promise<void> {
    const cloud = await this.cloudFolderOf(dir);
    if (cloud !== null) throw new CloudFolderError(dir, cloud);
  }

  /** Makes the folder where there is none; its real name. Refuses with a MirrorRefusedError. */
  prepareRoot(dir: string): string {
    const made = makeRoot(dir);
    if (!made.ok) throw new MirrorRefusedError(made.reason);
    const clash = this.#parts.taken().find((other) => areNested(other, made.root));
    if (clash === made.root) throw new MirrorRefusedError(`${made.root} is mirrored already`);
    if (clash !== undefined)
      throw new MirrorRefusedError(`${made.root} and the mirrored folder ${clash} lie within each other`);
    if (areNested(made.root, this.#dataDir)) throw new MirrorRefusedError(this.#aroundData(made.root));
    return made.root;
  }

  #aroundData(dir: string): string {
    return `${dir} and the data directory ${this.#dataDir} lie within each other`;
  }

  /** Who mirrors a folder of which this one would be a part, or a part of it; in words. null: nobody. Looks through all of it. */
  async heldAround(root: string): Promise<string | null> {
    const held = (await ownedAbove(root, this.#isOther)) ?? (await ownedBelow(root, this.#isOther));
    return held && `${held.root} is mirrored by another agent: ${inWords(held.owner)}`;
  }

  /**
   * null: it is ours now. Otherwise who holds it, or a folder that it is a part of, in words. Refuses with a MirrorRefusedError when
   * the data directory was moved into it.
   */
  async lock(root: string): Promise<string | null> {
    if (areNested(root, this.#dataDir)) throw new MirrorRefusedError(this.#aroundData(root));
    const above = await ownedAbove(root, this.#isOther);
    if (above !== null) return `${inWords(above.owner)}, as a part of ${above.root}`;
    const owner = { ...this.#process, socket: await this.#listenIn(root) };
    const other = await this.#take(root, owner);
    if (other === null) return null;
    onFolder(root, (fs) => removeSocket(fs, root, owner));
    this.#close(root);
    return inWords(other);
  }

  /** `everything`: the private folder goes, too. */
  release(root: string, everything: boolean): void {
    const socket = this.#sockets.get(root)?.name ?? null;
    try {
      onFolder(root, (fs) => releaseRoot(fs, root, { ...this.#process, socket }, everything));
    } catch (error) {
      // The folder is out of reach: its lock names a process that will be gone.
      this.#parts.logger.warn(
        { dir: root, reason: errorCode(error) },
        'the lock of a folder could not be removed',
      );
    }
    this.#close(root);
  }

  /** The lock names who holds it; whether that one lives is asked in between, once for each. */
  async #take(root: string, owner: RootOwner): Promise<RootOwner | null> {
    const alive = new Map<string, boolean>();
    for (let asked = 0; ; asked += 1) {
      const holder = onFolder(root, (fs) =>
        lockRoot(fs, root, owner, (other) => alive.get(keyOf(other)) ?? true),
      );
      if (holder === null || alive.get(keyOf(holder)) === true || asked === ownersAskedMax) return holder;
      alive.set(keyOf(holder), await isAlive(holder, root));
    }
  }

  /** The name of the socket; null: this disk has none. */
  async #listenIn(root: string): Promise<string | null> {
    const known = this.#sockets.get(root);
    if (known !== undefined && (await askOwner(root, known.name)) === 'held') return known.name;
    // None yet, or nobody finds it any more: the private folder was taken away.
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
    throw new MirrorRefusedError(`${root}/.mooring is not a directory; remove it and try again`);
  }
}

function keyOf({ pid, startedAt, socket }: RootOwner): string {
  return JSON.stringify([pid, startedAt, socket]);
}

/** The system knows whether somebody listens. Of owners without a socket only their number is known. */
async function isAlive({ pid, startedAt, socket }: RootOwner, root: string): Promise<boolean> {
  const answer = socket === null ? 'unknown' : await askOwner(root, socket);
  return answer === 'unknown'
    ? isSameProcess({ pid, started: startedAt === '' ? null : startedAt })
    : answer === 'held';
}

function inWords({ pid, dataDir }: RootOwner): string {
  return `process ${pid} with the data directory ${dataDir}`;
}

function areNested(left: string, right: string): boolean {
  return left === right || left.startsWith(withSlash(right)) || right.startsWith(withSlash(left));
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}
