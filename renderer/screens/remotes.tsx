// The Remotes screen: workspaces that are synced with a workspace of another server, their state, and what needs a decision. The URL holds
// the selected remote.
import { type ReactElement, useRef, useState } from 'react';
import type { Remote } from '../../sdk/index.ts';
import { useDisabledReason, useStatus } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import { useScreenLocation } from '../location/screen-location.ts';
import { Button } from '../parts/buttons/button.tsx';
import { DetailPane } from '../parts/tables/detail-head.tsx';
import { keysIntoList } from '../parts/tables/list-keys.ts';
import { useFirstSelected } from '../parts/tables/use-first-selected.ts';
import type { FocusHandle } from '../parts/tables/work-list.tsx';
import { AddRemoteDialog } from './remotes/add-remote-dialog.tsx';
import { RemoteDetail } from './remotes/detail.tsx';
import { RemoteList } from './remotes/list.tsx';

const noRemotes: readonly Remote[] = [];

export function RemotesScreen(): ReactElement {
  const status = useStatus();
  const { selected, go } = useScreenLocation('remotes');
  const disabledReason = useDisabledReason();
  const [isAdding, setAdding] = useState(false);
  const listFocus: FocusHandle = useRef(null);
  const remotes = status?.remotes ?? noRemotes;
  const open = remotes.find(({ remoteId }) => remoteId === selected) ?? null;
  useFirstSelected(remotes[0]?.remoteId ?? null, selected, (remoteId) =>
    go({ selected: remoteId, replace: true }),
  );
  useKeys({
    ...keysIntoList(() => listFocus.current?.(true)),
    n: () => disabledReason === null && setAdding(true),
    Escape: () => go({ selected: null }),
  });
  const isEmpty = status !== null && remotes.length === 0;
  return (
    <div className="work">
      <header className="work-head">
        <h1>Remotes</h1>
        <span className="soft ellipsis grow">Workspaces synced with another server</span>
        <Button icon="add" shortcut="N" disabledReason={disabledReason} onClick={() => setAdding(true)}>
          Add remote…
        </Button>
      </header>
      <div
        className={`work-panes remotes${isEmpty ? ' alone' : ''}${selected === null ? '' : ' with-detail'}`}
      >
        <RemoteList
          remotes={remotes}
          isLoading={status === null}
          workspaces={status?.workspaces ?? []}
          openId={open?.remoteId ?? null}
          listFocus={listFocus}
          onOpen={(remoteId) => go({ selected: remoteId, replace: selected !== null })}
        />
        {isEmpty ? null : (
          <DetailPane label="Remote" openId={open?.remoteId ?? null}>
            {() =>
              open === null ? null : (
                <RemoteDetail
                  key={open.remoteId}
                  remote={open}
                  workspaces={status?.workspaces ?? []}
                  onClose={() => go({ selected: null })}
                />
              )
            }
          </DetailPane>
        )}
      </div>
      {isAdding ? (
        <AddRemoteDialog
          onAdded={(remoteId) => go({ selected: remoteId })}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </div>
  );
}
