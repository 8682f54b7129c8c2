// What can be done with an ended run: undo its commits as one change, after a preview of what that changes.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { type Run, RunConflictError, type RunUndone } from '../../../sdk/index.ts';
import { runsKey } from '../../api/runs.ts';
import { describeError, useServices } from '../../api/services.ts';
import { useRoleReason } from '../../api/viewer.ts';
import { useKeys } from '../../keys.ts';
import { plural } from '../../model/format.ts';
import type { RunChange } from '../../model/runs/run-changes.ts';
import { canUndo, runName, undoText } from '../../model/runs/run-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { ConflictsDialog, type RunDecision } from './conflicts-dialog.tsx';

export function EndedRunFoot({
  run,
  changes,
}: {
  readonly run: Run;
  readonly changes: readonly RunChange[];
}): ReactElement {
  const disabledReason = useRoleReason(run.workspaceId, 'editor');
  const [isUndoing, setUndoing] = useState(false);
  const isPossible = canUndo(run);
  const begin = (): void => {
    if (isPossible && disabledReason === null) setUndoing(true);
  };
  useKeys({ u: begin });
  if (!isPossible) return <div className="detail-foot hint">{endHints[run.state] ?? ''}</div>;
  return (
    <>
      <div className="detail-foot">
        <Button icon="undo" shortcut="U" disabledReason={disabledReason} onClick={begin}>
          Undo run…
        </Button>
        <span className="hint end when-wide">
          Takes back its changes as one change. Later edits of other lines are kept.
        </span>
      </div>
      {isUndoing ? <UndoRun run={run} changes={changes} onClose={() => setUndoing(false)} /> : null}
    </>
  );
}

const endHints: Partial<Record<Run['state'], string>> = {
  undone: 'The run is undone. To bring its changes back, revert the undo in History.',
  discarded: 'The run changed nothing.',
  expired: 'The run changed nothing.',
};

/** The preview, or the conflicts that need a decision first. */
function UndoRun({
  run,
  changes,
  onClose,
}: {
  readonly run: Run;
  readonly changes: readonly RunChange[];
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const queries = useQueryClient();
  const { workspaceId, runId } = run;
  const preview = useQuery({
    queryKey: [...runsKey(workspaceId), runId, 'undo'],
    queryFn: async ({ signal }) => await client.runs.undo(workspaceId, runId, { dryRun: true }, { signal }),
    gcTime: 0,
  });
  const undo = useMutation({
    mutationFn: async (decisions: readonly RunDecision[]) =>
      await client.runs.undo(workspaceId, runId, decisions.length === 0 ? {} : { decisions: [...decisions] }),
    onSuccess: (result) => {
      announce(`Undone ${runName(run)}: ${undoText(result)}.`);
      onClose();
    },
    onSettled: async () => await queries.invalidateQueries({ queryKey: runsKey(workspaceId) }),
  });
  const conflicts = [undo.error, preview.error].find((error) => error instanceof RunConflictError);
  if (conflicts !== undefined)
    return (
      <ConflictsDialog
        title={`Resolve ${plural(conflicts.conflicts.length, 'conflict')} to undo`}
        about="Nothing was changed yet. These files were edited after the run and cannot be merged."
        labels={{ run: 'Before the run', workspace: 'Current version' }}
        confirm="Undo run"
        conflicts={conflicts.conflicts}
        changes={changes}
        run={run}
        onDecided={(decisions) => undo.mutate(decisions)}
        onClose={onClose}
      />
    );
  return (
    <ConfirmDialog
      title={`Undo “${runName(run)}”`}
      confirm="Undo run"
      onConfirm={async () => void (await undo.mutateAsync([]))}
      onClose={onClose}
    >
      {preview.data !== undefined ? (
        <UndoPreview preview={preview.data} />
      ) : preview.isError ? (
        <p className="hint bad">{describeError(preview.error)}</p>
      ) : (
        <p className="faint">Calculating changes…</p>
      )}
    </ConfirmDialog>
  );
}

/** Paths of the preview; further ones are counted. */
const shownPathsMax = 8;

function UndoPreview({ preview }: { readonly preview: RunUndone }): ReactElement {
  const text = undoText(preview);
  return (
    <>
      <p>{text === '' ? 'Nothing is left to undo.' : `${text}, as one change.`}</p>
      <Paths title="Edited since and merged" paths={preview.mergedPaths} />
      <Paths title="Edited since and not changed" paths={preview.keptPaths} />
    </>
  );
}

function Paths({
  title,
  paths,
}: {
  readonly title: string;
  readonly paths: readonly string[];
}): ReactElement | null {
  if (paths.length === 0) return null;
  const more = paths.length - shownPathsMax;
  return (
    <section className="work-section">
      <h3>{title}</h3>
      <ul>
        {paths.slice(0, shownPathsMax).map((path) => (
          <li key={path}>
            <PathText path={path} />
          </li>
        ))}
      </ul>
      {more > 0 ? <p className="faint">{plural(more, 'more file')}</p> : null}
    </section>
  );
}
