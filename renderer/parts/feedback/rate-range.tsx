// Selects a time range in a chart by dragging, or by moving each end with the arrow keys. Covers the bars of the chart.
import { type KeyboardEvent, type PointerEvent, type ReactElement, useState } from 'react';
import { clock } from '../../model/format.ts';
import type { RateMinute } from '../../model/inbound/event-rate.ts';
import {
  positionOf,
  type RangeEnd,
  rangeBetween,
  type TimeRange,
  withEnd,
} from '../../model/inbound/time-range.ts';

const farMinutes = 10;

export interface RateRangeProps {
  readonly minutes: readonly RateMinute[];
  /** null: no selection. */
  readonly range: TimeRange | null;
  readonly onRange: (range: TimeRange | null) => void;
  /** `Events`, for the names of the ends. */
  readonly what: string;
}

export function RateRange({ minutes, range, onRange, what }: RateRangeProps): ReactElement {
  /** Indices of the minutes where the drag started and where the pointer is. */
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const shown = drag === null ? range : rangeBetween(minutes, drag.from, drag.to);
  const minuteOf = ({ currentTarget, clientX }: PointerEvent<HTMLElement>): number => {
    const box = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - box.left) / box.width) * minutes.length);
    return Math.min(minutes.length - 1, Math.max(0, index));
  };
  return (
    <div
      className="rate-range"
      title="Drag to select a time range"
      onPointerDown={(event) => {
        if (event.button !== 0 || event.target !== event.currentTarget) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: minuteOf(event), to: minuteOf(event) });
      }}
      onPointerMove={(event) => {
        if (drag !== null) setDrag({ ...drag, to: minuteOf(event) });
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
      <RangeThumb end="from" minutes={minutes} range={range} onRange={onRange} what={what} />
      <RangeThumb end="to" minutes={minutes} range={range} onRange={onRange} what={what} />
    </div>
  );
}

function share(minutes: readonly RateMinute[], range: TimeRange, end: RangeEnd): number {
  return (positionOf(minutes, range, end) / minutes.length) * 100;
}

/** Visible while focused. */
function RangeThumb({
  end,
  minutes,
  range,
  onRange,
  what,
}: RateRangeProps & { readonly end: RangeEnd }): ReactElement {
  const position = positionOf(minutes, range, end);
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: position - 1,
    ArrowRight: position + 1,
    PageUp: position - farMinutes,
    PageDown: position + farMinutes,
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
  const positionMs = (minutes[0]?.fromMs ?? 0) + position * 60_000;
  return (
    <span
      role="slider"
      tabIndex={0}
      className="rate-thumb"
      aria-label={`${what} ${end}`}
      aria-valuemin={0}
      aria-valuemax={minutes.length}
      aria-valuenow={position}
      aria-valuetext={clock(positionMs).slice(0, 5)}
      style={{ left: `${(position / minutes.length) * 100}%` }}
      onKeyDown={onKeyDown}
    />
  );
}
