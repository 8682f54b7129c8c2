// The changes of a run and the copies in its folder in words.
import type { RunFolder, RunSummary } from '../../../sdk/index.ts';
import type { MirrorProblem } from '../../../sdk/types.ts';
import { formatBytes, plural } from './output.ts';

export function summaryText(summary: RunSummary): string {
  const { createdCount, updatedCount, movedCount, deletedCount, addedLines, removedLines } = summary;
  const lines = `+${addedLines} -${removedLines} lines${summary.linesComplete ? '' : ' in the files that were compared'}`;
  const files = `${createdCount} created, ${updatedCount} updated, ${movedCount} moved, ${deletedCount} deleted`;
  const conflicts = summary.conflictCount;
  return conflicts === 0
    ? `${files}, ${lines}.`
    : `${files}, ${lines}. The workspace has newer changes of ${plural(conflicts, 'path')}.`;
}

/** What is in the folder beside the files of the run. */
export function copiedLines({ copied }: Pick<RunFolder, 'copied'>): readonly string[] {
  if (copied === null) return [];
  const { from, fileCount, linkCount, bytes, sharesBlocks, skippedCount, skipped } = copied;
  const space = sharesBlocks ? `${formatBytes(bytes)}, which share the disk space` : formatBytes(bytes);
  const what = `${plural(fileCount, 'file')} (${space}) and ${plural(linkCount, 'link')}`;
  return [
    ...(fileCount + linkCount === 0
      ? []
      : [`Copied from ${from}, not part of the changes: ${what} that no mirror syncs.`]),
    ...skipped.map(({ path, reason }) => `Not copied: ${path}: ${reason}.`),
    ...(skippedCount > skipped.length ? [`Not copied: ${skippedCount - skipped.length} more.`] : []),
  ];
}

export const unsyncedText =
  'The folder of the run has changes that are not part of the commit, because they are not synced. It is kept for 7 days.';

/** What a person knows of, and what is a copy in the folder. */
const expectedKinds: ReadonlySet<string> = new Set(['symlink', 'special_file', 'too_large']);

/** One line for each cause, with the first path that has it. */
export function problemLines({ mirror }: Pick<RunFolder, 'mirror'>): readonly string[] {
  return mirror.problemGroups.map(({ kind, count }) => {
    const first = mirror.problemList.find((problem) => problem.kind === kind);
    const counted = `Not synced: ${count} (${kind})`;
    return first === undefined || expectedKinds.has(kind)
      ? `${counted}.`
      : `${counted}: ${problemText(first)}`;
  });
}

/** `/a: cause. What to do.` */
function problemText({ path, cause, next }: MirrorProblem): string {
  return `${path}: ${cause.replace(/[.\s]+$/, '')}. ${next}`;
}

/** Of a change that the run could not take. */
export function hasRefused({ mirror }: Pick<RunFolder, 'mirror'>): boolean {
  return mirror.problemGroups.some(({ kind }) => kind === 'refused' || kind === 'store_failed');
}
