// Confirms the revert of a whole request, with a preview.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { describeError, useServices } from '../../api/services.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { changedFilesText, RestorePreview } from './point-in-time/restore-preview.tsx';

export function RevertDialog({
  workspaceId,
  batch,
  actor,
  onClose,
  onReverted,
}: {
  readonly workspaceId: string;
  readonly batch: string;
  readonly actor: string;
  readonly onClose: () => void;
  readonly onReverted: (text: string) => void;
}): ReactElement {
  const { client } = useServices();
  const preview = useQuery({
    queryKey: ['revert-preview', workspaceId, batch],
    queryFn: async ({ signal }) =>
      await client.history.restore(workspaceId, { batch, ifChanged: 'keep', dryRun: true }, { signal }),
    gcTime: 0,
    staleTime: 0,
  });
  const revert = async (): Promise<void> => {
    const restored = await client.history.restore(workspaceId, { batch, ifChanged: 'keep' });
    onReverted(`Reverted ${changedFilesText(restored)} to the state before ${batch}.`);
  };
  return (
    <ConfirmDialog
      title={`Revert a request of ${actor}`}
      confirm={preview.data === undefined ? 'Revert' : `Revert ${changedFilesText(preview.data)}`}
      onConfirm={revert}
      onClose={onClose}
    >
      {preview.data !== undefined ? (
        <RestorePreview preview={preview.data} />
      ) : preview.isError ? (
        <p className="hint bad">{describeError(preview.error)}</p>
      ) : (
        <p className="faint">Calculating changes…</p>
      )}
    </ConfirmDialog>
  );
}
