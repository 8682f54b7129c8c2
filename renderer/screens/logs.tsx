// The Logs screen: the live log of the agent, filtered by level, source, text and time. It does not move while it is paused or scrolled.
// The URL holds the filters and the selected entry.
import { type ReactElement, useDeferredValue, useMemo, useRef } from 'react';
import type { LogEntry } from '../../sdk/index.ts';
import { useLog, useLogMinutes } from '../api/logs.ts';
import { useServices } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import { useScreenLocation } from '../location/screen-location.ts';
import { logFilters, logQuery } from '../model/diagnosis/log-view.ts';
import { rangeText } from '../model/inbound/time-range.ts';
import { copyText } from '../parts/buttons/copy.tsx';
import type { FeedListHandle } from '../parts/tables/feed-list.tsx';
import { closesDetail, keysIntoList } from '../parts/tables/list-keys.ts';
import { useHeldRows } from '../parts/tables/use-held-rows.ts';
import { detailMinPx, listPane, usePanes } from '../parts/tables/use-panes.tsx';
import { LogDetail } from './logs/detail.tsx';
import { exportLog } from './logs/export.ts';
import { LogFilterBar } from './logs/filters.tsx';
import { LogHead } from './logs/head.tsx';
import { LogPane } from './logs/pane.tsx';

export function LogsScreen(): ReactElement {
  const location = useScreenLocation('logs');
  const { client } = useServices();
  const search = ['level', 'source', 'text', 'range'].map((name) => location.field(name)).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields are those in `search`
  const filters = useMemo(() => logFilters(location.field), [search]);
  const log = useLog(useDeferredValue(filters));
  const minutes = useLogMinutes(filters);
  const rows = useHeldRows(log.entries, log.entries[0]?.id ?? null, indexOfEntry);
  const textField = useRef<HTMLInputElement>(null);
  const list = useRef<FeedListHandle | null>(null);
  const resume = (): void => {
    rows.resume();
    list.current?.toTop();
  };
  const open = log.entries.find(({ id }) => id === location.selected) ?? null;
  useKeys({
    p: () => (rows.isPaused ? resume() : rows.pause()),
    '/': () => textField.current?.select(),
    ...keysIntoList(() => list.current?.focus(true)),
    c: () => {
      if (open !== null) void copyText(JSON.stringify(open), 'the entry as JSON');
    },
    Escape: () => {
      if (location.selected !== null && closesDetail()) location.go({ selected: null });
      list.current?.focus(false);
    },
  });
  const panes = usePanes('logs', listPane, detailMinPx);
  return (
    <div
      ref={panes.frame}
      style={panes.style}
      className={location.selected === null ? 'activity logs' : 'activity logs with-detail'}
    >
      <LogHead
        rows={rows}
        minutes={minutes}
        range={filters.range}
        onRange={(range) => location.go({ fields: { range: rangeText(range) }, replace: true })}
        onResume={resume}
        onExport={(signal) => exportLog(client, logQuery(filters), signal)}
      />
      <LogFilterBar
        filters={filters}
        textField={textField}
        onChange={(fields, replace) => location.go({ fields: { ...fields }, replace })}
        onLeave={() => list.current?.focus(true)}
      />
      <LogPane
        log={log}
        rows={rows}
        selected={location.selected}
        listHandle={list}
        onSelect={(id) => location.go({ selected: id, replace: location.selected !== null })}
        onShowAll={() => location.go({ fields: { level: '', source: '', text: '', range: '' } })}
      />
      <LogDetail
        panes={panes}
        entry={open}
        openId={location.selected}
        onCorrelation={(text) => location.go({ fields: { text, level: '', source: '', range: '' } })}
        onClose={() => location.go({ selected: null })}
      />
    </div>
  );
}

/** An entry that is not listed any more is gone with another filter. */
function indexOfEntry(entries: readonly LogEntry[], newest: string): number | null {
  const index = entries.findIndex(({ id }) => id === newest);
  return index === -1 ? null : index;
}
