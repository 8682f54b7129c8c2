// Remotes in the data flow: what waits between the workspaces and their servers. Nothing without remotes.
import type { ReactElement } from 'react';
import type { AgentStatus } from '../../../server/contract/agent.ts';
import { useDisabledReason, workspaceName } from '../../api/services.ts';
import { screenHref } from '../../location/screen-location.ts';
import { count, plural } from '../../model/format.ts';
import { needsYou, remoteHost, remoteStatus } from '../../model/mirror/remote-view.ts';
import { Direction, FailureLink, FlowLink, FlowNode } from './flow-parts.tsx';
import { type FlowRow, FlowRows } from './flow-rows.tsx';

export function RemoteFlow({
  status: { remotes, workspaces },
}: {
  readonly status: AgentStatus;
}): ReactElement | null {
  const offline = useDisabledReason() !== null;
  if (remotes.length === 0) return null;
  const toSend = remotes.reduce((total, { pendingLocal }) => total + pendingLocal, 0);
  const toReceive = remotes.reduce((total, { pendingRemote }) => total + pendingRemote, 0);
  const conflicts = remotes.reduce((total, each) => total + each.conflicts, 0);
  const inConflict = remotes.toSorted((a, b) => b.conflicts - a.conflicts)[0]?.workspaceId ?? '';
  const moving = !offline && remotes.some(({ state }) => state === 'syncing');
  const rows = remotes.map((remote): FlowRow => {
    const host = remoteHost(remote);
    const workspace = workspaceName(workspaces, remote.workspaceId);
    return {
      key: remote.remoteId,
      name: workspaces.length > 1 ? `${workspace} · ${host}` : host,
      title: `${remote.path} of ${workspace} on ${host}`,
      href: screenHref('remotes', remote.remoteId, {}),
      view: remoteStatus(remote),
      cause: needsYou(remote) ? remote.cause : null,
      // Another state says more, and needs the room.
      seenAt: remote.state === 'idle' ? remote.lastSyncAt : null,
    };
  });
  return (
    <>
      <FlowLink>
        <Direction idle={!moving || toSend === 0}>
          <b>{count(toSend)}</b> to send
        </Direction>
        <Direction idle={!moving || toReceive === 0} back>
          <b>{count(toReceive)}</b> to receive
        </Direction>
        <FailureLink
          failures={conflicts}
          kind="warn"
          text={plural(conflicts, 'conflict')}
          href={screenHref('conflicts', null, { workspace: inConflict })}
        />
      </FlowLink>
      <FlowNode icon="remote" name="Remotes" figure={<b>{count(remotes.length)}</b>}>
        <FlowRows rows={rows} />
      </FlowNode>
    </>
  );
}
