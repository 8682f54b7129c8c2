// Folders, workspaces, providers and remotes with the pending changes between them. Failures are shown at their direction.
import type { ReactElement } from 'react';
import type { AgentStatus } from '../../../server/contract/agent.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { useObservable } from '../../api/observable.ts';
import { useAllConflicts, workspaceWithMost } from '../../api/pending-work.ts';
import { useServices } from '../../api/services.ts';
import { screenHref } from '../../location/screen-location.ts';
import { count, plural } from '../../model/format.ts';
import { watchView } from '../../model/mirror/watch-view.ts';
import { Status } from '../../parts/feedback/status.tsx';
import { useNow } from '../../parts/feedback/time.tsx';
import { Direction, FailureLink, FlowLink, FlowNode } from './flow-parts.tsx';
import { ProviderFlow } from './provider-flow.tsx';
import { RemoteFlow } from './remote-flow.tsx';

export function DataFlow({ status }: { readonly status: AgentStatus }): ReactElement {
  const { live, link } = useServices();
  useObservable(live.recent);
  const offline = useObservable(link.state).phase === 'offline';
  const perMinute = live.changesLastMinute(useNow());
  const open = useAllConflicts();
  const { mirrors, workspaces } = status;
  const sum = (pick: (mirror: (typeof mirrors)[number]) => number): number =>
    mirrors.reduce((total, mirror) => total + pick(mirror), 0);
  const files = sum((mirror) => mirror.files);
  const stored = workspaces.reduce((total, workspace) => total + workspace.files, 0);
  const inState = (state: Mirror['state']): number =>
    mirrors.filter((mirror) => mirror.state === state).length;
  const halted = inState('halted');
  const unreachable = inState('error');
  const paused = inState('paused');
  const conflicts = sum((mirror) => mirror.conflicts);
  const moving = !offline && mirrors.some((mirror) => mirror.state === 'syncing');
  const toWorkspaces = sum((mirror) => mirror.pendingLocal);
  const toFolders = sum((mirror) => mirror.pendingRemote);
  return (
    <section className="card" aria-labelledby="data-flow">
      <header>
        <h2 id="data-flow">Data flow</h2>
        <span className="end faint card-note">what waits, and where</span>
      </header>
      <div className="flow">
        <FlowNode icon="folder" name="Folders" figure={<b>{plural(files, 'file')}</b>}>
          <Status {...watchView(mirrors, offline)} />
          {halted > 0 ? <Status kind="halted" word={`${count(halted)} halted`} /> : null}
          {paused > 0 ? <Status kind="paused" word={`${count(paused)} paused`} /> : null}
          {unreachable > 0 ? <Status kind="offline" word={`${count(unreachable)} offline`} /> : null}
        </FlowNode>
        <FlowLink>
          <Direction idle={!moving || toWorkspaces === 0}>
            <b>{count(toWorkspaces)}</b> {toWorkspaces === 1 ? 'upload' : 'uploads'}
          </Direction>
          <Direction idle={!moving || toFolders === 0} back>
            <b>{count(toFolders)}</b> {toFolders === 1 ? 'download' : 'downloads'}
          </Direction>
          <FailureLink
            failures={conflicts}
            kind="warn"
            text={plural(conflicts, 'conflict')}
            href={screenHref('conflicts', null, { workspace: workspaceWithMost(open) ?? '' })}
          />
        </FlowLink>
        <FlowNode icon="workspace" name="Workspaces" figure={<b>{plural(stored, 'file')}</b>}>
          <Status {...(offline ? { kind: 'offline', word: 'Offline' } : { kind: 'ok', word: 'Serving' })} />
          <span>{plural(perMinute, 'change')} in the last minute</span>
        </FlowNode>
        <ProviderFlow status={status} />
        <RemoteFlow status={status} />
      </div>
    </section>
  );
}
