// Creates a mirror, and a workspace for it unless one is given. Errors are shown at their fields.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { CloudFolderError } from '../../../sdk/index.ts';
import type { Mirror, Workspace } from '../../../server/contract/workspaces.ts';
import { describeError, useDisabledReason, useServices, useStatus } from '../../api/services.ts';
import { dirName } from '../../model/files/path.ts';
import { plural } from '../../model/format.ts';
import { modeName } from '../../model/mirror/mirror-view.ts';
import { SegmentsField } from '../buttons/segments.tsx';
import { announce } from '../feedback/answers.ts';
import { SelectField } from '../fields/choice-menu.tsx';
import { TextField } from '../fields/field.tsx';
import { FolderField } from '../fields/folder-field.tsx';
import { dirProblem } from '../fields/folder-input.tsx';
import { FormDialog } from './form-dialog.tsx';

const modes: readonly Mirror['mode'][] = ['two-way', 'to-folder', 'to-workspace'];
const modeHints: Readonly<Record<Mirror['mode'], string>> = {
  'two-way': 'Changes sync in both directions.',
  'to-folder': 'The folder is a read-only copy of the workspace. Changes in the folder are not uploaded.',
  'to-workspace': 'The workspace is a copy of the folder. Mooring never writes to the folder.',
};

export function MirrorDialog({
  workspace,
  onClose,
}: {
  /** The workspace to mirror; null: a new one is created. */
  readonly workspace: Workspace | null;
  readonly onClose: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const [dir, setDir] = useState('');
  const [typedName, setTypedName] = useState<string | null>(null);
  const [chosenId, setChosenId] = useState('');
  const workspaces = useStatus()?.workspaces ?? [];
  const chosen = workspace ?? workspaces.find((each) => each.workspaceId === chosenId) ?? null;
  const [mode, setMode] = useState<Mirror['mode']>('two-way');
  const [tried, setTried] = useState(false);
  const name = (typedName ?? dirName(dir)).trim();
  const { mutation, cancel } = useCreateMirror({ workspace: chosen, name, dir: dir.trim(), mode, onClose });
  // A cloud folder needs a confirmation, once per path.
  const isCloudFolder = mutation.error instanceof CloudFolderError;
  const dirError = tried ? dirProblem(dir.trim()) : null;
  const nameError = tried && name === '' && chosen === null ? 'Enter a name.' : null;
  const submit = (): void => {
    setTried(true);
    const ready = dirProblem(dir.trim()) === null && (chosen !== null || name !== '');
    if (ready) mutation.mutate(isCloudFolder);
  };
  return (
    <FormDialog
      title={workspace === null ? 'Mirror a folder' : `Mirror ${workspace.name} to a folder`}
      submit={isCloudFolder ? 'Mirror anyway' : 'Mirror folder'}
      disabledReason={disabledReason ?? (mutation.isPending ? 'Checking the folder…' : null)}
      onSubmit={submit}
      onClose={cancel}
    >
      <FolderField
        dir={dir}
        error={dirError ?? (mutation.isError ? describeError(mutation.error) : null)}
        hidesCloud={isCloudFolder}
        onChange={(next) => {
          setDir(next);
          mutation.reset();
        }}
      />
      {workspace === null && workspaces.length > 0 ? (
        <SelectField
          label="Workspace"
          hint={chosen === null ? 'For the files of this folder only.' : existingHint(chosen)}
          value={chosen?.workspaceId ?? ''}
          options={[
            { value: '', text: 'A new workspace' },
            ...workspaces.map(({ workspaceId, name: text }) => ({ value: workspaceId, text })),
          ]}
          onChange={(workspaceId) => {
            setChosenId(workspaceId);
            mutation.reset();
          }}
        />
      ) : null}
      {chosen === null ? (
        <TextField
          label="Workspace name"
          hint="Shown here and in the CLI."
          error={nameError}
          value={typedName ?? dirName(dir)}
          maxLength={200}
          onChange={setTypedName}
        />
      ) : null}
      <SegmentsField
        label="Direction"
        hint={modeHints[mode]}
        options={modes.map((each) => ({ value: each, text: modeName(each) }))}
        value={mode}
        onChange={setMode}
      />
    </FormDialog>
  );
}

function existingHint({ files }: Workspace): string {
  return files === 0
    ? 'It has no files yet.'
    : `The folder also gets its ${plural(files, 'file')}; the first sync deletes nothing on either side.`;
}

interface CreateMirrorOptions {
  readonly workspace: Workspace | null;
  readonly name: string;
  readonly dir: string;
  readonly mode: Mirror['mode'];
  readonly onClose: () => void;
}

/** Creates the mirror, and its workspace if none is given. `cancel` deletes a created workspace without a mirror. */
function useCreateMirror({ workspace, name, dir, mode, onClose }: CreateMirrorOptions) {
  const { client, link } = useServices();
  // Created before the agent rejected the folder: the next attempt uses it, closing the dialog deletes it.
  const [created, setCreated] = useState<Workspace | null>(null);

  const mutation = useMutation({
    mutationFn: async (acceptCloudFolder: boolean) => {
      // `~` is resolved by the agent, which knows the home; a folder that it refuses leaves no workspace behind.
      const found = await client.mirrors.lookAt(dir);
      if (found.refusal !== null) throw new Error(found.refusal);
      const root = found.dir ?? dir;
      let target = workspace ?? created;
      if (target === null) {
        target = await client.workspaces.create({ name });
        setCreated(target);
      } else if (target === created && target.name !== name) {
        target = await client.workspaces.rename(target.workspaceId, name);
        setCreated(target);
      }
      return await client.mirrors.add(target.workspaceId, root, { mode, acceptCloudFolder });
    },
    onSuccess: () => {
      announce(`Mirror of ${dir} created.`);
      onClose();
    },
    onSettled: () => link.tryNow(),
  });
  const deleteCreated = useMutation({
    mutationFn: async (workspaceId: string) => await client.workspaces.remove(workspaceId),
    onSettled: () => link.tryNow(),
  });
  const cancel = (): void => {
    if (created !== null) deleteCreated.mutate(created.workspaceId);
    onClose();
  };
  return { mutation, cancel };
}
