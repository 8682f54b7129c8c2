// What is happening, and what belongs together? The feed of one workspace, live; it holds still while somebody reads.
import { type ReactElement, type RefObject, useRef } from 'react';
import type { Workspace } from '../../server/contract/workspaces.ts';
import { useKeys } from '../keys.ts';
import { isError } from '../model/inbound/activity-view.ts';
import { rangeText } from '../model/inbound/time-range.ts';
import { copyText } from '../parts/buttons/copy.tsx';
import { OneWorkspace } from '../parts/fields/one-workspace.tsx';
import { keysIntoList } from '../parts/tables/list-keys.ts';
import { EventDetail } from './activity/detail.tsx';
import { FeedPane } from './activity/feed-pane.tsx';
import { ActivityFilters } from './activity/filters.tsx';
import { ActivityHead } from './activity/head.tsx';
import type { ListHandle } from './activity/list.tsx';
import { type Feed, useFeed } from './activity/use-feed.ts';

export function ActivityScreen(): ReactElement {
  return (
    <OneWorkspace title="Activity">
      {(workspace) => <WorkspaceActivity key={workspace.workspaceId} workspace={workspace} />}
    </OneWorkspace>
  );
}

function WorkspaceActivity({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const { workspaceId } = workspace;
  const feed = useFeed(workspaceId);
  const { place, activity, held, byWhom } = feed;
  const textField = useRef<HTMLInputElement>(null);
  const listHandle = useRef<ListHandle | null>(null);
  const goOn = (): void => {
    held.goOn();
    listHandle.current?.toTop();
  };
  useActivityKeys({ feed, textField, listHandle, goOn });
  return (
    <div className={place.selected === null ? 'activity' : 'activity with-detail'}>
      <ActivityHead
        workspaceName={workspace.name}
        held={held}
        events={activity.events}
        hasOlder={activity.hasOlder}
        range={feed.range}
        onRange={(range) => place.go({ fields: { range: rangeText(range) }, replace: true })}
        onGoOn={goOn}
      />
      <ActivityFilters
        kind={feed.kind}
        echoes={feed.echoes}
        path={place.field('path')}
        text={place.field('text')}
        range={feed.range}
        errors={activity.events.filter(isError).length}
        textField={textField}
        onChange={(fields, replace) => place.go({ fields: { ...fields }, replace })}
        onLeave={() => listHandle.current?.focus(true)}
      />
      <FeedPane feed={feed} listHandle={listHandle} />
      <EventDetail
        workspaceId={workspaceId}
        eventId={place.selected}
        events={activity.events}
        byWhom={byWhom}
        onSelect={(eventId) => place.go({ selected: eventId, replace: true })}
        onCorrelation={(correlationId) =>
          place.go({ fields: { text: correlationId, kind: '', echoes: '1', range: '' } })
        }
        onClose={() => place.go({ selected: null })}
      />
    </div>
  );
}

function useActivityKeys({
  feed: { place, activity, held },
  textField,
  listHandle,
  goOn,
}: {
  readonly feed: Feed;
  readonly textField: RefObject<HTMLInputElement | null>;
  readonly listHandle: RefObject<ListHandle | null>;
  readonly goOn: () => void;
}): void {
  useKeys({
    p: () => (held.paused ? goOn() : held.pause()),
    '/': () => textField.current?.select(),
    ...keysIntoList(() => listHandle.current?.focus(true)),
    c: () => {
      const event = activity.events.find((each) => each.eventId === place.selected);
      if (event?.correlationId !== undefined) void copyText(event.correlationId, 'the correlation id');
    },
    Escape: () => {
      if (place.selected !== null && document.activeElement?.closest('.list') !== null)
        place.go({ selected: null });
      else listHandle.current?.focus(false);
    },
  });
}
