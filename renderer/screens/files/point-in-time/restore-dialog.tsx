// Restores a folder or a file as of a point in time, after a preview.
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { describeError, useDisabledReason, useServices } from '../../../api/services.ts';
import { fullTime } from '../../../model/format.ts';
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx';
import { PathText } from '../../../parts/feedback/path-text.tsx';
import type { RestoreResult } from './as-of-controls.tsx';
import { changedFilesText, RestorePreview } from './restore-preview.tsx';
import { useRestorePreview } from './use-restore-preview.ts';

export function RestoreDialog({
  workspaceId,
  path,
  atMs,
  onRestored,
  onClose,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly atMs: number;
  readonly onRestored: (result: RestoreResult) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const offline = useDisabledReason();
  const at = new Date(atMs);
  const preview = useRestorePreview(workspaceId, path, atMs);
  const restore = useMutation({
    mutationFn: async () => await client.history.restore(workspaceId, { path, at }),
    onSuccess: (restored) =>
      onRestored({
        text: `Restored ${changedFilesText(restored)} of ${path} as of ${fullTime(atMs)}.`,
        undo: restored.batch ?? null,
      }),
  });
  const { data } = preview;
  const changes = data === undefined ? 0 : data.created + data.updated + data.deleted;
  const error = restore.error ?? preview.error;
  const notReady = data === undefined ? 'Calculating changes…' : changes === 0 ? 'No changes needed.' : null;
  return (
    <FormDialog
      title={`Restore as of ${fullTime(atMs)}`}
      submit={data === undefined || changes === 0 ? 'Restore' : `Restore ${changedFilesText(data)}`}
      disabledReason={offline ?? (restore.isPending ? 'Working…' : notReady)}
      error={error === null ? null : describeError(error)}
      wide
      onSubmit={() => restore.mutate()}
      onClose={onClose}
    >
      <p>
        <PathText path={path} />
      </p>
      {data !== undefined && changes > 0 ? (
        <RestorePreview preview={data} />
      ) : data !== undefined ? (
        <p className="soft">No changes needed.</p>
      ) : preview.isFetching ? (
        <p className="faint">Calculating changes…</p>
      ) : null}
    </FormDialog>
  );
}
