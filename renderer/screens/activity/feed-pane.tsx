// The list of the feed, or why there is none.
import type { ReactElement, RefObject } from 'react';
import { useDisabledReason } from '../../api/services.ts';
import { count, plural } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { ErrorBlock } from '../../parts/feedback/error-block.tsx';
import { focusReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { SkeletonRows } from '../../parts/tables/skeleton-rows.tsx';
import { EventList, type ListHandle } from './list.tsx';
import type { Feed } from './use-feed.ts';

export function FeedPane({
  feed,
  listHandle,
}: {
  readonly feed: Feed;
  readonly listHandle: RefObject<ListHandle | null>;
}): ReactElement {
  const { activity, held } = feed;
  const { rows } = held;
  return (
    <section className="pane list" aria-label="Events">
      <Rows feed={feed} listHandle={listHandle} />
      <div className="pane-foot">
        {activity.events.length === 0 && activity.state !== 'ready' ? null : (
          <span>
            {plural(rows.length, 'event')}
            {rows.length === activity.events.length ? '' : ` of ${count(activity.events.length)} read`}
          </span>
        )}
        {activity.error !== null && activity.state === 'ready' ? <span>{activity.error}</span> : null}
        {activity.hasOlder ? <ReadOlder reading={activity.readingOlder} onRead={activity.loadOlder} /> : null}
      </div>
    </section>
  );
}

function Rows({
  feed: { place, activity, folder, byWhom, held, narrowed, range },
  listHandle,
}: {
  readonly feed: Feed;
  readonly listHandle: RefObject<ListHandle | null>;
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
              Read it again
            </Button>
          }
          retry="By itself, every 5 s while the agent answers."
        />
      </div>
    );
  }
  if (held.rows.length === 0) {
    return (
      <NoEvents
        read={activity.events.length}
        inPast={range !== null && range.toMs < Date.now()}
        onShowAll={narrowed ? () => place.go({ fields: { kind: '', text: '', path: '', range: '' } }) : null}
      />
    );
  }
  return (
    <EventList
      rows={held.rows}
      byWhom={byWhom}
      selected={place.selected}
      handle={listHandle}
      onSelect={(eventId) => place.go({ selected: eventId, replace: place.selected !== null })}
      onEnter={focusReadingRegion}
      onScrolled={held.setScrolled}
      onEnd={activity.loadOlder}
    />
  );
}

function ReadOlder({
  reading,
  onRead,
}: {
  readonly reading: boolean;
  readonly onRead: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  return (
    <span className="end">
      <Button
        kind="ghost"
        disabledReason={disabledReason ?? (reading ? 'They are being read.' : null)}
        onClick={onRead}
      >
        Read older ones
      </Button>
    </span>
  );
}

function NoEvents({
  read,
  inPast,
  onShowAll,
}: {
  readonly read: number;
  /** Of minutes that are over. */
  readonly inPast: boolean;
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
      <p>
        None of the {plural(read, 'event')} read so far matches.
        {inPast ? ' The minutes that you chose are over.' : ' Each new one that does appears here.'}
      </p>
      <div className="row">
        <Button onClick={onShowAll}>Show all</Button>
      </div>
    </div>
  );
}
