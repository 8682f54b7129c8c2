// Overview: the state of all mirrors, worst first, and what needs a decision.
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import type { AgentStatus } from '../../server/contract/agent.ts';
import type { Workspace } from '../../server/contract/workspaces.ts';
import { useObservable } from '../api/observable.ts';
import { useHasFeature } from '../api/offer.ts';
import { useFailureCounts } from '../api/pending-work.ts';
import { useDisabledReason, useLink, useStatus, workspaceName } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import { filesHref } from '../location/app-location.ts';
import { clock, plural } from '../model/format.ts';
import { headline, otherMirrors, worstFirst } from '../model/mirror/mirror-view.ts';
import { remoteHeadline } from '../model/mirror/needs-you.ts';
import { Button } from '../parts/buttons/button.tsx';
import { CopyButton } from '../parts/buttons/copy.tsx';
import { MirrorDialog } from '../parts/dialogs/mirror-dialog.tsx';
import { TokenDialog } from '../parts/dialogs/token-dialog.tsx';
import { firstRunSkipped, skipFirstRun } from './first-run/skipped.ts';
import { FirstRunScreen } from './first-run.tsx';
import { ClientsCard } from './overview/clients-card.tsx';
import { HubOverview } from './overview/hub-overview.tsx';
import { MirrorCard } from './overview/mirror-card.tsx';
import { NeedsYou } from './overview/needs-you.tsx';
import { OverviewSkeleton } from './overview/overview-skeleton.tsx';
import { Pipeline } from './overview/pipeline.tsx';
import { ProofCard } from './overview/proof-card.tsx';
import { RecentActivity } from './overview/recent-activity.tsx';
import { ThroughputCard } from './overview/throughput-card.tsx';

/** The open dialog: mirror a folder to a new workspace (null), or an existing workspace to a folder. */
type Opened = { readonly workspaceId: string | null } | null;

export function OverviewScreen(): ReactElement {
  const status = useStatus();
  const skipped = useObservable(firstRunSkipped);
  const asked = new URLSearchParams(useSearch()).has('new');
  const hasFolders = useHasFeature('folders');
  if (!hasFolders) return <HubOverview />;
  return status?.workspaces.length === 0 && !skipped && !asked ? <FirstRunScreen /> : <Overview />;
}

function Overview(): ReactElement {
  const link = useLink();
  const disabledReason = useDisabledReason();
  const failures = useFailureCounts();
  const [opened, setOpened] = useOpened();
  const { status } = link;
  if (status === null) return <OverviewSkeleton offline={link.phase === 'offline'} />;
  const open = (workspaceId: string | null): void => setOpened({ workspaceId });
  return (
    <div className="page">
      <div className="page-title">
        <h1>
          {link.phase === 'offline' && link.lastAnswerAtMs !== null
            ? `Status from ${clock(link.lastAnswerAtMs)}`
            : headline(status, failures, remoteHeadline(status.remotes))}
        </h1>
        <span className="soft">{link.phase === 'offline' ? null : otherMirrors(status.mirrors)}</span>
        {status.workspaces.length === 0 ? null : (
          <span className="end">
            <Button icon="addFolder" shortcut="N" disabledReason={disabledReason} onClick={() => open(null)}>
              Mirror a folder…
            </Button>
          </span>
        )}
      </div>
      {status.workspaces.length === 0 ? (
        <FirstSteps onMirror={() => open(null)} />
      ) : (
        <>
          <NeedsYou status={status} />
          <Pipeline status={status} />
          <Columns status={status} onMirror={open} />
        </>
      )}
      {opened === null ? null : (
        <MirrorDialog
          workspace={status.workspaces.find((each) => each.workspaceId === opened.workspaceId) ?? null}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}

/** The open dialog; `?new=mirror` and N open it. */
function useOpened(): [opened: Opened, setOpened: (opened: Opened) => void] {
  const disabledReason = useDisabledReason();
  const asked = new URLSearchParams(useSearch()).get('new') === 'mirror';
  const [, navigate] = useLocation();
  const [opened, setOpened] = useState<Opened>(null);
  useEffect(() => {
    if (!asked) return;
    skipFirstRun();
    navigate('/overview', { replace: true });
    setOpened({ workspaceId: null });
  }, [asked, navigate]);
  useKeys({ n: () => disabledReason === null && setOpened({ workspaceId: null }) });
  return [opened, setOpened];
}

/** The cards of mirrors and of workspaces without a mirror, which 1 to 9 focus; and what concerns all of them. */
function Columns({
  status: { workspaces, mirrors },
  status,
  onMirror,
}: {
  readonly status: AgentStatus;
  readonly onMirror: (workspaceId: string) => void;
}): ReactElement {
  const cards = useRef<HTMLDivElement>(null);
  useKeys(
    Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [
        String(index + 1),
        () => cards.current?.querySelectorAll<HTMLElement>('article')[index]?.focus(),
      ]),
    ),
  );
  const mirrored = new Set(mirrors.map((mirror) => mirror.workspaceId));
  return (
    <div className="columns">
      <div className="column" ref={cards}>
        {worstFirst(mirrors).map((mirror, index) => (
          <MirrorCard
            key={mirror.mirrorId}
            mirror={mirror}
            name={workspaceName(workspaces, mirror.workspaceId)}
            number={index + 1}
          />
        ))}
        {workspaces
          .filter(({ workspaceId }) => !mirrored.has(workspaceId))
          .map((workspace) => (
            <UnmirroredCard
              key={workspace.workspaceId}
              workspace={workspace}
              onMirror={() => onMirror(workspace.workspaceId)}
            />
          ))}
        <RecentActivity workspaces={workspaces} />
      </div>
      <div className="column">
        <ThroughputCard />
        <ProofCard status={status} />
        <ClientsCard workspaces={workspaces} />
      </div>
    </div>
  );
}

const command = 'mooring workspace create --name notes --mirror ~/notes';

function FirstSteps({ onMirror }: { readonly onMirror: () => void }): ReactElement {
  const disabledReason = useDisabledReason();
  return (
    <section className="card first-steps" aria-labelledby="first-steps">
      <header>
        <h2 id="first-steps">First steps</h2>
      </header>
      <div className="card-body">
        <ol className="steps">
          <li>
            <h3>Mirror a folder</h3>
            <p>
              Programs and agents read and write the files of its workspace through the API. Changes sync both
              ways. The first sync only adds files: none are deleted on either side.
            </p>
            <Button
              kind="primary"
              icon="addFolder"
              shortcut="N"
              disabledReason={disabledReason}
              onClick={onMirror}
            >
              Mirror a folder…
            </Button>
            <div className="code-line">
              <code className="code">{command}</code>
              <CopyButton text={command} what="the command" />
            </div>
          </li>
          <li>
            <h3>Create an access token</h3>
            <p>Create one for each program, with its own name, limits and expiry.</p>
          </li>
          <li>
            <h3>Save a file</h3>
            <p>It appears here immediately, as does every change by a program.</p>
          </li>
        </ol>
      </div>
    </section>
  );
}

function UnmirroredCard({
  workspace,
  onMirror,
}: {
  readonly workspace: Workspace;
  readonly onMirror: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const [tokenOpen, setTokenOpen] = useState(false);
  return (
    <article className="card mirror" aria-label={`${workspace.name}: no folder`}>
      <div className="mirror-title">
        <h3>
          <Link href={filesHref(workspace.workspaceId, '/', 'dir')}>{workspace.name}</Link>
        </h3>
        <span className="tag">No folder</span>
        <span className="end row">
          <Button
            kind="ghost"
            icon="key"
            label={`Create an access token for ${workspace.name}`}
            disabledReason={disabledReason}
            onClick={() => setTokenOpen(true)}
          />
          <Button icon="addFolder" disabledReason={disabledReason} onClick={onMirror}>
            Mirror to a folder…
          </Button>
        </span>
      </div>
      <div className="mirror-facts">
        <span>{plural(workspace.files, 'file')}</span>
        <span>API access only</span>
      </div>
      {tokenOpen ? (
        <TokenDialog
          workspaceId={workspace.workspaceId}
          name={workspace.name}
          onClose={() => setTokenOpen(false)}
        />
      ) : null}
    </article>
  );
}
