// The head of the log: its state, the number of new entries, the entries per minute, and the export.
import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { LogEntry } from '../../../sdk/index.ts';
import { describeError, useDisabledReason } from '../../api/services.ts';
import { count, plural } from '../../model/format.ts';
import type { RateMinute } from '../../model/inbound/event-rate.ts';
import type { TimeRange } from '../../model/inbound/time-range.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { announce, announceFailure } from '../../parts/feedback/answers.ts';
import { RateChart } from '../../parts/feedback/rate-chart.tsx';
import { RateRange } from '../../parts/feedback/rate-range.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import type { HeldRows } from '../../parts/tables/use-held-rows.ts';

type Export = (signal: AbortSignal) => Promise<{ readonly count: number; readonly name: string }>;

export function LogHead({
  rows: { waiting, isPaused, isFrozen, pause },
  minutes,
  range,
  onRange,
  onResume,
  onExport,
}: {
  readonly rows: HeldRows<LogEntry>;
  readonly minutes: readonly RateMinute[];
  readonly range: TimeRange | null;
  readonly onRange: (range: TimeRange | null) => void;
  readonly onResume: () => void;
  readonly onExport: Export;
}): ReactElement {
  const isOffline = useDisabledReason() !== null;
  return (
    <div className="screen-head">
      <h1>Logs</h1>
      {isOffline ? (
        <Status kind="offline" word="Offline" pill />
      ) : isPaused ? (
        <Status kind="paused" word="Paused" pill />
      ) : (
        <Status kind="ok" word="Live" pill />
      )}
      <span className="soft ellipsis">
        {waiting > 0 ? `${count(waiting)} new` : 'What the agent does, and what each request caused'}
      </span>
      <span className="end">
        {minutes.length === 0 ? null : (
          <RateChart minutes={minutes} label="Entries per minute" units={['entry', 'entries']}>
            <RateRange what="Entries" minutes={minutes} range={range} onRange={onRange} />
          </RateChart>
        )}
      </span>
      <ExportButton onExport={onExport} />
      <span>
        {isFrozen ? (
          <Button kind="primary" icon="resume" shortcut="P" onClick={onResume}>
            {waiting > 0 ? `Resume (${count(waiting)} new)` : 'Resume'}
          </Button>
        ) : (
          <Button icon="paused" shortcut="P" onClick={pause}>
            Pause
          </Button>
        )}
      </span>
    </div>
  );
}

function ExportButton({ onExport }: { readonly onExport: Export }): ReactElement {
  const disabledReason = useDisabledReason();
  const [isRunning, setRunning] = useState(false);
  const stop = useRef(new AbortController());
  useEffect(() => {
    const { current } = stop;
    return () => current.abort();
  }, []);
  const run = (): void => {
    setRunning(true);
    onExport(stop.current.signal)
      .then(
        (saved) => announce(`Saved ${plural(saved.count, 'entry', 'entries')} as ${saved.name}.`),
        (error: unknown) => announceFailure(`The log was not saved: ${describeError(error)}`),
      )
      .finally(() => setRunning(false));
  };
  return (
    <Button icon="download" disabledReason={isRunning ? 'Saving…' : disabledReason} onClick={run}>
      Export
    </Button>
  );
}
