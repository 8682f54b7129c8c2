// Adds a remote to a workspace, or to a new one. The agent connects once before it answers, so errors of address, token and workspace are
// shown here.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { describeError, useDisabledReason, useServices, useStatus } from '../../api/services.ts';
import {
  needsInsecureHttp,
  type RemoteForm,
  type RemoteFormProblems,
  remoteProblems,
} from '../../model/mirror/remote-view.ts';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { CheckLine } from '../../parts/fields/checkbox.tsx';
import { SelectField } from '../../parts/fields/choice-menu.tsx';
import { Field, TextField } from '../../parts/fields/field.tsx';

/** The option that creates a workspace. */
const newWorkspace = '';
const emptyForm: RemoteForm = {
  url: '',
  remoteWorkspaceId: '',
  tokenFile: '',
  path: '',
  ignoreRules: '',
  insecureHttp: false,
};

export function AddRemoteDialog({
  onAdded,
  onClose,
}: {
  readonly onAdded: (remoteId: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const status = useStatus();
  const taken = new Set((status?.remotes ?? []).map(({ workspaceId }) => workspaceId));
  const free = (status?.workspaces ?? []).filter(({ workspaceId }) => !taken.has(workspaceId));
  const [workspaceId, setWorkspaceId] = useState(newWorkspace);
  const [newName, setNewName] = useState('');
  const [form, setForm] = useState(emptyForm);
  const [isTried, setTried] = useState(false);
  const problems = remoteProblems(trimmed(form));
  const nameProblem = workspaceId === newWorkspace && newName.trim() === '' ? 'Enter a name.' : null;
  const { mutation, cancel } = useAddRemote({ workspaceId, newName: newName.trim(), onAdded, onClose });
  const submit = (): void => {
    setTried(true);
    if (nameProblem === null && Object.values(problems).every((each) => each === null))
      mutation.mutate(trimmed(form));
  };
  return (
    <FormDialog
      title="Add remote"
      submit="Add remote"
      disabledReason={disabledReason ?? (mutation.isPending ? 'Connecting…' : null)}
      error={mutation.isError ? describeError(mutation.error) : null}
      note="The first sync only adds files, on both sides."
      wide
      onSubmit={submit}
      onClose={() => !mutation.isPending && cancel()}
    >
      <SelectField
        label="Workspace"
        hint="The workspace on this computer. One with a remote cannot have another one."
        value={workspaceId}
        options={[
          { value: newWorkspace, text: 'New workspace' },
          ...free.map((each) => ({ value: each.workspaceId, text: each.name })),
        ]}
        onChange={setWorkspaceId}
      />
      {workspaceId === newWorkspace ? (
        <TextField
          label="Workspace name"
          hint="Shown here and in the CLI."
          error={isTried ? nameProblem : null}
          value={newName}
          maxLength={200}
          onChange={setNewName}
        />
      ) : null}
      <ServerFields form={form} problems={isTried ? problems : null} onChange={setForm} />
    </FormDialog>
  );
}

function ServerFields({
  form,
  problems,
  onChange,
}: {
  readonly form: RemoteForm;
  /** null: nothing was tried yet. */
  readonly problems: RemoteFormProblems | null;
  readonly onChange: (form: RemoteForm) => void;
}): ReactElement {
  const change = (part: Partial<RemoteForm>): void => onChange({ ...form, ...part });
  return (
    <>
      <TextField
        label="Server"
        hint="The address of the other server."
        error={problems?.url ?? null}
        className="input mono"
        value={form.url}
        placeholder="https://hub.example.com"
        spellCheck={false}
        onChange={(url) => change({ url })}
      />
      {needsInsecureHttp(form.url.trim()) ? (
        <div className="field">
          <CheckLine checked={form.insecureHttp} onChange={(insecureHttp) => change({ insecureHttp })}>
            Allow HTTP without encryption
          </CheckLine>
          {problems?.insecureHttp == null ? null : (
            <p className="hint bad" role="alert">
              {problems.insecureHttp}
            </p>
          )}
        </div>
      ) : null}
      <TextField
        label="Workspace ID on the server"
        hint="Optional: otherwise the workspace that the token is for."
        error={problems?.remoteWorkspaceId ?? null}
        className="input mono"
        value={form.remoteWorkspaceId}
        placeholder="rw_…"
        spellCheck={false}
        onChange={(remoteWorkspaceId) => change({ remoteWorkspaceId })}
      />
      <TextField
        label="Token file"
        hint="Absolute path of a file with a token of that workspace. Only you may have access to the file (chmod 600)."
        error={problems?.tokenFile ?? null}
        className="input mono"
        value={form.tokenFile}
        spellCheck={false}
        onChange={(tokenFile) => change({ tokenFile })}
      />
      <TextField
        label="Directory"
        hint="Optional: sync only this directory."
        error={problems?.path ?? null}
        className="input mono"
        value={form.path}
        placeholder="/"
        spellCheck={false}
        onChange={(path) => change({ path })}
      />
      <Field
        label="Ignore rules"
        hint="Optional: files that are not synced, in gitignore syntax, one rule a line."
      >
        {(wiring) => (
          <textarea
            {...wiring}
            className="input payload-field"
            rows={3}
            spellCheck={false}
            value={form.ignoreRules}
            onChange={(event) => change({ ignoreRules: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

function trimmed(form: RemoteForm): RemoteForm {
  return {
    url: form.url.trim(),
    remoteWorkspaceId: form.remoteWorkspaceId.trim(),
    tokenFile: form.tokenFile.trim(),
    path: form.path.trim(),
    ignoreRules: form.ignoreRules.trim(),
    insecureHttp: form.insecureHttp,
  };
}

/** Creates the workspace if none is given. `cancel` deletes a created workspace whose remote the agent refused. */
function useAddRemote({
  workspaceId,
  newName,
  onAdded,
  onClose,
}: {
  readonly workspaceId: string;
  readonly newName: string;
  readonly onAdded: (remoteId: string) => void;
  readonly onClose: () => void;
}) {
  const { client, link } = useServices();
  const [created, setCreated] = useState<Workspace | null>(null);
  const target = async (): Promise<string> => {
    if (workspaceId !== newWorkspace) return workspaceId;
    const workspace =
      created === null
        ? await client.workspaces.create({ name: newName })
        : created.name === newName
          ? created
          : await client.workspaces.rename(created.workspaceId, newName);
    setCreated(workspace);
    return workspace.workspaceId;
  };
  const mutation = useMutation({
    mutationFn: async ({ remoteWorkspaceId, path, ignoreRules, insecureHttp, ...form }: RemoteForm) =>
      await client.remotes.add(await target(), {
        ...form,
        ...(remoteWorkspaceId === '' ? {} : { remoteWorkspaceId }),
        ...(path === '' ? {} : { path }),
        ...(ignoreRules === '' ? {} : { ignoreRules }),
        ...(insecureHttp && needsInsecureHttp(form.url) ? { insecureHttp } : {}),
      }),
    onSuccess: ({ workspaceId: added, remoteId }) => {
      announce('Remote added. The first sync has begun.');
      if (created !== null && created.workspaceId !== added) remove.mutate(created.workspaceId);
      onAdded(remoteId);
      onClose();
    },
    onSettled: () => link.tryNow(),
  });
  const remove = useMutation({
    mutationFn: async (id: string) => await client.workspaces.remove(id),
    onSettled: () => link.tryNow(),
  });
  const cancel = (): void => {
    if (created !== null) remove.mutate(created.workspaceId);
    onClose();
  };
  return { mutation, cancel };
}
