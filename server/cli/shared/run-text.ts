// The changes of a run in words.
import type { RunSummary } from '../../../sdk/index.ts';
import { plural } from './output.ts';

export function summaryText(summary: RunSummary): string {
  const { createdCount, updatedCount, movedCount, deletedCount, addedLines, removedLines } = summary;
  const lines = `+${addedLines} -${removedLines} lines${summary.linesComplete ? '' : ' in the files that were compared'}`;
  const files = `${createdCount} created, ${updatedCount} updated, ${movedCount} moved, ${deletedCount} deleted`;
  const conflicts = summary.conflictCount;
  return conflicts === 0
    ? `${files}, ${lines}.`
    : `${files}, ${lines}. The workspace has newer changes of ${plural(conflicts, 'path')}.`;
}
