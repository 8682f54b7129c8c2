// Asks before a whole request is taken back, and shows first what that would do.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { describeError, useServices } from '../../api/services.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { changedFilesText, RestorePreview } from './point-in-time/restore-preview.tsx';

export function RevertDialog({
  workspaceId,
  batch,
  who,
  onClose,
  onReverted,
}: {
  readonly workspaceId: string;
  readonly batch: string;
  readonly who: string;
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
    const done = await client.history.restore(workspaceId, { batch, ifChanged: 'keep' });
    onReverted(`${changedFilesText(done)} back as before ${batch}.`);
  };
  return (
    <ConfirmDialog
      title={`Revert what ${who} wrote in one batch`}
      confirm={preview.data === undefined ? 'Revert' : `Revert ${changedFilesText(preview.data)}`}
      onConfirm={revert}
      onClose={onClose}
    >
      {preview.data !== undefined ? (
        <RestorePreview preview={preview.data} />
      ) : preview.isError ? (
        <p className="hint bad">{describeError(preview.error)}</p>
      ) : (
        <p className="faint">Looking what that would change.</p>
      )}
    </ConfirmDialog>
  );
}
