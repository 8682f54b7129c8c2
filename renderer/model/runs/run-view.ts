// Runs as rows of a list: names, states, groups, numbers of changes. Pure.
import type { Run, RunUndone } from '../../../sdk/index.ts';
import { plural } from '../format.ts';

export type RunStateName = 'Open' | 'Partly committed' | 'Committed' | 'Discarded' | 'Undone' | 'Expired';

export type RunRow =
  | { readonly kind: 'heading'; readonly id: string; readonly text: string; readonly runs: number }
  | { readonly kind: 'run'; readonly id: string; readonly run: Run };

/** The name, or the command. */
export function runName({ name, command, createdBy }: Run): string {
  if (name !== '') return name;
  return command.length > 0 ? commandText(command) : `Run of ${createdBy}`;
}

/** As a shell would take it. */
export function commandText(command: readonly string[]): string {
  return command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

export function runState({ state, commits }: Run): RunStateName {
  switch (state) {
    case 'open':
      return commits.length > 0 ? 'Partly committed' : 'Open';
    case 'committed':
      return 'Committed';
    case 'discarded':
      return commits.length > 0 ? 'Partly committed' : 'Discarded';
    case 'undone':
      return 'Undone';
    case 'expired':
      return 'Expired';
  }
}

/** Changes to review; of an ended run the changes that it committed. */
export function changeCount({ state, writtenCount, deletedCount, commits }: Run): number {
  if (state === 'open') return writtenCount + deletedCount;
  return commits.reduce((sum, commit) => sum + commit.writtenCount + commit.deletedCount, 0);
}

/** A run that only waits for a decision. */
export function isToReview(run: Run): boolean {
  return run.state === 'open' && changeCount(run) > 0;
}

/** Can its commits be taken back? An open run must end first. */
export function canUndo({ state, commits }: Run): boolean {
  return commits.length > 0 && state !== 'open' && state !== 'undone';
}

export function runRows(runs: readonly Run[]): readonly RunRow[] {
  const groups: readonly (readonly [text: string, isIn: (run: Run) => boolean])[] = [
    ['To review', isToReview],
    ['No changes yet', (run) => run.state === 'open' && !isToReview(run)],
    ['Ended', (run) => run.state !== 'open'],
  ];
  return groups.flatMap(([text, isIn]): readonly RunRow[] => {
    const rows = runs.filter(isIn);
    if (rows.length === 0) return [];
    return [
      { kind: 'heading', id: text, text, runs: rows.length },
      ...rows.map((run): RunRow => ({ kind: 'run', id: run.runId, run })),
    ];
  });
}

/** `3 changed, 2 restored, 1 deleted`; empty: nothing. */
export function undoText({ createdCount, updatedCount, deletedCount }: RunUndone): string {
  const parts = [
    updatedCount > 0 ? `${plural(updatedCount, 'file')} reverted` : '',
    createdCount > 0 ? `${plural(createdCount, 'file')} restored` : '',
    deletedCount > 0 ? `${plural(deletedCount, 'file')} deleted` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
