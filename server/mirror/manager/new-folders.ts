// What a person is shown of a folder before it is mirrored: its path, whether it may be mirrored, and what it contains. Changes nothing.
import type { CloudMachine } from '../../disk/root/cloud-facts.ts';
import { type CloudFolder, cloudFolderText } from '../../disk/root/cloud-folders.ts';
import {
  absoluteDir,
  countFolder,
  type FolderCount,
  kindOfFolder,
  proposedFolders,
} from '../../disk/root/new-folder.ts';
import type { Clock } from '../../platform/clock.ts';

/** A count ends at one of these, and its answer says so. */
const countEntriesMax = 1_000_000;
const countTimeMs = 15_000;

/** roots.ts. */
interface RootChecks {
  rootRefusal(dir: string): string | null;
  cloudFolderOf(dir: string): Promise<CloudFolder | null>;
}

interface NewFolderDeps {
  readonly cloudMachine: CloudMachine;
  readonly fileBytesMax: number;
  readonly clock: Clock;
}

/** A typed folder. */
export interface NewFolder {
  /** null: the typed path is not absolute. */
  readonly dir: string | null;
  readonly kind: 'folder' | 'missing' | 'other';
  /** Why it cannot be mirrored; null: nothing is known against it. */
  readonly refusal: string | null;
  /** Of another sync program: mirrored only when that is accepted. */
  readonly cloud: { readonly folder: CloudFolder; readonly text: string } | null;
  /** Folders that complete the typed path. */
  readonly proposals: readonly string[];
}

export class NewFolders {
  readonly #roots: RootChecks;
  readonly #deps: NewFolderDeps;

  constructor(roots: RootChecks, deps: NewFolderDeps) {
    this.#roots = roots;
    this.#deps = deps;
  }

  async look(typed: string): Promise<NewFolder> {
    const { cloudMachine } = this.#deps;
    const proposals = await proposedFolders(typed, cloudMachine.home);
    const dir = absoluteDir(typed, cloudMachine.home);
    if (dir === null) return { dir, kind: 'missing', refusal: null, cloud: null, proposals };
    const kind = await kindOfFolder(dir);
    const refusal =
      kind === 'other'
        ? `Cannot mirror ${dir}: it is not a folder. Choose a folder.`
        : this.#roots.rootRefusal(dir);
    // The reason against it is enough: the other would be read from the disk for nothing.
    const folder = refusal === null ? await this.#roots.cloudFolderOf(dir) : null;
    const cloud = folder === null ? null : { folder, text: cloudFolderText(dir, folder) };
    return { dir, kind, refusal, cloud, proposals };
  }

  /** null: the typed path is not absolute. Rejects with the signal's reason. */
  async count(
    typed: string,
    signal: AbortSignal,
  ): Promise<(FolderCount & { readonly fileBytesMax: number }) | null> {
    const { cloudMachine, fileBytesMax, clock } = this.#deps;
    const dir = absoluteDir(typed, cloudMachine.home);
    if (dir === null) return null;
    const limits = { fileBytesMax, entriesMax: countEntriesMax, timeMs: countTimeMs, clock };
    return { ...(await countFolder(dir, limits, signal)), fileBytesMax };
  }
}
