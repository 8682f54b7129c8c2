// Dialogs that create, rename or delete a workspace and remove a mirror.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Mirror, Workspace } from '../../../../server/contract/workspaces.ts';
import { describeError, useDisabledReason, useServices, useStatus } from '../../../api/services.ts';
import { plural } from '../../../model/format.ts';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx';
import { announce } from '../../../parts/feedback/answers.ts';
import { TextField } from '../../../parts/fields/field.tsx';

/** Deleting more files than this requires a typed confirmation. */
const filesUntyped = 50;
const nameCharactersMax = 200;

export function WorkspaceNameDialog({
  workspace,
  onClose,
}: {
  /** null: a new one. */
  readonly workspace: Workspace | null;
  readonly onClose: () => void;
}): ReactElement {
  const { client, link } = useServices();
  const disabledReason = useDisabledReason();
  const [name, setName] = useState(workspace?.name ?? '');
  const [tried, setTried] = useState(false);
  const mutation = useMutation({
    mutationFn: async (newName: string) =>
      workspace === null
        ? await client.workspaces.create({ name: newName })
        : await client.workspaces.rename(workspace.workspaceId, newName),
    onSuccess: (saved) => {
      announce(
        workspace === null ? `Workspace ${saved.name} created.` : `Workspace renamed to ${saved.name}.`,
      );
      onClose();
    },
    onSettled: () => link.tryNow(),
  });
  const trimmed = name.trim();
  const nameError = tried && trimmed === '' ? 'Enter a name.' : null;
  return (
    <FormDialog
      title={workspace === null ? 'New workspace' : `Rename ${workspace.name}`}
      submit={workspace === null ? 'Create workspace' : 'Rename'}
      disabledReason={disabledReason ?? (mutation.isPending ? 'Saving…' : null)}
      onSubmit={() => {
        setTried(true);
        if (trimmed !== '') mutation.mutate(trimmed);
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint={
          workspace === null
            ? 'You can mirror it to a folder later. Without a mirror it is available through the API only.'
            : 'Its id, URLs and tokens do not change.'
        }
        error={nameError ?? (mutation.isError ? describeError(mutation.error) : null)}
        value={name}
        maxLength={nameCharactersMax}
        onChange={setName}
      />
    </FormDialog>
  );
}

export function DeleteWorkspaceDialog({
  workspace,
  onClose,
}: {
  readonly workspace: Workspace;
  readonly onClose: () => void;
}): ReactElement {
  const { client, link } = useServices();
  const { name, workspaceId, files } = workspace;
  const dirs = (useStatus()?.mirrors ?? [])
    .filter((mirror) => mirror.workspaceId === workspaceId)
    .map((mirror) => mirror.dir);
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      confirm="Delete workspace"
      danger
      typed={files > filesUntyped ? `delete ${files}` : null}
      onConfirm={async () => {
        await client.workspaces.remove(workspaceId);
        announce(`Workspace ${name} deleted. It can be restored for 30 days.`);
        link.tryNow();
      }}
      onClose={onClose}
    >
      <p>
        {plural(files, 'file')} and their history can be restored for 30 days, under Deleted. Tokens and
        providers of this workspace stop immediately.
      </p>
      {dirs.length === 0 ? null : (
        <p>
          Syncing stops. No file is deleted in {dirs.length === 1 ? 'its folder' : 'its folders'}:{' '}
          <span className="mono">{dirs.join(', ')}</span>
        </p>
      )}
    </ConfirmDialog>
  );
}

export function RemoveMirrorDialog({
  name,
  mirror,
  onClose,
}: {
  readonly name: string;
  readonly mirror: Mirror;
  readonly onClose: () => void;
}): ReactElement {
  const { client, link } = useServices();
  return (
    <ConfirmDialog
      title={`Stop mirroring ${name}?`}
      confirm="Remove mirror"
      danger
      onConfirm={async () => {
        await client.mirrors.remove(mirror.workspaceId, mirror.mirrorId);
        announce('Mirror removed. Folder and workspace keep their files.');
        link.tryNow();
      }}
      onClose={onClose}
    >
      <p>
        Folder <span className="mono">{mirror.dir}</span> and workspace keep their{' '}
        {plural(mirror.files, 'file')}. Later changes are not synced.
      </p>
      {mirror.pendingLocal + mirror.pendingRemote === 0 ? null : (
        <p>{plural(mirror.pendingLocal + mirror.pendingRemote, 'pending change')} will not be synced.</p>
      )}
    </ConfirmDialog>
  );
}
