// The list of remotes: workspace, server, state, time of the last sync.
import type { ReactElement } from 'react';
import type { Remote } from '../../../sdk/index.ts';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { workspaceName } from '../../api/services.ts';
import { plural } from '../../model/format.ts';
import { remoteHost, remoteStatus } from '../../model/mirror/remote-view.ts';
import { EmptyList } from '../../parts/feedback/empty-list.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { GridCell } from '../../parts/tables/grid.tsx';
import { type FocusHandle, LoadingRows, WorkList } from '../../parts/tables/work-list.tsx';

const rowPx = 54;

export function RemoteList({
  remotes,
  isLoading,
  workspaces,
  openId,
  listFocus,
  onOpen,
}: {
  readonly remotes: readonly Remote[];
  readonly isLoading: boolean;
  readonly workspaces: readonly Workspace[];
  readonly openId: string | null;
  readonly listFocus: FocusHandle;
  readonly onOpen: (remoteId: string) => void;
}): ReactElement {
  return (
    <section className="pane list" aria-label="Remotes">
      {isLoading ? (
        <LoadingRows rowPx={48} />
      ) : remotes.length === 0 ? (
        <NoRemotes />
      ) : (
        <WorkList
          label="Remotes"
          rows={remotes}
          idOf={({ remoteId }) => remoteId}
          openId={openId}
          rowPx={rowPx}
          columns={1}
          complete
          rowClass="run-row"
          focusHandle={listFocus}
          onOpen={({ remoteId }) => onOpen(remoteId)}
          onEnter={({ remoteId }) => onOpen(remoteId)}
        >
          {(remote) => (
            <GridCell className="run-cell">
              <span className="row">
                <b className="grow ellipsis">{workspaceName(workspaces, remote.workspaceId)}</b>
                <Status {...remoteStatus(remote)} />
              </span>
              <span className="row">
                <span className="grow soft ellipsis">{remoteHost(remote)}</span>
                <span className="faint">
                  {remote.lastSyncAt === null ? 'Not synced yet' : <Time at={remote.lastSyncAt} as="ago" />}
                </span>
              </span>
            </GridCell>
          )}
        </WorkList>
      )}
      {remotes.length === 0 ? null : <div className="pane-foot">{plural(remotes.length, 'remote')}</div>}
    </section>
  );
}

function NoRemotes(): ReactElement {
  return (
    <EmptyList icon="remote" title="No remotes yet">
      <p>
        A remote syncs a workspace with a workspace of another server, for example one that your team shares.
        All files stay on this computer as well, so that you can work without a connection.
      </p>
      <p>
        The first sync only adds files, on both sides. Add one with “Add remote…” or with{' '}
        <code className="mono">mooring remote add</code>.
      </p>
    </EmptyList>
  );
}
