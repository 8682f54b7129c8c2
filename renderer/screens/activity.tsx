// The Activity screen: the live event feed of a workspace. It does not move while it is paused or scrolled.
import { type ReactElement, type RefObject, useRef } from 'react';
import type { Workspace } from '../../server/contract/workspaces.ts';
import { useKeys } from '../keys.ts';
import { isError } from '../model/inbound/activity-view.ts';
import { rangeText } from '../model/inbound/time-range.ts';
import { copyText } from '../parts/buttons/copy.tsx';
import { OneWorkspace } from '../parts/fields/one-workspace.tsx';
import type { FeedListHandle } from '../parts/tables/feed-list.tsx';
import { closesDetail, keysIntoList } from '../parts/tables/list-keys.ts';
import { detailMinPx, listPane, usePanes } from '../parts/tables/use-panes.tsx';
import { EventDetail } from './activity/detail.tsx';
import { FeedPane } from './activity/feed-pane.tsx';
import { ActivityFilters } from './activity/filters.tsx';
import { ActivityHead } from './activity/head.tsx';
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
  const { location, activity, live, actorOf } = feed;
  const textField = useRef<HTMLInputElement>(null);
  const listHandle = useRef<FeedListHandle | null>(null);
  const resume = (): void => {
    live.resume();
    listHandle.current?.toTop();
  };
  useActivityKeys({ feed, textField, listHandle, resume });
  const panes = usePanes('activity', listPane, detailMinPx);
  return (
    <div
      ref={panes.frame}
      style={panes.style}
      className={location.selected === null ? 'activity' : 'activity with-detail'}
    >
      <ActivityHead
        workspaceName={workspace.name}
        live={live}
        events={activity.events}
        hasOlder={activity.hasOlder}
        range={feed.range}
        onRange={(range) => location.go({ fields: { range: rangeText(range) }, replace: true })}
        onResume={resume}
      />
      <ActivityFilters
        kind={feed.kind}
        showsEchoes={feed.showsEchoes}
        path={location.field('path')}
        text={location.field('text')}
        range={feed.range}
        errors={activity.events.filter(isError).length}
        textField={textField}
        onChange={(fields, replace) => location.go({ fields: { ...fields }, replace })}
        onLeave={() => listHandle.current?.focus(true)}
      />
      <FeedPane feed={feed} listHandle={listHandle} />
      <EventDetail
        panes={panes}
        workspaceId={workspaceId}
        eventId={location.selected}
        events={activity.events}
        actorOf={actorOf}
        onSelect={(eventId) => location.go({ selected: eventId, replace: true })}
        onCorrelation={(correlationId) =>
          location.go({ fields: { text: correlationId, kind: '', echoes: '1', range: '' } })
        }
        onClose={() => location.go({ selected: null })}
      />
    </div>
  );
}

function useActivityKeys({
  feed: { location, activity, live },
  textField,
  listHandle,
  resume,
}: {
  readonly feed: Feed;
  readonly textField: RefObject<HTMLInputElement | null>;
  readonly listHandle: RefObject<FeedListHandle | null>;
  readonly resume: () => void;
}): void {
  useKeys({
    p: () => (live.isPaused ? resume() : live.pause()),
    '/': () => textField.current?.select(),
    ...keysIntoList(() => listHandle.current?.focus(true)),
    c: () => {
      const event = activity.events.find((each) => each.eventId === location.selected);
      if (event?.correlationId !== undefined) void copyText(event.correlationId, 'the correlation id');
    },
    Escape: () => {
      if (location.selected !== null && closesDetail()) location.go({ selected: null });
      listHandle.current?.focus(false);
    },
  });
}
