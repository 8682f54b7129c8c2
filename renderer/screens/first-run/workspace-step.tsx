// The second step: creates the workspace and its mirror. If the folder is rejected, the workspace is deleted.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { CloudFolderError } from '../../../sdk/index.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { rememberWorkspace } from '../../location/workspace-choice.ts';
import { dirName } from '../../model/files/path.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { TextField } from '../../parts/fields/field.tsx';
import type { FolderStepProps } from './steps.ts';

export function WorkspaceStep({ dir, onGo }: FolderStepProps): ReactElement {
  const disabledReason = useDisabledReason();
  const [name, setName] = useState(dirName(dir));
  const trimmed = name.trim();
  const mutation = useCreateWorkspace(trimmed, dir, (workspace) => onGo('token', { workspace, dir: '' }));
  // A cloud folder needs a confirmation.
  const isCloudFolder = mutation.error instanceof CloudFolderError;
  return (
    <form
      noValidate
      className="first-run-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (disabledReason === null && trimmed !== '' && !mutation.isPending) mutation.mutate(isCloudFolder);
      }}
    >
      <h1>Create a workspace</h1>
      <p className="soft">
        It contains the files of <span className="mono wrap-anywhere">{dir}</span> with their history.
        Programs read and write them here.
      </p>
      <TextField
        label="Workspace name"
        hint="Shown here and in the CLI."
        error={trimmed === '' ? 'Enter a name.' : mutation.isError ? describeError(mutation.error) : null}
        value={name}
        maxLength={200}
        onChange={(text) => {
          setName(text);
          mutation.reset();
        }}
      />
      <div className="row wrap">
        <Button
          kind="primary"
          type="submit"
          disabledReason={disabledReason ?? (mutation.isPending ? 'Checking the folder…' : null)}
        >
          {isCloudFolder ? 'Mirror anyway' : 'Create and mirror'}
        </Button>
        <Button kind="ghost" onClick={() => onGo('folder', { dir })}>
          Back
        </Button>
      </div>
    </form>
  );
}

/** Creates the workspace and its mirror. */
function useCreateWorkspace(name: string, dir: string, onCreated: (workspaceId: string) => void) {
  const { client, link } = useServices();
  return useMutation({
    mutationFn: async (acceptCloudFolder: boolean) => {
      const workspace = await client.workspaces.create({ name });
      try {
        await client.mirrors.add(workspace.workspaceId, dir, { acceptCloudFolder });
      } catch (error) {
        await client.workspaces.remove(workspace.workspaceId);
        throw error;
      }
      return workspace;
    },
    onSuccess: ({ workspaceId }) => {
      announce(`Mirror of ${dir} created.`);
      rememberWorkspace(workspaceId);
      onCreated(workspaceId);
    },
    onSettled: () => link.tryNow(),
  });
}
