// What can be done with an open run: commit all or the chosen changes, decide on conflicts first, discard.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { type Run, RunConflictError, StagedChangedError } from '../../../sdk/index.ts';
import { runsKey } from '../../api/runs.ts';
import { describeError, useServices } from '../../api/services.ts';
import { useRoleReason } from '../../api/viewer.ts';
import { useKeys } from '../../keys.ts';
import { count, plural } from '../../model/format.ts';
import { type ChosenPaths, chosenPaths, type RunChange } from '../../model/runs/run-changes.ts';
import { runName } from '../../model/runs/run-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { ConflictsDialog, type RunDecision } from './conflicts-dialog.tsx';

interface FootProps {
  readonly run: Run;
  readonly changes: readonly RunChange[];
  /** Of the changes that are shown. */
  readonly stagedRevision: number;
  readonly excluded: ReadonlySet<string>;
  /** Whether the folder stays after the commit. */
  readonly keepsFolder: boolean;
  readonly onCommitted: () => void;
}

export function OpenRunFoot({
  run,
  changes,
  stagedRevision,
  excluded,
  keepsFolder,
  onCommitted,
}: FootProps): ReactElement {
  const paths = changes.map(({ path }) => path);
  const chosen = chosenPaths(paths, excluded);
  const kept = paths.filter((path) => excluded.has(path)).length;
  const [isDiscarding, setDiscarding] = useState(false);
  const commit = useCommit(run, chosen, { stagedRevision, keepsFolder, onCommitted });
  const offline = useRoleReason(run.workspaceId, 'editor');
  const disabledReason = commit.isRunning ? 'Committing…' : (reasonOf(chosen, paths.length) ?? offline);
  const commitNow = (): void => {
    if (disabledReason === null) commit.run([]);
  };
  useKeys({ 'mod+enter': commitNow });
  return (
    <>
      {commit.error === null ? null : (
        <p className="note-line" role="alert">
          {commit.error instanceof StagedChangedError
            ? 'The run has newer changes than those that were shown. Review them, then commit again.'
            : describeError(commit.error)}{' '}
          Nothing was committed.
        </p>
      )}
      <div className="detail-foot">
        <Button
          kind="primary"
          icon="committed"
          shortcut="Ctrl ↵"
          disabledReason={disabledReason}
          onClick={commitNow}
        >
          {commit.isRunning ? 'Committing…' : commitText(paths.length, kept)}
        </Button>
        <Button disabledReason={offline} onClick={() => setDiscarding(true)}>
          Discard…
        </Button>
        <span className="hint end when-wide">
          {kept === 0
            ? 'The workspace changes with the commit. You can undo it as one.'
            : `${plural(kept, 'file')} ${kept === 1 ? 'stays' : 'stay'} in the run. You can undo a commit as one.`}
        </span>
      </div>
      {commit.conflicts === null ? null : (
        <ConflictsDialog
          title={`Resolve ${plural(commit.conflicts.conflicts.length, 'conflict')} to commit`}
          about="Nothing was committed yet. The workspace has newer changes of these files that cannot be merged."
          labels={{ run: 'Run’s version', workspace: 'Workspace’s version' }}
          confirm="Commit"
          conflicts={commit.conflicts.conflicts}
          changes={changes}
          run={run}
          onDecided={commit.run}
          onClose={commit.close}
        />
      )}
      {isDiscarding ? (
        <DiscardDialog run={run} changed={paths.length} onClose={() => setDiscarding(false)} />
      ) : null}
    </>
  );
}

/** `kept`: files that stay in the run. */
function commitText(all: number, kept: number): string {
  if (all === 0) return 'Commit';
  return kept === 0 ? `Commit ${plural(all, 'file')}` : `Commit ${count(all - kept)} of ${count(all)}`;
}

function reasonOf(chosen: ChosenPaths, changed: number): string | null {
  if (changed === 0) return 'The run has no changes.';
  switch (chosen.kind) {
    case 'none':
      return 'Choose at least one file.';
    case 'too_many':
      return 'Choose at most 100 single files, or whole folders.';
    case 'ambiguous':
      return 'A chosen name also matches a file that is not chosen, because it has * or ? or became a directory. Choose both.';
    default:
      return null;
  }
}

interface CommitInput {
  readonly decisions: readonly RunDecision[];
  /** The `stagedRevision` of the changes that were shown. */
  readonly seen: number;
}

interface Commit {
  readonly isRunning: boolean;
  /** null: none, or it has conflicts. */
  readonly error: unknown;
  readonly conflicts: RunConflictError | null;
  readonly run: (decisions: readonly RunDecision[]) => void;
  readonly close: () => void;
}

function useCommit(
  { workspaceId, runId, ...run }: Run,
  chosen: ChosenPaths,
  {
    stagedRevision,
    keepsFolder,
    onCommitted,
  }: Pick<FootProps, 'stagedRevision' | 'keepsFolder' | 'onCommitted'>,
): Commit {
  const { client } = useServices();
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: async ({ decisions, seen }: CommitInput) =>
      await client.runs.commit(workspaceId, runId, {
        stagedRevision: seen,
        ...(chosen.kind === 'some' ? { paths: [...chosen.globs] } : {}),
        ...(decisions.length === 0 ? {} : { decisions: [...decisions] }),
        ...(keepsFolder ? { keepFolder: true } : {}),
      }),
    onSuccess: ({ writtenCount, deletedCount, mergedPaths, folderUnsynced }) => {
      const merged = mergedPaths.length === 0 ? '' : `, ${count(mergedPaths.length)} merged`;
      announce(
        `Committed ${plural(writtenCount + deletedCount, 'file')} of ${runName({ ...run, workspaceId, runId })}${merged}.${folderUnsynced ? ' Its folder has other changes, which are not synced. It is kept for 7 days.' : ''}`,
      );
      onCommitted();
    },
    onSettled: async () => await queries.invalidateQueries({ queryKey: runsKey(workspaceId) }),
  });
  const conflicts = mutation.error instanceof RunConflictError ? mutation.error : null;
  return {
    isRunning: mutation.isPending,
    error: conflicts === null ? mutation.error : null,
    conflicts,
    // Decisions apply to the changes in which the conflicts were found.
    run: (decisions) =>
      mutation.mutate({
        decisions,
        seen: conflicts === null ? stagedRevision : (mutation.variables?.seen ?? stagedRevision),
      }),
    close: mutation.reset,
  };
}

function DiscardDialog({
  run,
  changed,
  onClose,
}: {
  readonly run: Run;
  readonly changed: number;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const queries = useQueryClient();
  const isPartly = run.commits.length > 0;
  return (
    <ConfirmDialog
      title={`Discard “${runName(run)}”`}
      confirm={changed === 0 ? 'Discard run' : `Discard ${plural(changed, 'change')}`}
      danger
      onConfirm={async () => {
        await client.runs.discard(run.workspaceId, run.runId);
        await queries.invalidateQueries({ queryKey: runsKey(run.workspaceId) });
        announce(`Discarded ${runName(run)}.`);
      }}
      onClose={onClose}
    >
      <p>
        {changed === 0
          ? 'The run has no changes.'
          : 'The staged changes are deleted and cannot be restored. The workspace does not change.'}
      </p>
      {isPartly ? <p>What was committed before stays committed, and can be undone.</p> : null}
    </ConfirmDialog>
  );
}
