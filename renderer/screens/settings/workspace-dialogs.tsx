// A name for a workspace; and the two questions: deleting a workspace, removing a mirror. Both say what stays.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Mirror, Workspace } from '../../../server/contract/workspaces.ts';
import { describeError, useDisabledReason, useServices, useStatus } from '../../api/services.ts';
import { plural } from '../../model/format.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { announce } from '../../parts/feedback/announcer.tsx';
import { Field } from '../../parts/fields/field.tsx';

/** Deleting more files than this asks for words (DESIGN.md, section 5). */
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
    mutationFn: async (wanted: string) =>
      workspace === null
        ? await client.workspaces.create({ name: wanted })
        : await client.workspaces.rename(workspace.workspaceId, wanted),
    onSuccess: (made) => {
      announce(workspace === null ? `${made.name} is created.` : `It is called ${made.name} now.`);
      onClose();
    },
    onSettled: () => link.tryNow(),
  });
  const trimmed = name.trim();
  const nameError = tried && trimmed === '' ? 'A name is needed, to find it again.' : null;
  return (
    <FormDialog
      title={workspace === null ? 'New workspace' : `Rename ${workspace.name}`}
      submit={workspace === null ? 'Create workspace' : 'Rename'}
      disabledReason={disabledReason ?? (mutation.isPending ? 'It is being saved.' : null)}
      onSubmit={() => {
        setTried(true);
        if (trimmed !== '') mutation.mutate(trimmed);
      }}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint={
          workspace === null
            ? 'A folder can be added at once or later; without one only the API reaches it.'
            : 'The id stays, and so do addresses and tokens.'
        }
        error={nameError ?? (mutation.isError ? describeError(mutation.error) : null)}
      >
        {(wiring) => (
          <input
            {...wiring}
            className="input"
            value={name}
            maxLength={nameCharactersMax}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
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
        announce(`${name} is deleted. It can be restored for 30 days.`);
        link.tryNow();
      }}
      onClose={onClose}
    >
      <p>
        {plural(files, 'file')} with their history can be restored for 30 days, under Deleted. Tokens and
        providers of this workspace stop at once.
      </p>
      {dirs.length === 0 ? null : (
        <p>
          Mirroring ends. No file is deleted in {dirs.length === 1 ? 'its folder' : 'its folders'}:{' '}
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
        announce('The mirror is removed. Folder and workspace keep their files.');
        link.tryNow();
      }}
      onClose={onClose}
    >
      <p>
        <span className="mono">{mirror.dir}</span> keeps its {plural(mirror.files, 'file')}, and so does the
        workspace. From now on changes stay on their side.
      </p>
      {mirror.pendingLocal + mirror.pendingRemote === 0 ? null : (
        <p>
          {plural(mirror.pendingLocal + mirror.pendingRemote, 'change')} wait and will not be carried over.
        </p>
      )}
    </ConfirmDialog>
  );
}
