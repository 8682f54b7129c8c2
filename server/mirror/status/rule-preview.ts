// Previews the effect of other ignore rules on the known files, before they are saved. It reads the state of the session in time
// slices and changes nothing.
import { comparePaths } from '../../core/paths/path.ts';
import { IgnoreRules } from '../../disk/names/ignore.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SyncSession } from '../cycle/session.ts';
import { inSlices } from '../state/slices.ts';
import type { MirrorTrees } from '../state/trees.ts';

export interface RulePreview {
  /** Files of either side that were looked at. */
  readonly looked: number;
  /** Carried now, left out then; in order. */
  readonly leftOut: readonly string[];
  /** Left out now, carried then: as far as the workspace holds them, for what only the folder holds is not listed. */
  readonly carried: readonly string[];
  /** Why these rules would not be applied; null: they would. */
  readonly fault: string | null;
}

/** `text`: the whole rule file of the folder's root; '' is none. */
export async function previewRules(
  session: SyncSession,
  text: string,
  clock: Pick<Clock, 'monotonicMs'>,
): Promise<RulePreview> {
  const now = IgnoreRules.from(session.folderState.ignoreFiles);
  const then = IgnoreRules.from(session.folderState.ignoreFiles);
  then.set('/', text === '' ? null : text);
  const leftOut: string[] = [];
  const carried: string[] = [];
  const paths = knownPaths(session.trees);
  await inSlices(paths, clock, (path) => {
    const before = now.ignores(path);
    const after = then.ignores(path);
    if (!before && after) leftOut.push(path);
    else if (before && !after) carried.push(path);
  });
  return {
    looked: paths.length,
    leftOut: leftOut.sort(comparePaths),
    carried: carried.sort(comparePaths),
    fault: then.faults()[0]?.cause ?? null,
  };
}

function knownPaths(trees: MirrorTrees): readonly string[] {
  return [...new Set([...trees.basePaths(), ...trees.candidates()])].filter(
    (path) => trees.workspaceAt(path) !== null || trees.localAt(path)?.kind === 'file',
  );
}
