// The list pane of the log, with its loading, error and empty states.
import type { ReactElement, RefObject } from 'react';
import type { LogEntry } from '../../../sdk/index.ts';
import type { Log } from '../../api/logs.ts';
import { useDisabledReason } from '../../api/services.ts';
import { plural } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { EmptyList } from '../../parts/feedback/empty-list.tsx';
import { ErrorBlock } from '../../parts/feedback/error-block.tsx';
import type { FeedListHandle } from '../../parts/tables/feed-list.tsx';
import { SkeletonRows } from '../../parts/tables/skeleton-rows.tsx';
import type { HeldRows } from '../../parts/tables/use-held-rows.ts';
import { LogList } from './list.tsx';

interface LogPaneProps {
  readonly log: Log;
  readonly rows: HeldRows<LogEntry>;
  readonly selected: string | null;
  readonly listHandle: RefObject<FeedListHandle | null>;
  readonly onSelect: (id: string) => void;
  readonly onShowAll: () => void;
}

export function LogPane(props: LogPaneProps): ReactElement {
  const { log, rows } = props;
  const disabledReason = useDisabledReason();
  return (
    <section className="pane list" aria-label="Log">
      <Rows {...props} />
      <div className="pane-foot">
        {log.state === 'ready' ? <span>{plural(rows.rows.length, 'entry', 'entries')}</span> : null}
        {log.error !== null && log.state === 'ready' ? <span>{log.error}</span> : null}
        {log.nextCursor === null ? null : (
          <Button
            kind="ghost"
            disabledReason={log.isReadingOlder ? 'Loading…' : disabledReason}
            onClick={log.loadOlder}
          >
            Load older
          </Button>
        )}
      </div>
    </section>
  );
}

function Rows({ log, rows, selected, listHandle, onSelect, onShowAll }: LogPaneProps): ReactElement {
  if (log.state === 'reading' && log.entries.length === 0) return <SkeletonRows />;
  if (log.state === 'failed')
    return (
      <div className="binary">
        <ErrorBlock
          tone="warn"
          cause={log.error}
          pathLabel="Address"
          path={<span className="mono">/v1/agent/logs</span>}
          next={<Button onClick={log.reload}>Retry</Button>}
          retry="Retries automatically every second"
        />
      </div>
    );
  if (rows.rows.length === 0)
    return (
      <EmptyList icon="filter" title="No matching entries">
        <p>The log has the newest 5 to 10 MB. With --log-level debug the agent logs every request.</p>
        <Button onClick={onShowAll}>Show all</Button>
      </EmptyList>
    );
  return (
    <LogList
      rows={rows.rows}
      selected={selected}
      handle={listHandle}
      onSelect={onSelect}
      onScrolled={rows.setScrolled}
      onEnd={log.loadOlder}
    />
  );
}
