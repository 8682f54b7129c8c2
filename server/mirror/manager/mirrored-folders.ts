// The folders of all mirrors for folder-notes/: which there are, when their state may have changed, and notes in them.
import type { FolderNote } from '../../disk/port/folder.ts';
import type { SyncLoop } from '../loop/loop.ts';
import type { MirroredFolder, MirroredFolders } from './port.ts';

export class FoldersOfLoops implements MirroredFolders {
  readonly #loops: ReadonlyMap<string, SyncLoop>;
  readonly #listeners = new Set<(mirrorId: string) => void>();

  constructor(loops: ReadonlyMap<string, SyncLoop>) {
    this.#loops = loops;
  }

  onChange(listener: (mirrorId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  changed(mirrorId: string): void {
    for (const listener of this.#listeners) listener(mirrorId);
  }

  mirrorIds(workspaceId?: string): readonly string[] {
    return [...this.#loops.values()].flatMap(({ row }) =>
      workspaceId === undefined || row.workspaceId === workspaceId ? [row.mirrorId] : [],
    );
  }

  async get(mirrorId: string): Promise<MirroredFolder | null> {
    const loop = this.#loops.get(mirrorId);
    if (loop === undefined) return null;
    return { mirror: await loop.view(), forkId: loop.row.forkId, conflicts: loop.conflicts };
  }

  dir(mirrorId: string): string | null {
    return this.#loops.get(mirrorId)?.row.dir ?? null;
  }

  async writeNotes(mirrorId: string, notes: readonly FolderNote[]): Promise<boolean> {
    return (await this.#loops.get(mirrorId)?.writeNotes(notes)) ?? false;
  }
}
