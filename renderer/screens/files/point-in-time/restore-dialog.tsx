// A folder or a file as it was at a moment is brought back: what that would do is shown first.
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Restored } from '../../../../server/contract/history.ts';
import { describeError, useDisabledReason, useServices } from '../../../api/services.ts';
import { fullTime } from '../../../model/format.ts';
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx';
import { PathText } from '../../../parts/feedback/path-text.tsx';
import type { RestoreResult } from './as-of-controls.tsx';
import { changedFilesText, RestorePreview } from './restore-preview.tsx';

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
  readonly onRestored: (done: RestoreResult) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const offline = useDisabledReason();
  const at = new Date(atMs);
  const preview = useQuery({
    queryKey: ['as-of-preview', workspaceId, path, atMs],
    queryFn: async ({ signal }) =>
      await client.history.restore(workspaceId, { path, at, dryRun: true }, { signal }),
    retry: false,
    gcTime: 0,
    staleTime: 0,
  });
  const restore = useMutation({
    mutationFn: async () => await client.history.restore(workspaceId, { path, at }),
    onSuccess: (restored) =>
      onRestored({
        text: `${changedFilesText(restored)} of ${path} as of ${fullTime(atMs)}.`,
        undo: restored.batch ?? null,
      }),
  });
  const { data } = preview;
  const different = data === undefined ? 0 : changedBy(data);
  const error = restore.error ?? preview.error;
  const notYet = data === undefined ? 'It was not looked at yet.' : null;
  const nothing = different === 0 ? 'Nothing was different then.' : null;
  return (
    <FormDialog
      title={`Restore as of ${fullTime(atMs)}`}
      submit={data === undefined || different === 0 ? 'Restore' : `Restore ${changedFilesText(data)}`}
      disabledReason={offline ?? (restore.isPending ? 'It is being done.' : (notYet ?? nothing))}
      error={error === null ? null : describeError(error)}
      note="What is there now stays in the history."
      wide
      onSubmit={() => restore.mutate()}
      onClose={onClose}
    >
      <p>
        <PathText path={path} />
      </p>
      {data !== undefined && different > 0 ? (
        <RestorePreview preview={data} />
      ) : data !== undefined ? (
        <p className="soft">Everything here is as it was then.</p>
      ) : preview.isFetching ? (
        <p className="faint">Looking what that would change.</p>
      ) : null}
    </FormDialog>
  );
}

function changedBy({ created, updated, deleted }: Restored): number {
  return created + updated + deleted;
}
