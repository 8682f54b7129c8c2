// The list pane of the feed, with its loading, error and empty states.
import type { ReactElement, RefObject } from 'react';
import { useDisabledReason } from '../../api/services.ts';
import { count, plural } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { EmptyList } from '../../parts/feedback/empty-list.tsx';
import { ErrorBlock } from '../../parts/feedback/error-block.tsx';
import { focusReadingRegion } from '../../parts/feedback/reading-region.tsx';
import type { FeedListHandle } from '../../parts/tables/feed-list.tsx';
import { SkeletonRows } from '../../parts/tables/skeleton-rows.tsx';
import { EventList } from './list.tsx';
import type { Feed } from './use-feed.ts';

export function FeedPane({
  feed,
  listHandle,
}: {
  readonly feed: Feed;
  readonly listHandle: RefObject<FeedListHandle | null>;
}): ReactElement {
  const { activity, live } = feed;
  const { rows } = live;
  return (
    <section className="pane list" aria-label="Events">
      <Rows feed={feed} listHandle={listHandle} />
      <div className="pane-foot">
        {activity.events.length === 0 && activity.state !== 'ready' ? null : (
          <span>
            {plural(rows.length, 'event')}
            {rows.length === activity.events.length ? '' : ` of ${count(activity.events.length)} loaded`}
          </span>
        )}
        {activity.error !== null && activity.state === 'ready' ? <span>{activity.error}</span> : null}
        {activity.hasOlder ? <LoadOlder loading={activity.readingOlder} onLoad={activity.loadOlder} /> : null}
      </div>
    </section>
  );
}

function Rows({
  feed: { location, activity, folder, actorOf, live, isFiltered, range },
  listHandle,
}: {
  readonly feed: Feed;
  readonly listHandle: RefObject<FeedListHandle | null>;
}): ReactElement {
  const disabledReason = useDisabledReason();
  if (activity.events.length === 0 && activity.state === 'reading') return <SkeletonRows />;
  if (activity.events.length === 0 && activity.state === 'failed') {
    return (
      <div className="binary">
        <ErrorBlock
          tone="warn"
          cause={activity.error}
          path={<span className="mono">{folder}</span>}
          next={
            <Button disabledReason={disabledReason} onClick={activity.reload}>
              Retry
            </Button>
          }
          retry="Retries automatically every 5 s"
        />
      </div>
    );
  }
  if (live.rows.length === 0) {
    return (
      <NoEvents
        loaded={activity.events.length}
        hasEnded={range !== null && range.toMs < Date.now()}
        onShowAll={
          isFiltered ? () => location.go({ fields: { kind: '', text: '', path: '', range: '' } }) : null
        }
      />
    );
  }
  return (
    <EventList
      rows={live.rows}
      actorOf={actorOf}
      selected={location.selected}
      handle={listHandle}
      onSelect={(eventId) => location.go({ selected: eventId, replace: location.selected !== null })}
      onEnter={focusReadingRegion}
      onScrolled={live.setScrolled}
      onEnd={activity.loadOlder}
    />
  );
}

function LoadOlder({
  loading,
  onLoad,
}: {
  readonly loading: boolean;
  readonly onLoad: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  return (
    <span className="end">
      <Button kind="ghost" disabledReason={disabledReason ?? (loading ? 'Loading…' : null)} onClick={onLoad}>
        Load older
      </Button>
    </span>
  );
}

function NoEvents({
  loaded,
  hasEnded,
  onShowAll,
}: {
  readonly loaded: number;
  /** The selected time range is in the past. */
  readonly hasEnded: boolean;
  /** null: no filter is set. */
  readonly onShowAll: (() => void) | null;
}): ReactElement {
  if (onShowAll === null) {
    return (
      <EmptyList icon="activity" title="No events yet">
        <p>Save a file in the folder or write one through the API to see it here.</p>
      </EmptyList>
    );
  }
  return (
    <EmptyList icon="filter" title="No matching events">
      <p>
        {plural(loaded, 'event')} loaded so far; none matches.
        {hasEnded ? ' The selected time range has ended.' : ' New matching events appear here.'}
      </p>
      <div className="row">
        <Button onClick={onShowAll}>Show all</Button>
      </div>
    </EmptyList>
  );
}
