// The steps of an operation as bars on one time scale.
import type { ReactElement } from 'react';
import type { OperationSteps } from '../../../sdk/index.ts';
import { clock, clockWithMs, fullTime } from '../../model/format.ts';
import { shareOf, span, timelineOf } from '../../model/outbound/operation-timeline.ts';
import { Icon, type Meaning } from '../../parts/feedback/icon.tsx';
import { useNow } from '../../parts/feedback/time.tsx';

const icons: Readonly<Record<string, Meaning>> = {
  ok: 'fine',
  failed: 'failed',
  waiting: 'waiting',
  paused: 'canceled',
  active: 'edit',
};

export function TimelineBars({ steps }: { readonly steps: OperationSteps }): ReactElement {
  const now = useNow();
  const timeline = timelineOf(steps, now);
  return (
    <section className="work-section" aria-labelledby="timeline-title">
      <h3 id="timeline-title">Timeline, {span(timeline.toMs - timeline.fromMs)} in total</h3>
      {timeline.hidden > 0 ? <p className="hint">{timeline.hidden} earlier steps are not shown.</p> : null}
      <ol className="bars">
        {timeline.bars.map((bar) => {
          const { left, width } = shareOf(bar, timeline);
          const length = bar.toMs - bar.fromMs;
          return (
            <li key={bar.key} title={`${fullTime(bar.fromMs)}${bar.note === '' ? '' : `: ${bar.note}`}`}>
              <span className={`bar-name ${bar.kind}`}>
                <Icon of={icons[bar.status] ?? 'info'} small />
                <span className="ellipsis">{bar.label}</span>
              </span>
              <span className="bar-track" aria-hidden="true">
                <span
                  className={`bar ${bar.kind}`}
                  style={{ left: `min(${left}%, 100% - 3px)`, width: `${width}%` }}
                />
              </span>
              <span className="number soft">
                {length > 0 ? span(length) : <span className="faint">{clockWithMs(bar.fromMs)}</span>}
              </span>
            </li>
          );
        })}
      </ol>
      <div className="bar-axis" aria-hidden="true">
        <span>{clock(timeline.fromMs)}</span>
        <span>{clock(timeline.toMs)}</span>
      </div>
    </section>
  );
}
