// The first step: a folder to mirror, or a sample workspace without a folder.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useDisabledReason, useServices } from '../../api/services.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { FailureText, Note } from '../../parts/feedback/note.tsx';
import { FolderField } from '../../parts/fields/folder-field.tsx';
import { dirProblem } from '../../parts/fields/folder-input.tsx';
import type { FolderStepProps } from './steps.ts';

export function FolderStep({ dir, onGo }: FolderStepProps): ReactElement {
  const { client, link } = useServices();
  const disabledReason = useDisabledReason();
  const [typed, setTyped] = useState(dir);
  const [tried, setTried] = useState(false);
  const sample = useMutation({
    mutationFn: async () => {
      const workspace = await client.workspaces.create({ name: sampleName });
      await client.bulkWrite(workspace.workspaceId, sampleFiles);
      return workspace;
    },
    onSuccess: ({ workspaceId }) => {
      link.tryNow();
      onGo('token', { workspace: workspaceId, dir: '' });
    },
  });
  const trimmed = typed.trim();
  const looking = useMutation({
    mutationFn: async () => await client.mirrors.lookAt(trimmed),
    onSuccess: (found) => onGo('workspace', { dir: found.dir ?? trimmed }),
  });
  return (
    <form
      noValidate
      className="first-run-form"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (dirProblem(trimmed) === null && !looking.isPending) looking.mutate();
      }}
    >
      <h1>Pick a folder</h1>
      <p className="soft">
        Mooring syncs this folder with a workspace, both ways. You edit files here; agents and scripts edit
        them through the API on this computer.
      </p>
      <FolderField dir={typed} error={tried ? dirProblem(trimmed) : null} onChange={setTyped} />
      <Note icon="fine">
        Its files are added to the workspace. The first sync only adds files: <b>none are deleted</b> on
        either side.
      </Note>
      <Note>
        Ignored: <span className="mono">.git</span>, temporary files of editors, symbolic links, and the
        patterns in <span className="mono">.mooringignore</span>.
      </Note>
      <div className="row wrap">
        <Button kind="primary" type="submit">
          Next: create a workspace
        </Button>
        <Button
          kind="ghost"
          disabledReason={disabledReason ?? (sample.isPending ? 'Creating workspace…' : null)}
          onClick={() => sample.mutate()}
        >
          Start with a sample
        </Button>
      </div>
      <FailureText error={sample.error ?? looking.error} />
    </form>
  );
}

const sampleName = 'sample';

const sampleFiles: readonly { readonly path: string; readonly content: string }[] = [
  {
    path: '/README.md',
    content:
      '# A sample workspace\n\nPrograms read and write these files through the API. Mirror the workspace to a folder to edit them as local files.\n',
  },
  {
    path: '/notes/today.md',
    content: '# Today\n\n- Read this through the API\n- Change it, and see it here\n',
  },
  { path: '/notes/ideas.md', content: '# Ideas\n\nA file without changes.\n' },
  { path: '/data/figures.json', content: '{\n  "apples": 3,\n  "pears": 5\n}\n' },
];
