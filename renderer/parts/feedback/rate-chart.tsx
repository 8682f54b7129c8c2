// Events per minute as bars, with the current and the maximum rate. Minutes without data are hatched, not empty.
import { type ReactElement, type ReactNode, useId } from 'react';
import { clock, count, plural } from '../../model/format.ts';
import { peak, type RateMinute } from '../../model/inbound/event-rate.ts';

const barPx = 4;
const heightPx = 28;
/** Keeps a minute with one event visible. */
const shownPxMin = 2;

export function RateChart({
  minutes,
  label,
  units: [one, many] = ['event', 'events'],
  children = null,
}: {
  readonly minutes: readonly RateMinute[];
  /** `Events per minute` */
  readonly label: string;
  /** What is counted: one, and many. Default: event, events. */
  readonly units?: readonly [one: string, many: string];
  /** Above the bars. */
  readonly children?: ReactNode;
}): ReactElement {
  const hatch = useId();
  const most = peak(minutes);
  const now = minutes.at(-1)?.events ?? 0;
  const widthPx = minutes.length * barPx;
  return (
    <figure className="rate-chart">
      <span className="rate-bars">
        <svg
          role="img"
          aria-label={`${label}: ${count(now)} this minute, maximum ${count(most)} in the last ${minutes.length} minutes`}
          viewBox={`0 0 ${widthPx} ${heightPx}`}
          preserveAspectRatio="none"
        >
          <defs>
            <pattern id={hatch} width="4" height="4" patternUnits="userSpaceOnUse">
              <path d="M0 4 4 0" className="rate-hatch" />
            </pattern>
          </defs>
          {minutes.map(({ fromMs, events, errors = 0 }, index) => {
            const tallPx = events === null ? heightPx : barHeight(events, most);
            return (
              <rect
                key={fromMs}
                x={index * barPx}
                y={heightPx - tallPx}
                width={barPx - 1}
                height={tallPx}
                className={events === null ? 'rate-unknown' : events === 0 ? 'rate-none' : 'rate-bar'}
                {...(events === null ? { fill: `url(#${hatch})` } : {})}
              >
                <title>{`${clock(fromMs)}: ${events === null ? 'no data' : plural(events, one, many)}${errors === 0 ? '' : `, ${plural(errors, 'error')}`}`}</title>
              </rect>
            );
          })}
          {minutes.map(({ fromMs, errors = 0 }, index) => {
            const tallPx = errors === 0 ? 0 : barHeight(errors, most);
            return errors === 0 ? null : (
              <rect
                key={fromMs}
                x={index * barPx}
                y={heightPx - tallPx}
                width={barPx - 1}
                height={tallPx}
                className="rate-errors"
              />
            );
          })}
        </svg>
        {children}
      </span>
      <figcaption>
        <b>{count(now)}</b> this minute <span className="faint">max. {count(most)}/min</span>
      </figcaption>
    </figure>
  );
}

function barHeight(events: number, most: number): number {
  if (events === 0) return 1;
  return Math.max(shownPxMin, (events / most) * heightPx);
}
