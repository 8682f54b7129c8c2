// Wraps every screen that shows one workspace: chooses it, or explains why there is none.
import { type ReactElement, type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { useServices, useStatus } from '../../api/services.ts';
import { rememberWorkspace, useChosenWorkspace } from '../../location/workspace-choice.ts';

export function OneWorkspace({
  title,
  children,
}: {
  readonly title: string;
  readonly children: (workspace: Workspace) => ReactNode;
}): ReactElement {
  const status = useStatus();
  const { live } = useServices();
  const { workspace, missing } = useChosenWorkspace(status?.workspaces ?? []);
  const workspaceId = workspace?.workspaceId ?? null;
  useEffect(() => {
    if (workspaceId === null) return;
    rememberWorkspace(workspaceId);
    live.view(workspaceId);
  }, [live, workspaceId]);
  if (workspace !== null) return <>{children(workspace)}</>;
  return (
    <div className="empty">
      <h1 className="reader-only">{title}</h1>
      {status === null ? (
        <p>Connecting to the agent…</p>
      ) : missing !== null ? (
        <>
          <h2>Workspace not found</h2>
          <p>
            <span className="mono">{missing}</span> was deleted or belongs to another agent.
          </p>
          <Link href="/overview">Open Overview</Link>
        </>
      ) : (
        <>
          <h2>No workspaces yet</h2>
          <p>
            A workspace contains the files of a mirrored folder and the files that programs write through the
            API.
          </p>
          <Link href="/overview?new=mirror">Mirror a folder…</Link>
        </>
      )}
    </div>
  );
}
