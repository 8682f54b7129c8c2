// Random changes of the three trees of a mirror, for property tests of the planner.
import fc from 'fast-check';
import type { FolderEntry, FolderFile } from '../../server/disk/port/folder.ts';
import { baseRow, type MirrorTrees } from '../../server/mirror/state/trees.ts';

const anyPath = fc.constantFrom('/a', '/a/b', '/a/b/c', '/a/d', '/e', '/e/f', '/g');
const anyHash = fc.constantFrom('h1', 'h2', 'h3');
const anyEntry: fc.Arbitrary<FolderEntry | null> = fc.oneof(
  anyHash.map(fileOf),
  fc.constant<FolderEntry>({ kind: 'directory' }),
  {
    weight: 3,
    arbitrary: fc.constant<FolderEntry>({ kind: 'blocked', reason: 'symlink', detail: 'a link' }),
  },
  fc.constant(null),
);
export const anyTreeStep = fc.oneof(
  fc.record({ side: fc.constant('folder' as const), path: anyPath, entry: anyEntry }),
  fc.record({ side: fc.constant('workspace' as const), path: anyPath, hash: fc.option(anyHash) }),
  fc.record({ side: fc.constant('base' as const), path: anyPath, hash: fc.option(anyHash) }),
);
export type TreeStep = typeof anyTreeStep extends fc.Arbitrary<infer T> ? T : never;

export function fileOf(hash: string): FolderFile {
  const numbers = { mtimeNs: '1', ctimeNs: '1', inode: '1', sizeBytes: 2, mode: 0o644 };
  return { kind: 'file', hash, ...numbers, trusted: true };
}

export function take(trees: MirrorTrees, folder: Map<string, FolderEntry | null>, step: TreeStep): void {
  if (step.side === 'folder') {
    folder.set(step.path, step.entry);
    trees.setLocal(step.path, step.entry);
  } else if (step.side === 'workspace')
    trees.setWorkspace(step.path, step.hash === null ? null : { hash: step.hash, revision: 1, sizeBytes: 2 });
  else trees.agree(step.path, step.hash === null ? null : baseRow(step.path, fileOf(step.hash), 1));
}
