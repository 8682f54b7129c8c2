// Changes per minute of the last hour as a line. The pointer or the arrow keys choose a minute; minutes without data are gaps.
import { type KeyboardEvent, type PointerEvent, type ReactElement, useState } from 'react';
import { useObservable } from '../../api/observable.ts';
import { useServices } from '../../api/services.ts';
import { clock, count, plural } from '../../model/format.ts';
import { peak, type RateMinute } from '../../model/inbound/event-rate.ts';
import { axisTop } from '../../model/inbound/rate-axis.ts';
import { useNow } from '../../parts/feedback/time.tsx';

const heightPx = 100;

export function ThroughputCard(): ReactElement {
  const { live } = useServices();
  useObservable(live.recent);
  const minutes = live.changesPerMinute(useNow());
  return (
    <section className="card" aria-labelledby="throughput">
      <header>
        <h2 id="throughput">Throughput</h2>
        <span className="end faint card-note">changes per minute, last hour</span>
      </header>
      <div className="card-body">
        <Chart minutes={minutes} />
      </div>
    </section>
  );
}

function Chart({ minutes }: { readonly minutes: readonly RateMinute[] }): ReactElement {
  /** null: the current minute. */
  const [chosen, setChosen] = useState<number | null>(null);
  const last = minutes.length - 1;
  const shown = chosen ?? last;
  const top = axisTop(peak(minutes));
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setChosen(Math.max(0, Math.min(last, Math.round(((clientX - left) / width) * last))));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, next)));
  };
  return (
    <figure className="throughput">
      <div className="throughput-scale faint" aria-hidden="true">
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{count(value)}</span>
        ))}
      </div>
      <div
        className="throughput-plot"
        role="slider"
        tabIndex={0}
        aria-label="Changes per minute"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={shown}
        aria-valuetext={minuteText(minutes[shown], shown === last)}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setChosen(null)}
        onBlur={() => setChosen(null)}
        onKeyDown={onKeyDown}
      >
        <svg viewBox={`0 0 ${last} ${heightPx}`} preserveAspectRatio="none" aria-hidden="true">
          {[0, heightPx / 2, heightPx].map((y) => (
            <path key={y} className="throughput-grid" d={`M0 ${y}H${last}`} />
          ))}
          {knownParts(minutes, top).map(({ from, points }) => (
            <g key={from}>
              <path className="throughput-area" d={`M${from} ${heightPx}L${points.join('L')}V${heightPx}Z`} />
              <path
                className="throughput-line"
                d={`M${points.join('L')}${points.length === 1 ? 'h0.01' : ''}`}
              />
            </g>
          ))}
          {chosen === null ? null : <path className="throughput-chosen" d={`M${chosen} 0V${heightPx}`} />}
        </svg>
      </div>
      <div className="throughput-times faint" aria-hidden="true">
        <span>{hour(minutes[0])}</span>
        <span>{hour(minutes[Math.round(last / 2)])}</span>
        <span>now</span>
      </div>
      <figcaption className="soft">{minuteText(minutes[shown], shown === last)}</figcaption>
    </figure>
  );
}

const hour = (minute: RateMinute | undefined): string =>
  minute === undefined ? '' : clock(minute.fromMs).slice(0, 5);

function minuteText(minute: RateMinute | undefined, isCurrent: boolean): string {
  if (minute === undefined) return '';
  const when = isCurrent ? 'This minute' : hour(minute);
  return `${when}: ${minute.events === null ? 'no data' : plural(minute.events, 'change')}`;
}

/** The points `x y` of each run of minutes with data. */
function knownParts(
  minutes: readonly RateMinute[],
  top: number,
): readonly { readonly from: number; readonly points: readonly string[] }[] {
  const parts: { from: number; points: string[] }[] = [];
  for (const [index, { events }] of minutes.entries()) {
    if (events === null) continue;
    const point = `${index} ${heightPx - (events / top) * heightPx}`;
    if (index > 0 && minutes[index - 1]?.events !== null) parts.at(-1)?.points.push(point);
    else parts.push({ from: index, points: [point] });
  }
  return parts;
}
