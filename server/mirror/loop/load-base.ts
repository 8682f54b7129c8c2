// Loads the base of a mirror in parts: into its trees, and packed for the folder's side. No list of all rows exists.
import type { OpenFolder, PackedFiles } from '../../disk/port/folder.ts';
import { packFiles } from '../../disk/tree/packed-files.ts';
import type { MirrorDeps } from '../state/context.ts';
import { MirrorTrees } from '../state/trees.ts';

export interface LoadedBase {
  readonly trees: MirrorTrees;
  readonly known: OpenFolder['known'];
}

export async function loadBase(store: MirrorDeps['store'], mirrorId: string): Promise<LoadedBase> {
  const trees = new MirrorTrees();
  const known: PackedFiles[] = [];
  await store.mirrors.loadBase(mirrorId, (rows) => {
    trees.load(rows);
    known.push(packFiles(rows));
  });
  return { trees, known };
}
