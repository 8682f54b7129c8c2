// Above the feed: whether it is live, what waits while it is held, and how much has been happening.
import type { ReactElement } from 'react';
import type { EventFrame } from '../../../server/contract/events.ts';
import { useObservable } from '../../api/observable.ts';
import { useDisabledReason, useServices } from '../../api/services.ts';
import { clock, count } from '../../model/format.ts';
import type { TimeRange } from '../../model/inbound/time-range.ts';
import type { StatusView } from '../../model/mirror/mirror-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { FeedRate } from './feed-rate.tsx';
import type { HeldRows } from './live-rows.ts';

export function ActivityHead({
  workspaceName,
  held,
  events,
  hasOlder,
  range,
  onRange,
  onGoOn,
}: {
  readonly workspaceName: string;
  readonly held: HeldRows;
  /** All that were read, newest first. */
  readonly events: readonly EventFrame[];
  readonly hasOlder: boolean;
  readonly range: TimeRange | null;
  readonly onRange: (range: TimeRange | null) => void;
  readonly onGoOn: () => void;
}): ReactElement {
  const { rows, waiting, paused, isHeld } = held;
  return (
    <div className="screen-head">
      <h1>Activity</h1>
      {paused ? <Status kind="paused" word="Paused" pill /> : <FeedStatus />}
      <span className="soft ellipsis">
        {waiting > 0 ? `${count(waiting)} new since ${timeOf(rows[0]?.timestamp)}` : workspaceName}
      </span>
      <FeedRate events={events} hasOlder={hasOlder} range={range} onRange={onRange} />
      <span>
        {isHeld ? (
          <Button kind="primary" icon="resume" shortcut="P" onClick={onGoOn}>
            {waiting > 0 ? `Show ${count(waiting)} new and go on` : 'Go on'}
          </Button>
        ) : (
          <Button icon="paused" shortcut="P" onClick={held.pause}>
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

function timeOf(timestamp: string | undefined): string {
  return timestamp === undefined ? 'then' : clock(Date.parse(timestamp));
}
