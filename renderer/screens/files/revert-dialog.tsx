// Asks before a whole request is taken back, and shows first what that would do.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Restored } from '../../../server/contract/history.ts';
import { describeError, useServices } from '../../api/services.ts';
import { counted } from '../../model/format.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { PathText } from '../../parts/path-text.tsx';

/** Files that are named; the number counts all. */
const namedMax = 20;

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
    onReverted(`${sumOf(done)} back as before ${batch}.`);
  };
  return (
    <ConfirmDialog
      title={`Revert what ${who} wrote in one batch`}
      confirm={preview.data === undefined ? 'Revert' : `Revert ${sumOf(preview.data)}`}
      onConfirm={revert}
      onClose={onClose}
    >
      {preview.data !== undefined ? (
        <Preview preview={preview.data} />
      ) : preview.isError ? (
        <p className="hint bad">{describeError(preview.error)}</p>
      ) : (
        <p className="faint">Looking what that would change.</p>
      )}
    </ConfirmDialog>
  );
}

function Preview({ preview }: { readonly preview: Restored }): ReactElement {
  const { created, updated, deleted, files, kept } = preview;
  return (
    <>
      <p>
        {updated} changed back, {created} brought back, {deleted} deleted. Nothing is lost: this is a new
        change.
      </p>
      <ul className="revert-files">
        {files.slice(0, namedMax).map((file) => (
          <li key={file.path}>
            <span className="faint">{file.action}</span> <PathText path={file.path} />
          </li>
        ))}
      </ul>
      {files.length > namedMax ? <p className="faint">And {files.length - namedMax} more.</p> : null}
      {kept.length > 0 ? (
        <p className="hint">
          {counted(kept.length, 'file')} changed since, and will stay: {kept.slice(0, 3).join(', ')}
        </p>
      ) : null}
    </>
  );
}

function sumOf({ created, updated, deleted }: Restored): string {
  return counted(created + updated + deleted, 'file');
}
