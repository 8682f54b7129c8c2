// The events per minute of the last hour, counted from the loaded events.
import { type ReactElement, useMemo } from 'react';
import type { EventFrame } from '../../../server/contract/events.ts';
import { rateMinutes } from '../../api/live-feed.ts';
import { eventsPerMinute } from '../../model/inbound/event-rate.ts';
import type { TimeRange } from '../../model/inbound/time-range.ts';
import { RateChart } from '../../parts/feedback/rate-chart.tsx';
import { useNow } from '../../parts/feedback/time.tsx';
import { RateRange } from './rate-range.tsx';

const minuteMs = 60_000;

/** Counts all loaded events, regardless of the filters. */
export function FeedRate({
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
        <RateRange minutes={minutes} range={range} onRange={onRange} />
      </RateChart>
    </span>
  );
}
