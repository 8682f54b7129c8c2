// Deleted workspaces that can be restored.
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../../server/contract/workspaces.ts';
import { describeError, useDisabledReason, useServices } from '../../../api/services.ts';
import { plural } from '../../../model/format.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { announce } from '../../../parts/feedback/answers.ts';
import { Time } from '../../../parts/feedback/time.tsx';

export function DeletedWorkspaces({
  workspaces,
  error,
  onRestored,
}: {
  readonly workspaces: readonly Workspace[];
  /** Why the list failed to load. */
  readonly error: string | null;
  readonly onRestored: () => void;
}): ReactElement | null {
  if (workspaces.length === 0 && error === null) return null;
  return (
    <section className="settings-part" aria-labelledby="deleted-workspaces">
      <h2 id="deleted-workspaces">Deleted</h2>
      <p className="hint">
        Deleted workspaces can be restored for 30 days. Files in their folders were not deleted.
      </p>
      {error === null ? null : (
        <p className="hint bad" role="alert">
          Could not load the list. {error}
        </p>
      )}
      <ul className="setting-lines">
        {workspaces.map((workspace) => (
          <DeletedRow key={workspace.workspaceId} workspace={workspace} onRestored={onRestored} />
        ))}
      </ul>
    </section>
  );
}

function DeletedRow({
  workspace,
  onRestored,
}: {
  readonly workspace: Workspace;
  readonly onRestored: () => void;
}): ReactElement {
  const { client, link } = useServices();
  const disabledReason = useDisabledReason();
  const mutation = useMutation({
    mutationFn: async () => await client.workspaces.restore(workspace.workspaceId),
    onSuccess: () => {
      announce(`${workspace.name} restored.`);
      onRestored();
    },
    onSettled: () => link.tryNow(),
  });
  return (
    <li>
      <span className="grow">
        <b>{workspace.name}</b> <span className="mono faint">{workspace.workspaceId}</span>
        <span className="second faint">
          {plural(workspace.files, 'file')}
          {workspace.deletedAt === undefined ? null : (
            <>
              , deleted <Time at={workspace.deletedAt} as="ago" />
            </>
          )}
        </span>
        {mutation.isError ? (
          <span className="hint bad" role="alert">
            {describeError(mutation.error)}
          </span>
        ) : null}
      </span>
      <Button
        icon="undo"
        disabledReason={mutation.isPending ? 'Restoring…' : disabledReason}
        onClick={() => mutation.mutate()}
      >
        Restore<span className="reader-only"> {workspace.name}</span>
      </Button>
    </li>
  );
}
