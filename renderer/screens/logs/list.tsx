// The rows of the log.
import { memo, type ReactElement, type RefObject } from 'react';
import type { LogEntry } from '../../../sdk/index.ts';
import { factsLine, levelIcons, levelNames, sourceNames } from '../../model/diagnosis/log-view.ts';
import { clockWithMs, fullTime } from '../../model/format.ts';
import type { Column } from '../../model/tables/column-layout.ts';
import { Icon } from '../../parts/feedback/icon.tsx';
import { FeedList, type FeedListHandle } from '../../parts/tables/feed-list.tsx';
import { GridCell, GridRow, type RowPosition } from '../../parts/tables/grid.tsx';

type LogColumn = 'time' | 'level' | 'message' | 'source';

/** Newest first: entries arrive, so that they have no other order. */
const logColumns: readonly Column<LogColumn>[] = [
  { id: 'time', title: 'Time', widthPx: 84 },
  { id: 'level', title: 'Level', widthPx: 84 },
  { id: 'message', title: 'Message', widthPx: 200, grows: true },
  { id: 'source', title: 'Source', widthPx: 84, leaves: 1 },
];

const idOf = ({ id }: LogEntry): string => id;

export function LogList(list: {
  readonly rows: readonly LogEntry[];
  readonly selected: string | null;
  readonly handle: RefObject<FeedListHandle | null>;
  readonly onSelect: (id: string) => void;
  readonly onScrolled: (scrolled: boolean) => void;
  readonly onEnd: () => void;
}): ReactElement {
  return (
    <FeedList listId="logs" label="Log entries, newest first" columns={logColumns} idOf={idOf} {...list}>
      {(row, position, onRow) => <LogRow key={row.id} {...position} entry={row} onSelect={onRow} />}
    </FeedList>
  );
}

/** Memoized, because each key typed into a filter renders the screen. */
const LogRow = memo(function LogRow({
  entry,
  onSelect,
  ...position
}: RowPosition & {
  readonly entry: LogEntry;
  readonly onSelect: (index: number) => void;
}): ReactElement {
  const { at, level, message, source } = entry;
  return (
    <GridRow position={position} className="feed-row" onClick={() => onSelect(position.index)}>
      <GridCell className="soft">
        {at === null ? null : (
          <time dateTime={at} title={fullTime(Date.parse(at))}>
            {clockWithMs(Date.parse(at))}
          </time>
        )}
      </GridCell>
      <GridCell className={`event-name log-level ${level ?? ''}`}>
        {level === null ? null : (
          <>
            <Icon of={levelIcons[level]} small />
            <span className="ellipsis">{levelNames[level]}</span>
          </>
        )}
      </GridCell>
      <GridCell className="ellipsis">
        {message} <span className="soft">{factsLine(entry)}</span>
      </GridCell>
      <GridCell className="soft ellipsis">{source === null ? '' : sourceNames[source]}</GridCell>
    </GridRow>
  );
});
