// Maps a conflict to a comparison of its versions: the folder's is `mine`, the workspace's is `theirs`. Pure.
import type { ConflictDetail, ConflictMerge } from '../../../server/contract/conflicts.ts';
import { linesOf } from '../../../server/core/merge/line-diff.ts';
import type { MergeHunk } from '../../../server/core/merge/three-way-merge.ts';
import { isText } from '../../model/mirror/conflict-view.ts';
import { type Comparison, twoWayHunks } from '../../model/text/conflict-rows.ts';

export const views = ['sides', 'three', 'base', 'result'] as const;
export type ConflictViewName = (typeof views)[number];

/** null: not both versions are text that can be shown. */
export function comparisonOf({ base, folder, workspace, merge }: ConflictDetail): Comparison | null {
  if (!isText(folder) || !isText(workspace)) return null;
  const versions = {
    base: linesOf(base?.content ?? ''),
    mine: linesOf(folder?.content ?? ''),
    theirs: linesOf(workspace?.content ?? ''),
  };
  if (merge !== null) return { versions, hunks: merge.pieces.map(hunkOf), notMergeable: null };
  return {
    versions,
    hunks: twoWayHunks(versions.mine, versions.theirs),
    notMergeable: isText(base) ? 'too_different' : 'no_base',
  };
}

function hunkOf({ kind, base, folder, workspace }: ConflictMerge['pieces'][number]): MergeHunk {
  return { kind: hunkKinds[kind], base, mine: folder, theirs: workspace };
}

const hunkKinds = {
  same: 'same',
  folder: 'mine',
  workspace: 'theirs',
  both: 'both',
  clash: 'clash',
} as const;
