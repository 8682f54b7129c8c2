// A span of a chart: dragged with the mouse, or each end moved with the arrows. Lies over the bars, and is as wide as they are.
import { type KeyboardEvent, type PointerEvent, type ReactElement, useState } from 'react';
import { clock } from '../../model/format.ts';
import type { RateMinute } from '../../model/inbound/event-rate.ts';
import {
  endAt,
  type RangeEnd,
  rangeBetween,
  type TimeRange,
  withEnd,
} from '../../model/inbound/time-range.ts';

const farMinutes = 10;

export interface RateRangeProps {
  readonly minutes: readonly RateMinute[];
  /** null: all of it. */
  readonly range: TimeRange | null;
  readonly onRange: (range: TimeRange | null) => void;
}

export function RateRange({ minutes, range, onRange }: RateRangeProps): ReactElement {
  /** The minute at which the mouse was pressed, and the one that it is at. */
  const [drag, setDrag] = useState<{ readonly from: number; readonly at: number } | null>(null);
  const shown = drag === null ? range : rangeBetween(minutes, drag.from, drag.at);
  const minuteOf = ({ currentTarget, clientX }: PointerEvent<HTMLElement>): number => {
    const box = currentTarget.getBoundingClientRect();
    const at = Math.floor(((clientX - box.left) / box.width) * minutes.length);
    return Math.min(minutes.length - 1, Math.max(0, at));
  };
  return (
    <div
      className="rate-range"
      title="Drag to show the events of these minutes"
      onPointerDown={(event) => {
        if (event.button !== 0 || event.target !== event.currentTarget) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: minuteOf(event), at: minuteOf(event) });
      }}
      onPointerMove={(event) => {
        if (drag !== null) setDrag({ ...drag, at: minuteOf(event) });
      }}
      onPointerUp={(event) => {
        if (drag === null) return;
        onRange(rangeBetween(minutes, drag.from, minuteOf(event)));
        setDrag(null);
      }}
      onPointerCancel={() => setDrag(null)}
    >
      {shown === null ? null : (
        <span
          className="rate-chosen"
          style={{
            left: `${share(minutes, shown, 'from')}%`,
            right: `${100 - share(minutes, shown, 'to')}%`,
          }}
        />
      )}
      <RangeThumb end="from" minutes={minutes} range={range} onRange={onRange} />
      <RangeThumb end="to" minutes={minutes} range={range} onRange={onRange} />
    </div>
  );
}

function share(minutes: readonly RateMinute[], range: TimeRange, end: RangeEnd): number {
  return (endAt(minutes, range, end) / minutes.length) * 100;
}

/** Seen while it has the focus. */
function RangeThumb({
  end,
  minutes,
  range,
  onRange,
}: RateRangeProps & { readonly end: RangeEnd }): ReactElement {
  const at = endAt(minutes, range, end);
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    PageUp: at - farMinutes,
    PageDown: at + farMinutes,
    Home: 0,
    End: minutes.length,
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = steps[event.key];
    if (next !== undefined) onRange(withEnd(minutes, range, end, next));
    else if (event.key === 'Escape' && range !== null) onRange(null);
    else return;
    event.preventDefault();
  };
  const atMs = (minutes[0]?.fromMs ?? 0) + at * 60_000;
  return (
    <span
      role="slider"
      tabIndex={0}
      className="rate-thumb"
      aria-label={end === 'from' ? 'Events from' : 'Events to'}
      aria-valuemin={0}
      aria-valuemax={minutes.length}
      aria-valuenow={at}
      aria-valuetext={clock(atMs).slice(0, 5)}
      style={{ left: `${(at / minutes.length) * 100}%` }}
      onKeyDown={onKeyDown}
    />
  );
}
