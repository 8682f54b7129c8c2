// A folder and a name become a workspace and its mirror. A refusal of the agent stands at the field that it is about.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { CloudFolderError } from '../../../sdk/index.ts';
import type { Mirror, Workspace } from '../../../server/contract/workspaces.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { dirName } from '../../model/files/path.ts';
import { modeName } from '../../model/mirror/mirror-view.ts';
import { Segments } from '../buttons/segments.tsx';
import { announce } from '../feedback/announcer.tsx';
import { Field } from '../fields/field.tsx';
import { dirProblem, FolderInput } from '../fields/folder-input.tsx';
import { FormDialog } from './form-dialog.tsx';

const modes: readonly Mirror['mode'][] = ['two-way', 'to-folder', 'to-workspace'];
const modeHints: Readonly<Record<Mirror['mode'], string>> = {
  'two-way': 'Changes of either side reach the other.',
  'to-folder': 'The folder shows the workspace, read-only. Nothing in it changes the workspace.',
  'to-workspace': 'The workspace follows the folder. Nothing is ever written into the folder.',
};

export function MirrorDialog({
  workspace,
  onClose,
}: {
  /** The workspace that gets a folder; null: a new one is made. */
  readonly workspace: Workspace | null;
  readonly onClose: () => void;
}): ReactElement {
  const { client, link } = useServices();
  const disabledReason = useDisabledReason();
  const [dir, setDir] = useState('');
  const [typedName, setTypedName] = useState<string | null>(null);
  const [mode, setMode] = useState<Mirror['mode']>('two-way');
  const [tried, setTried] = useState(false);
  const name = (typedName ?? dirName(dir)).trim();
  // A workspace that was made before the folder was refused: the next attempt uses it, closing without one removes it.
  const [made, setMade] = useState<Workspace | null>(null);

  const mutation = useMutation({
    mutationFn: async (acceptCloudFolder: boolean) => {
      let target = workspace ?? made;
      if (target === null) {
        target = await client.workspaces.create({ name });
        setMade(target);
      } else if (target === made && target.name !== name) {
        target = await client.workspaces.rename(target.workspaceId, name);
        setMade(target);
      }
      return await client.mirrors.add(target.workspaceId, dir.trim(), { mode, acceptCloudFolder });
    },
    onSuccess: () => {
      announce(`${dir.trim()} is mirrored.`);
      onClose();
    },
    onSettled: () => link.tryNow(),
  });
  const giveUp = useMutation({
    mutationFn: async (workspaceId: string) => await client.workspaces.remove(workspaceId),
    onSettled: () => link.tryNow(),
  });
  const close = (): void => {
    if (made !== null) giveUp.mutate(made.workspaceId);
    onClose();
  };

  // Asked about once: the folder is another program's, too. Another path is asked about again.
  const isCloudFolder = mutation.error instanceof CloudFolderError;
  const dirError = tried ? dirProblem(dir.trim()) : null;
  const nameError = tried && name === '' && workspace === null ? 'A name is needed, to find it again.' : null;
  const submit = (): void => {
    setTried(true);
    const ready = dirProblem(dir.trim()) === null && (workspace !== null || name !== '');
    if (ready) mutation.mutate(isCloudFolder);
  };
  return (
    <FormDialog
      title={workspace === null ? 'Mirror a folder' : `Mirror ${workspace.name} to a folder`}
      submit={isCloudFolder ? 'Mirror it anyway' : 'Mirror the folder'}
      disabledReason={disabledReason ?? (mutation.isPending ? 'The agent is looking at the folder.' : null)}
      onSubmit={submit}
      onClose={close}
    >
      <Field
        label="Folder"
        hint="Its whole path on this computer. It is made if it is missing; nothing in it is deleted."
        error={dirError ?? (mutation.isError ? describeError(mutation.error) : null)}
      >
        {(wiring) => (
          <FolderInput
            wiring={wiring}
            dir={dir}
            onChange={(next) => {
              setDir(next);
              mutation.reset();
            }}
          />
        )}
      </Field>
      {workspace === null ? (
        <Field label="Name of the workspace" hint="What it is called here and in the CLI." error={nameError}>
          {(wiring) => (
            <input
              {...wiring}
              className="input"
              value={typedName ?? dirName(dir)}
              maxLength={200}
              autoComplete="off"
              onChange={(event) => setTypedName(event.target.value)}
            />
          )}
        </Field>
      ) : null}
      <div className="field">
        <span className="label" id="mirror-mode">
          Direction
        </span>
        <Segments
          labelledBy="mirror-mode"
          options={modes.map((each) => ({ value: each, text: modeName(each) }))}
          value={mode}
          onChange={(next: Mirror['mode']) => setMode(next)}
        />
        <p className="hint">{modeHints[mode]}</p>
      </div>
    </FormDialog>
  );
}
