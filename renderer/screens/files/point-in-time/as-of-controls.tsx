// The foot of a folder's list: opens the point-in-time dialog, and shows the last restore with its undo.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { describeError, useDisabledReason, useServices } from '../../../api/services.ts';
import { useRoleReason } from '../../../api/viewer.ts';
import { useKeys } from '../../../keys.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { announce, announceFailure } from '../../../parts/feedback/answers.ts';
import { PointInTimeDialog } from './point-in-time-dialog.tsx';

export interface RestoreResult {
  readonly text: string;
  /** The batch whose revert undoes the restore; null: undone, or nothing was changed. */
  readonly undo: string | null;
}

export function AsOfControls({
  workspaceId,
  folder,
  atMs,
  hasKeys,
  result,
  onResult,
  onChoose,
}: {
  readonly workspaceId: string;
  readonly folder: string;
  /** The point in time that is shown; null: now. */
  readonly atMs: number | null;
  /** false while a file is open, whose history has its own keys. */
  readonly hasKeys: boolean;
  readonly result: RestoreResult | null;
  readonly onResult: (result: RestoreResult) => void;
  readonly onChoose: (atMs: number | null) => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const [isChoosing, setChoosing] = useState(false);
  const { canUndo, isUndoing, undo } = useUndoRestore(workspaceId, result, onResult);
  useKeys(hasKeys && canUndo ? { 'mod+z': undo } : {});
  return (
    <span className="end row as-of-controls">
      {result === null ? null : (
        <span className="ellipsis" title={result.text}>
          {result.text}
        </span>
      )}
      {canUndo ? (
        <Button
          kind="ghost"
          {...(hasKeys ? { shortcut: 'Ctrl Z' } : {})}
          disabledReason={disabledReason ?? (isUndoing ? 'Working…' : null)}
          onClick={undo}
        >
          Undo
        </Button>
      ) : null}
      <Button kind="ghost" icon="history" disabledReason={disabledReason} onClick={() => setChoosing(true)}>
        As of…
      </Button>
      {isChoosing ? (
        <PointInTimeDialog
          workspaceId={workspaceId}
          folder={folder}
          atMs={atMs}
          onClose={() => setChoosing(false)}
          onChoose={(chosenMs) => {
            setChoosing(false);
            onChoose(chosenMs);
          }}
        />
      ) : null}
    </span>
  );
}

function useUndoRestore(
  workspaceId: string,
  result: RestoreResult | null,
  onResult: (result: RestoreResult) => void,
): { readonly canUndo: boolean; readonly isUndoing: boolean; readonly undo: () => void } {
  const { client } = useServices();
  const disabledReason = useRoleReason(workspaceId, 'editor');
  const batch = result?.undo ?? null;
  const report = (next: RestoreResult): void => {
    onResult(next);
    announce(next.text);
  };
  const { isPending, mutate } = useMutation({
    mutationFn: async (undone: string) => await client.history.restore(workspaceId, { batch: undone }),
    onSuccess: () => report({ text: 'Restore undone.', undo: null }),
    onError: (error) => {
      onResult({ text: describeError(error), undo: batch });
      announceFailure(describeError(error));
    },
  });
  return {
    canUndo: batch !== null,
    isUndoing: isPending,
    undo: () => {
      if (batch !== null && disabledReason === null && !isPending) mutate(batch);
    },
  };
}
