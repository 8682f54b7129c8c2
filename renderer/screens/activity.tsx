// What is happening, and what belongs together? The feed of one workspace, live; it holds still while somebody reads.
import { type ReactElement, useCallback, useDeferredValue, useMemo, useRef } from 'react';
import type { Workspace } from '../../server/contract/workspaces.ts';
import { useActivity } from '../api/activity.ts';
import { useRevisionActors } from '../api/revision-actors.ts';
import { useBlocked } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import {
  activityKinds,
  type ByWhom,
  eventNumber,
  feedPath,
  isError,
  passes,
} from '../model/activity-view.ts';
import { eventView } from '../model/event-view.ts';
import { count, counted } from '../model/format.ts';
import { Button } from '../parts/button.tsx';
import { copyText } from '../parts/copy.tsx';
import { ErrorBlock } from '../parts/error-block.tsx';
import { OneWorkspace } from '../parts/one-workspace.tsx';
import { readingRegionId } from '../parts/reading-region.tsx';
import { SkeletonRows } from '../parts/skeleton-rows.tsx';
import { useSettled } from '../parts/use-settled.ts';
import { useScreenPlace } from '../screen-place.ts';
import { EventDetail } from './activity/detail.tsx';
import { ActivityFilters } from './activity/filters.tsx';
import { ActivityHead } from './activity/head.tsx';
import { useHeldRows } from './activity/held-rows.ts';
import { EventList, type ListHandle } from './activity/list.tsx';

export function ActivityScreen(): ReactElement {
  return (
    <OneWorkspace title="Activity">
      {(workspace) => <WorkspaceActivity key={workspace.workspaceId} workspace={workspace} />}
    </OneWorkspace>
  );
}

function WorkspaceActivity({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const { workspaceId } = workspace;
  const place = useScreenPlace('activity');
  const path = place.field('path');
  const folder = useSettled(feedPath(path));
  const activity = useActivity(workspaceId, folder);
  const blocked = useBlocked();
  const textField = useRef<HTMLInputElement>(null);
  const listHandle = useRef<ListHandle | null>(null);

  const kind = activityKinds.find((each) => each === place.field('kind')) ?? 'all';
  const echoes = place.field('echoes') === '1';
  const text = useDeferredValue(place.field('text'));
  const actors = useRevisionActors(workspaceId, activity.events);
  const byWhom = useCallback<ByWhom>(
    (event) => eventView(event).by ?? actors.get(event.revision) ?? null,
    [actors],
  );
  const matching = useMemo(
    () => activity.events.filter((event) => passes(event, { kind, echoes, text }, byWhom)),
    [activity.events, kind, echoes, text, byWhom],
  );
  const held = useHeldRows(matching, eventNumber(activity.events[0]?.eventId ?? ''));
  const { rows } = held;
  const goOn = (): void => {
    held.goOn();
    listHandle.current?.toTop();
  };
  const narrowed = kind !== 'all' || text !== '' || path !== '';
  const selected = activity.events.find((event) => event.eventId === place.selected);
  const close = (): void => place.go({ selected: null });
  useKeys({
    p: () => (held.paused ? goOn() : held.pause()),
    '/': () => textField.current?.select(),
    j: () => listHandle.current?.focus(true),
    k: () => listHandle.current?.focus(true),
    ArrowDown: () => listHandle.current?.focus(true),
    ArrowUp: () => listHandle.current?.focus(true),
    c: () =>
      selected?.correlationId !== undefined && void copyText(selected.correlationId, 'the correlation id'),
    Escape: () => {
      if (place.selected !== null && document.activeElement?.closest('.list') !== null) close();
      else listHandle.current?.focus(false);
    },
  });
  return (
    <div className={place.selected === null ? 'activity' : 'activity with-detail'}>
      <ActivityHead
        workspaceName={workspace.name}
        held={held}
        events={activity.events}
        hasOlder={activity.hasOlder}
        onGoOn={goOn}
      />
      <ActivityFilters
        kind={kind}
        echoes={echoes}
        path={path}
        text={place.field('text')}
        errors={activity.events.filter(isError).length}
        textField={textField}
        onChange={(fields, replace) => place.go({ fields: { ...fields }, replace })}
        onLeave={() => listHandle.current?.focus(true)}
      />
      <section className="pane list" aria-label="Events">
        {activity.state === 'reading' && activity.events.length === 0 ? (
          <SkeletonRows />
        ) : activity.state === 'failed' && activity.events.length === 0 ? (
          <div className="binary">
            <ErrorBlock
              tone="warn"
              cause={activity.error}
              path={<span className="mono">{folder}</span>}
              next={
                <Button blocked={blocked} onClick={activity.readAgain}>
                  Read it again
                </Button>
              }
              retry="By itself, every 5 s while the agent answers."
            />
          </div>
        ) : rows.length === 0 ? (
          <NoEvents
            read={activity.events.length}
            onShowAll={narrowed ? () => place.go({ fields: { kind: '', text: '', path: '' } }) : null}
          />
        ) : (
          <EventList
            rows={rows}
            byWhom={byWhom}
            selected={place.selected}
            handle={listHandle}
            onSelect={(eventId) => place.go({ selected: eventId, replace: place.selected !== null })}
            onEnter={() => document.getElementById(readingRegionId)?.focus()}
            onScrolled={held.setScrolled}
            onEnd={activity.readOlder}
          />
        )}
        <div className="pane-foot">
          <span>
            {counted(rows.length, 'event')}
            {rows.length === activity.events.length ? '' : ` of ${count(activity.events.length)} read`}
          </span>
          {activity.error !== null && activity.state === 'ready' ? <span>{activity.error}</span> : null}
          {activity.hasOlder ? (
            <ReadOlder reading={activity.readingOlder} onRead={activity.readOlder} />
          ) : null}
        </div>
      </section>
      <EventDetail
        workspaceId={workspaceId}
        eventId={place.selected}
        events={activity.events}
        byWhom={byWhom}
        onSelect={(eventId) => place.go({ selected: eventId, replace: true })}
        onCorrelation={(correlationId) =>
          place.go({ fields: { text: correlationId, kind: '', echoes: '1' } })
        }
        onClose={close}
      />
    </div>
  );
}

function ReadOlder({
  reading,
  onRead,
}: {
  readonly reading: boolean;
  readonly onRead: () => void;
}): ReactElement {
  const blocked = useBlocked();
  return (
    <span className="end">
      <Button kind="ghost" blocked={blocked ?? (reading ? 'They are being read.' : null)} onClick={onRead}>
        Read older ones
      </Button>
    </span>
  );
}

function NoEvents({
  read,
  onShowAll,
}: {
  readonly read: number;
  /** null: nothing is left out. */
  readonly onShowAll: (() => void) | null;
}): ReactElement {
  if (onShowAll === null) {
    return (
      <div className="empty">
        <h2>Nothing yet</h2>
        <p>Save a file in the folder, or write one through the API: it shows here at once.</p>
      </div>
    );
  }
  return (
    <div className="empty">
      <h2>Nothing matches</h2>
      <p>None of the {counted(read, 'event')} read so far matches. Each new one that does appears here.</p>
      <div className="row">
        <Button onClick={onShowAll}>Show all</Button>
      </div>
    </div>
  );
}
