// Asks before a folder or many files are deleted, with their number.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { type ChangedEntry, countFiles } from '../../../api/change-files.ts';
import { describeError, useServices } from '../../../api/services.ts';
import { count, plural } from '../../../model/format.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { DialogBody } from '../../../parts/dialogs/dialog-body.tsx';

/** Files up to this number are deleted without a dialog; above it the number is typed. */
export const askedFrom = 50;

export function DeleteDialog({
  workspaceId,
  entries,
  onDelete,
  onClose,
}: {
  readonly workspaceId: string;
  readonly entries: readonly ChangedEntry[];
  readonly onDelete: (entries: readonly ChangedEntry[]) => Promise<void>;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const paths = entries.map(({ path }) => path);
  const counted = useQuery({
    queryKey: ['files-below', workspaceId, paths],
    queryFn: async () => await countFiles(client, workspaceId, entries),
    gcTime: 0,
  });
  const files = counted.data;
  const isOne = entries.length === 1;
  const title = `Delete ${isOne ? paths[0] : plural(entries.length, 'entry', 'entries')}`;
  if (files === undefined)
    return (
      <Dialog title={title} onClose={onClose}>
        <DialogBody
          error={counted.isError ? describeError(counted.error) : null}
          actions={<Button onClick={onClose}>Cancel</Button>}
        >
          {counted.isError ? null : <p className="faint">Counting files…</p>}
        </DialogBody>
      </Dialog>
    );
  return (
    <ConfirmDialog
      title={title}
      confirm={`Delete ${plural(files, 'file')}`}
      typed={files > askedFrom ? `delete ${count(files)}` : null}
      danger
      onConfirm={async () => await onDelete(entries)}
      onClose={onClose}
    >
      <p>
        {plural(files, 'file')} {isOne ? 'in this folder' : 'of these entries'} {files === 1 ? 'is' : 'are'}{' '}
        deleted as one change. You can undo it, and history keeps the contents.
      </p>
    </ConfirmDialog>
  );
}
