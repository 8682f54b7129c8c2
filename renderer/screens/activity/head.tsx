// The head of the feed: its state, the number of new events, and the events per minute.
import { type ReactElement, useMemo } from 'react';
import type { EventFrame } from '../../../server/contract/events.ts';
import { rateMinutes } from '../../api/live-feed.ts';
import { useObservable } from '../../api/observable.ts';
import { useDisabledReason, useServices } from '../../api/services.ts';
import { clock, count } from '../../model/format.ts';
import { eventsPerMinute } from '../../model/inbound/event-rate.ts';
import type { TimeRange } from '../../model/inbound/time-range.ts';
import type { StatusView } from '../../model/mirror/mirror-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { RateChart } from '../../parts/feedback/rate-chart.tsx';
import { RateRange } from '../../parts/feedback/rate-range.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { useNow } from '../../parts/feedback/time.tsx';
import type { HeldRows } from '../../parts/tables/use-held-rows.ts';

export function ActivityHead({
  workspaceName,
  live,
  events,
  hasOlder,
  range,
  onRange,
  onResume,
}: {
  readonly workspaceName: string;
  readonly live: HeldRows<EventFrame>;
  /** All loaded events, newest first. */
  readonly events: readonly EventFrame[];
  readonly hasOlder: boolean;
  readonly range: TimeRange | null;
  readonly onRange: (range: TimeRange | null) => void;
  readonly onResume: () => void;
}): ReactElement {
  const { rows, waiting, isPaused, isFrozen } = live;
  return (
    <div className="screen-head">
      <h1>Activity</h1>
      {isPaused ? <Status kind="paused" word="Paused" pill /> : <FeedStatus />}
      <span className="soft ellipsis">
        {waiting > 0 ? `${count(waiting)} new${sinceText(rows[0])}` : workspaceName}
      </span>
      <FeedRate events={events} hasOlder={hasOlder} range={range} onRange={onRange} />
      <span>
        {isFrozen ? (
          <Button kind="primary" icon="resume" shortcut="P" onClick={onResume}>
            {waiting > 0 ? `Resume (${count(waiting)} new)` : 'Resume'}
          </Button>
        ) : (
          <Button icon="paused" shortcut="P" onClick={live.pause}>
            Pause
          </Button>
        )}
      </span>
    </div>
  );
}

const feedViews: Record<'connecting' | 'live' | 'polling', StatusView> = {
  live: { kind: 'ok', word: 'Live' },
  polling: { kind: 'warn', word: 'Polling every 5 s' },
  connecting: { kind: 'waiting', word: 'Connecting' },
};

function FeedStatus(): ReactElement {
  const { live } = useServices();
  const state = useObservable(live.state);
  const offline = useDisabledReason() !== null;
  return <Status {...(offline ? { kind: 'offline', word: 'Offline' } : feedViews[state])} pill />;
}

function sinceText(newestShown: EventFrame | undefined): string {
  return newestShown === undefined ? '' : ` since ${clock(Date.parse(newestShown.timestamp))}`;
}

const minuteMs = 60_000;

/** Counts all loaded events, regardless of the filters. */
function FeedRate({
  events,
  hasOlder,
  range,
  onRange,
}: {
  readonly events: readonly EventFrame[];
  readonly hasOlder: boolean;
  readonly range: TimeRange | null;
  readonly onRange: (range: TimeRange | null) => void;
}): ReactElement {
  const minute = Math.floor(useNow() / minuteMs);
  const minutes = useMemo(() => {
    const nowMs = (minute + 1) * minuteMs - 1;
    const sinceMs = nowMs - rateMinutes * minuteMs;
    const times: number[] = [];
    // Events are sorted newest first, so the rest is older than the chart.
    for (const { timestamp } of events) {
      const atMs = Date.parse(timestamp);
      if (atMs < sinceMs) break;
      times.push(atMs);
    }
    const oldest = events.at(-1);
    const knownFromMs = hasOlder && oldest !== undefined ? Date.parse(oldest.timestamp) : 0;
    return eventsPerMinute(times, knownFromMs, nowMs, rateMinutes);
  }, [events, hasOlder, minute]);
  return (
    <span className="end">
      <RateChart minutes={minutes} label="Events per minute">
        <RateRange what="Events" minutes={minutes} range={range} onRange={onRange} />
      </RateChart>
    </span>
  );
}
