// What can be changed in Files: new file, upload, move, delete. A deletion and a move can be undone.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { PreconditionFailedError, RevisionConflictError } from '../../../../sdk/index.ts';
import type { TreeEntry } from '../../../../server/contract/files.ts';
import { type ChangedEntry, countFiles, deleteEntry, moveEntry } from '../../../api/change-files.ts';
import { fileCurl, fileLink } from '../../../api/file-links.ts';
import { describeError, useServices } from '../../../api/services.ts';
import { useRoleReason } from '../../../api/viewer.ts';
import type { FilesLocation } from '../../../location/app-location.ts';
import { nameOf } from '../../../model/files/path.ts';
import { count, plural } from '../../../model/format.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { copyText } from '../../../parts/buttons/copy.tsx';
import type { RowAction } from '../../../parts/buttons/row-menu.tsx';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { DialogBody } from '../../../parts/dialogs/dialog-body.tsx';
import { announce, announceFailure, offerUndo, withUndo } from '../../../parts/feedback/answers.ts';
import type { FilesNavigation } from '../navigation.ts';
import { DeletedFiles } from './deleted-files.tsx';
import { PathDialog } from './path-dialog.tsx';

type Asking =
  | { readonly kind: 'new' }
  | { readonly kind: 'new folder' }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'move'; readonly entry: ChangedEntry }
  | { readonly kind: 'delete'; readonly entry: ChangedEntry };

export interface FileChanges {
  /** Why nothing can be changed; null: it can. */
  readonly disabledReason: string | null;
  readonly newFile: () => void;
  readonly newFolder: () => void;
  /** Lists the files that were deleted lately. */
  readonly showDeleted: () => void;
  /** Into a folder, under the same name. */
  readonly moveInto: (entry: ChangedEntry, folder: string) => void;
  readonly move: (entry: ChangedEntry) => void;
  readonly remove: (entry: ChangedEntry) => void;
  /** The actions of a row. */
  readonly actionsOf: (entry: TreeEntry) => readonly RowAction[];
  /** The open dialog. */
  readonly dialog: ReactElement | null;
}

export function useFileChanges(
  workspaceId: string,
  location: FilesLocation,
  { go }: FilesNavigation,
): FileChanges {
  const { client } = useServices();
  const offline = useRoleReason(workspaceId, 'editor');
  const [asking, setAsking] = useState<Asking | null>(null);
  const disabledReason = location.atMs === null ? offline : 'Read-only: go back to now first.';
  const close = (): void => setAsking(null);
  const ask = (next: Asking): void => {
    if (disabledReason === null) setAsking(next);
    else announce(disabledReason);
  };
  const deleted = (entry: ChangedEntry): Promise<void> =>
    withUndo(async () => {
      const restore = await deleteEntry(client, workspaceId, entry);
      if (entry.path === location.file) go(location.folder, 'dir', { filter: location.filter }, true);
      offerUndo(`Deleted ${entry.path}.`, async () => {
        await restore();
        if (entry.type === 'file') go(entry.path, 'file', {}, true);
      });
    });
  const remove = (entry: ChangedEntry): void => {
    if (entry.type === 'dir') ask({ kind: 'delete', entry });
    else if (disabledReason !== null) announce(disabledReason);
    else deleted(entry).catch((error: unknown) => announceFailure(`Delete failed. ${describeError(error)}`));
  };
  const move = (entry: ChangedEntry): void => ask({ kind: 'move', entry });
  const moved = (entry: ChangedEntry, to: string): Promise<void> =>
    withUndo(async () => {
      const { path, type } = entry;
      await moveEntry(client, workspaceId, entry, to);
      offerUndo(`Moved ${path} to ${to}.`, async () => {
        await moveEntry(client, workspaceId, { path: to, type }, path);
        go(path, type, {}, true);
      });
    });
  const moveInto = (entry: ChangedEntry, folder: string): void => {
    const to = `${folder === '/' ? '' : folder}/${nameOf(entry.path)}`;
    if (disabledReason !== null) announce(disabledReason);
    else
      moved(entry, to).then(
        // The open file stays open where it is now.
        () => entry.path === location.file && go(to, 'file', {}, true),
        (error: unknown) => announceFailure(`${entry.path} was not moved. ${moveFailure(error, to)}`),
      );
  };
  return {
    disabledReason,
    newFile: () => ask({ kind: 'new' }),
    newFolder: () => ask({ kind: 'new folder' }),
    showDeleted: () => setAsking({ kind: 'deleted' }),
    moveInto,
    move,
    remove,
    actionsOf: (entry) => actionsOf(workspaceId, entry, { disabledReason, move, remove, go }),
    dialog:
      asking === null ? null : (
        <ChangeDialog
          workspaceId={workspaceId}
          asking={asking}
          folder={location.folder}
          go={go}
          onMove={moved}
          onDelete={deleted}
          onClose={close}
        />
      ),
  };
}

/** The dialog of a change, or the list of deleted files. */
function ChangeDialog({
  workspaceId,
  asking,
  folder,
  go,
  onMove,
  onDelete,
  onClose,
}: {
  readonly workspaceId: string;
  readonly asking: Asking;
  /** The open folder. */
  readonly folder: string;
  readonly go: FilesNavigation['go'];
  readonly onMove: (entry: ChangedEntry, to: string) => Promise<void>;
  readonly onDelete: (entry: ChangedEntry) => Promise<void>;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const here = folder === '/' ? '/' : `${folder}/`;
  switch (asking.kind) {
    case 'new':
      return (
        <PathDialog
          title="New file"
          submit="Create file"
          path={here}
          hint="Missing folders are created."
          onSubmit={async (path) => {
            await client.writeFile(workspaceId, path, '', { ifMatch: '0' });
            go(path, 'file', { view: 'content' });
          }}
          onClose={onClose}
        />
      );
    case 'new folder':
      return (
        <PathDialog
          title="New folder"
          submit="Open folder"
          path={here}
          hint="A folder is stored with its first file: create one in it, or drop files on it."
          onSubmit={async (path) => go(path, 'dir')}
          onClose={onClose}
        />
      );
    case 'move':
      return (
        <PathDialog
          title={`Rename or move ${nameOf(asking.entry.path)}`}
          submit="Move"
          path={asking.entry.path}
          hint="Missing folders are created. Earlier revisions stay in the history of the old path."
          onSubmit={async (to) => {
            await onMove(asking.entry, to);
            go(to, asking.entry.type);
          }}
          onClose={onClose}
        />
      );
    case 'delete':
      return (
        <DeleteFolder workspaceId={workspaceId} entry={asking.entry} onDelete={onDelete} onClose={onClose} />
      );
    case 'deleted':
      return (
        <DeletedFiles
          workspaceId={workspaceId}
          onOpen={(path) => {
            onClose();
            go(path, 'file', { view: 'content' });
          }}
          onClose={onClose}
        />
      );
  }
}

function moveFailure(error: unknown, to: string): string {
  const isTaken = error instanceof RevisionConflictError || error instanceof PreconditionFailedError;
  return isTaken ? `${to} exists already. Use F2 to give it another name.` : describeError(error);
}

function actionsOf(
  workspaceId: string,
  entry: TreeEntry,
  {
    disabledReason,
    move,
    remove,
    go,
  }: Pick<FileChanges, 'disabledReason' | 'move' | 'remove'> & Pick<FilesNavigation, 'go'>,
): readonly RowAction[] {
  const { path, type } = entry;
  return [
    { text: 'Open', icon: type === 'dir' ? 'folder' : 'file', run: () => go(path, type) },
    { text: 'Rename or move…', icon: 'edit', shortcut: 'F2', disabledReason, run: () => move(entry) },
    { text: 'Copy path', icon: 'copy', shortcut: 'C', run: () => void copyText(path, 'the path') },
    {
      text: 'Copy link',
      icon: 'copy',
      run: () => void copyText(fileLink(workspaceId, path, type), 'the link'),
    },
    ...(type === 'dir'
      ? []
      : [
          {
            text: 'Copy as curl',
            icon: 'copy' as const,
            run: () => void copyText(fileCurl(workspaceId, path), 'the command'),
          },
        ]),
    {
      text: type === 'dir' ? 'Delete folder…' : 'Delete',
      icon: 'deleted',
      shortcut: 'Del',
      disabledReason,
      run: () => remove(entry),
    },
  ];
}

/** Above it the number is typed. */
const typedFrom = 50;

function DeleteFolder({
  workspaceId,
  entry,
  onDelete,
  onClose,
}: {
  readonly workspaceId: string;
  readonly entry: ChangedEntry;
  readonly onDelete: (entry: ChangedEntry) => Promise<void>;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const counted = useQuery({
    queryKey: ['files-below', workspaceId, entry.path],
    queryFn: async () => await countFiles(client, workspaceId, entry),
    staleTime: 0,
    gcTime: 0,
  });
  const files = counted.data;
  if (files === undefined)
    return (
      <Dialog title={`Delete ${entry.path}`} onClose={onClose}>
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
      title={`Delete ${entry.path}`}
      confirm={`Delete ${plural(files, 'file')}`}
      typed={files > typedFrom ? `delete ${count(files)}` : null}
      danger
      onConfirm={async () => await onDelete(entry)}
      onClose={onClose}
    >
      <p>
        {plural(files, 'file')} in this folder {files === 1 ? 'is' : 'are'} deleted as one change. You can
        undo it, and history keeps the contents.
      </p>
    </ConfirmDialog>
  );
}
