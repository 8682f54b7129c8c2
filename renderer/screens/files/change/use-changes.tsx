// What can be changed in Files: new file, upload, move, delete. A deletion and a move can be undone.
import { type ReactElement, useState } from 'react';
import { PreconditionFailedError, RevisionConflictError } from '../../../../sdk/index.ts';
import type { TreeEntry } from '../../../../server/contract/files.ts';
import { type ChangedEntry, deleteEntries, type Move, moveEntries } from '../../../api/change-files.ts';
import { fileCurl, fileLink } from '../../../api/file-links.ts';
import { describeError, useServices } from '../../../api/services.ts';
import { useRoleReason } from '../../../api/viewer.ts';
import type { FilesLocation } from '../../../location/app-location.ts';
import { nameOf, parentOf } from '../../../model/files/path.ts';
import { plural } from '../../../model/format.ts';
import { copyText } from '../../../parts/buttons/copy.tsx';
import type { RowAction } from '../../../parts/buttons/row-menu.tsx';
import { announce, announceFailure, offerUndo, withUndo } from '../../../parts/feedback/answers.ts';
import type { FilesNavigation } from '../navigation.ts';
import { askedFrom, DeleteDialog } from './delete-dialog.tsx';
import { DeletedFiles } from './deleted-files.tsx';
import { PathDialog } from './path-dialog.tsx';

type Asking =
  | { readonly kind: 'new' }
  | { readonly kind: 'new folder' }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'move'; readonly entry: ChangedEntry }
  | { readonly kind: 'move into'; readonly entries: readonly ChangedEntry[] }
  | { readonly kind: 'delete'; readonly entries: readonly ChangedEntry[] };

export interface FileChanges {
  /** Why nothing can be changed; null: it can. */
  readonly disabledReason: string | null;
  readonly newFile: () => void;
  readonly newFolder: () => void;
  /** Lists the files that were deleted lately. */
  readonly showDeleted: () => void;
  /** Into a folder, under the same names, as one change. */
  readonly moveInto: (entries: readonly ChangedEntry[], folder: string) => void;
  /** Asks for the path of one, for the folder of several. */
  readonly move: (entries: readonly ChangedEntry[]) => void;
  /** Asks where a folder or many files are among them. */
  readonly remove: (entries: readonly ChangedEntry[]) => void;
  /** The actions of a row. */
  readonly actionsOf: (entry: TreeEntry) => readonly RowAction[];
  /** The open dialog. */
  readonly dialog: ReactElement | null;
}

export function useFileChanges(
  workspaceId: string,
  location: FilesLocation,
  { go }: FilesNavigation,
  /** After entries were moved or deleted. */
  onChanged: () => void,
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
  const isOpen = (entries: readonly ChangedEntry[]): boolean =>
    entries.some(({ path }) => path === location.file);
  const deleted = (entries: readonly ChangedEntry[]): Promise<void> =>
    withUndo(async () => {
      const restore = await deleteEntries(client, workspaceId, entries);
      onChanged();
      if (isOpen(entries)) go(location.folder, 'dir', { filter: location.filter }, true);
      offerUndo(`Deleted ${namesOf(entries)}.`, async () => {
        await restore();
        const [only] = entries;
        if (entries.length === 1 && only?.type === 'file') go(only.path, 'file', {}, true);
      });
    });
  const remove = (entries: readonly ChangedEntry[]): void => {
    if (entries.length === 0) return;
    const asks = entries.length > askedFrom || entries.some(({ type }) => type === 'dir');
    if (asks) ask({ kind: 'delete', entries });
    else if (disabledReason !== null) announce(disabledReason);
    else
      deleted(entries).catch((error: unknown) => announceFailure(`Delete failed. ${describeError(error)}`));
  };
  const move = (entries: readonly ChangedEntry[]): void => {
    const [entry] = entries;
    if (entries.length > 1) ask({ kind: 'move into', entries });
    else if (entry !== undefined) ask({ kind: 'move', entry });
  };
  const moved = (moves: readonly Move[], place: string): Promise<void> =>
    withUndo(async () => {
      const paths = await moveEntries(client, workspaceId, moves);
      onChanged();
      offerUndo(`Moved ${namesOf(moves.map(({ entry }) => entry))} to ${place}.`, async () => {
        const back = moves.map(({ entry: { path, type }, to }) => ({ entry: { path: to, type }, to: path }));
        await moveEntries(client, workspaceId, back, (path) => paths.has(path));
        const [only] = moves;
        if (moves.length === 1 && only !== undefined) go(only.entry.path, only.entry.type, {}, true);
      });
    });
  const movedInto = async (entries: readonly ChangedEntry[], folder: string): Promise<void> => {
    const moves = movesInto(entries, folder);
    await moved(moves, moves.length === 1 ? (moves[0]?.to ?? folder) : folder);
    const [only] = moves;
    if (!isOpen(entries) || only === undefined) return;
    // One file stays open where it is now; of several, the folder that they have left.
    if (moves.length === 1) go(only.to, 'file', {}, true);
    else go(location.folder, 'dir', { filter: location.filter }, true);
  };
  const moveInto = (entries: readonly ChangedEntry[], folder: string): void => {
    if (disabledReason !== null) announce(disabledReason);
    else
      movedInto(entries, folder).catch((error: unknown) =>
        announceFailure(`Move of ${namesOf(entries)} failed. ${moveFailure(error, folder)}`),
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
          onMove={(entry, to) => refusedMove(moved([{ entry, to }], to), parentOf(to))}
          onMoveInto={(entries, folder) => refusedMove(movedInto(entries, folder), folder)}
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
  onMoveInto,
  onDelete,
  onClose,
}: {
  readonly workspaceId: string;
  readonly asking: Asking;
  /** The open folder. */
  readonly folder: string;
  readonly go: FilesNavigation['go'];
  readonly onMove: (entry: ChangedEntry, to: string) => Promise<void>;
  readonly onMoveInto: (entries: readonly ChangedEntry[], folder: string) => Promise<void>;
  readonly onDelete: (entries: readonly ChangedEntry[]) => Promise<void>;
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
    case 'move into':
      return (
        <PathDialog
          title={`Move ${namesOf(asking.entries)}`}
          submit="Move"
          path={folder}
          ofFolder
          hint="Missing folders are created. All are moved as one change, or none."
          onSubmit={(to) => onMoveInto(asking.entries, to)}
          onClose={onClose}
        />
      );
    case 'delete':
      return (
        <DeleteDialog
          workspaceId={workspaceId}
          entries={asking.entries}
          onDelete={onDelete}
          onClose={onClose}
        />
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

/** The path of one, the number of several. */
function namesOf(entries: readonly ChangedEntry[]): string {
  return entries.length === 1 ? (entries[0]?.path ?? '') : plural(entries.length, 'entry', 'entries');
}

function movesInto(entries: readonly ChangedEntry[], folder: string): readonly Move[] {
  const target = folder.replace(/\/$/, '');
  return entries.map((entry) => ({ entry, to: `${target}/${nameOf(entry.path)}` }));
}

function moveFailure(error: unknown, folder: string): string {
  const isTaken = error instanceof RevisionConflictError || error instanceof PreconditionFailedError;
  return isTaken
    ? `A file with the same name exists in ${folder}: rename one of them.`
    : describeError(error);
}

/** For a dialog, which shows the message of an error. */
async function refusedMove(move: Promise<void>, folder: string): Promise<void> {
  try {
    await move;
  } catch (error) {
    throw new Error(moveFailure(error, folder), { cause: error });
  }
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
    { text: 'Rename or move…', icon: 'edit', shortcut: 'F2', disabledReason, run: () => move([entry]) },
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
      run: () => remove([entry]),
    },
  ];
}
