// Overview: the state of all mirrors, worst first, and what needs a decision.
import { type ReactElement, useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useObservable } from '../api/observable.ts';
import { useHasFeature } from '../api/offer.ts';
import { useFailureCounts } from '../api/pending-work.ts';
import { useDisabledReason, useLink, useStatus } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import { clock } from '../model/format.ts';
import { headline, subtitle } from '../model/mirror/mirror-view.ts';
import { remoteHeadline } from '../model/mirror/needs-you.ts';
import { Button } from '../parts/buttons/button.tsx';
import { MirrorDialog } from '../parts/dialogs/mirror-dialog.tsx';
import { firstRunSkipped, skipFirstRun } from './first-run/skipped.ts';
import { FirstRunScreen } from './first-run.tsx';
import { ClientsCard } from './overview/clients-card.tsx';
import { DataFlow } from './overview/data-flow.tsx';
import { FirstSteps } from './overview/first-steps.tsx';
import { HubOverview } from './overview/hub-overview.tsx';
import { MirrorsCard } from './overview/mirrors-card.tsx';
import { NeedsYou } from './overview/needs-you.tsx';
import { OverviewSkeleton } from './overview/overview-skeleton.tsx';
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
        {link.phase === 'offline' ? null : <p className="soft">{subtitle(status)}</p>}
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
        <div className="overview-columns">
          <div className="overview-main">
            <NeedsYou status={status} />
            <MirrorsCard status={status} onMirror={open} />
          </div>
          <div className="overview-activity">
            <RecentActivity workspaces={status.workspaces} />
          </div>
          <div className="overview-side">
            <ThroughputCard />
            <DataFlow status={status} />
            <ClientsCard workspaces={status.workspaces} />
          </div>
        </div>
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
