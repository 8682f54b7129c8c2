// Overview of a hub: its workspaces with the role of the viewer, recent activity, and for its owner what waits and who works. A hub keeps no
// folders, so there are no mirrors.
import { type ReactElement, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { useDisabledReason, useLink } from '../../api/services.ts';
import { roleIn, useIsOwner, useViewer } from '../../api/viewer.ts';
import { useKeys } from '../../keys.ts';
import { filesHref } from '../../location/app-location.ts';
import { screenHref } from '../../location/screen-location.ts';
import { clock, plural } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import { TokenDialog } from '../../parts/dialogs/token-dialog.tsx';
import { ClientsCard } from './clients-card.tsx';
import { NeedsYou } from './needs-you.tsx';
import { OverviewSkeleton } from './overview-skeleton.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { ThroughputCard } from './throughput-card.tsx';

export function HubOverview(): ReactElement {
  const { phase, status, lastAnswerAtMs } = useLink();
  const isOwner = useIsOwner();
  const cards = useRef<HTMLDivElement>(null);
  useKeys(
    Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [
        String(index + 1),
        () => cards.current?.querySelectorAll<HTMLElement>('article a')[index]?.focus(),
      ]),
    ),
  );
  if (status === null) return <OverviewSkeleton offline={phase === 'offline'} />;
  const { workspaces } = status;
  return (
    <div className="page">
      <div className="page-title">
        <h1>
          {phase === 'offline' && lastAnswerAtMs !== null
            ? `Status from ${clock(lastAnswerAtMs)}`
            : workspaces.length === 0
              ? 'No workspaces yet'
              : plural(workspaces.length, 'workspace')}
        </h1>
      </div>
      <div className="overview-columns">
        <div className="overview-main">
          {isOwner ? <NeedsYou status={status} /> : null}
          {workspaces.length === 0 ? (
            <NoWorkspaces isOwner={isOwner} />
          ) : (
            <section className="card" aria-labelledby="workspaces">
              <header>
                <h2 id="workspaces">Workspaces</h2>
              </header>
              <div className="mirror-rows" ref={cards}>
                {workspaces.map((workspace) => (
                  <WorkspaceRow key={workspace.workspaceId} workspace={workspace} />
                ))}
              </div>
            </section>
          )}
        </div>
        <div className="overview-activity">
          <RecentActivity workspaces={workspaces} />
        </div>
        <div className="overview-side">
          <ThroughputCard />
          {isOwner ? <ClientsCard workspaces={workspaces} /> : null}
        </div>
      </div>
    </div>
  );
}

const command = 'mooring workspace create --name team';

function NoWorkspaces({ isOwner }: { readonly isOwner: boolean }): ReactElement {
  return (
    <section className="card">
      <div className="card-body">
        {isOwner ? (
          <>
            <p>
              A workspace contains the files that desktops sync with this hub. Create one, then add its users.
            </p>
            <p>
              <Link href="/settings/workspaces">Create a workspace in Settings</Link>
            </p>
            <div className="code-line">
              <code className="code">{command}</code>
              <CopyButton text={command} what="the command" />
            </div>
          </>
        ) : (
          <p>You have no role in a workspace yet. Ask an owner for one; it appears here then.</p>
        )}
      </div>
    </section>
  );
}

function WorkspaceRow({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const { workspaceId, name, files } = workspace;
  const disabledReason = useDisabledReason();
  const viewer = useViewer();
  const role = roleIn(viewer, workspaceId);
  const [tokenOpen, setTokenOpen] = useState(false);
  return (
    <article className="mirror-row" aria-label={name}>
      <div className="mirror-name">
        <h3 className="ellipsis">
          <Link href={filesHref(workspaceId, '/', 'dir')}>{name}</Link>
        </h3>
      </div>
      {viewer?.owner === true || role === null ? <span /> : <span className="tag">{role}</span>}
      <div className="mirror-now">
        <span className="mirror-facts">{plural(files, 'file')}</span>
      </div>
      <div className="mirror-wide">
        <Button
          kind="ghost"
          icon="key"
          label={`Create an access token for ${name}`}
          disabledReason={disabledReason}
          onClick={() => setTokenOpen(true)}
        />
        <Link className="button" href={screenHref('settings', 'users', { workspace: workspaceId })}>
          Users<span className="reader-only"> of {name}</span>
        </Link>
      </div>
      {tokenOpen ? (
        <TokenDialog workspaceId={workspaceId} name={name} onClose={() => setTokenOpen(false)} />
      ) : null}
    </article>
  );
}
