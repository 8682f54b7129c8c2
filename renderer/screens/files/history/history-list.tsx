// The revisions of a file, newest first, with their lines added and removed: one tab stop, arrow keys inside.
import { type KeyboardEvent, type ReactElement, useEffect, useMemo, useRef } from 'react';
import type { HistoryEntry } from '../../../../server/contract/history.ts';
import { actorView } from '../../../model/actor-view.ts';
import { actorName, entryLabel } from '../../../model/files/history-view.ts';
import { lineCounts, parseUnifiedDiff } from '../../../model/text/unified-diff.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { Lines } from '../../../parts/diff/line-counts.tsx';
import { Avatar } from '../../../parts/feedback/avatar.tsx';
import { Time } from '../../../parts/feedback/time.tsx';
import { useDiff } from './use-diff.ts';

/** Of rows farther from the selected one the lines are counted when it comes near. */
const countedRows = 8;

export function HistoryList({
  workspaceId,
  path,
  entries,
  selectedIndex,
  label,
  onSelect,
  loadOlder,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly entries: readonly HistoryEntry[];
  readonly selectedIndex: number;
  readonly label: string;
  readonly onSelect: (revision: string) => void;
  /** null: all are loaded. */
  readonly loadOlder: (() => void) | null;
}): ReactElement {
  const list = useRef<HTMLOListElement>(null);
  const selected = entries[selectedIndex]?.revision;
  useEffect(() => {
    if (selected === undefined) return;
    const item = list.current?.querySelector('[aria-current="true"]');
    item?.scrollIntoView({ block: 'nearest' });
    // Only if the list has the focus: keys of the screen must not move it here.
    if (item instanceof HTMLElement && list.current?.contains(document.activeElement)) item.focus();
  }, [selected]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const indices: Readonly<Record<string, number>> = {
      ArrowDown: selectedIndex + 1,
      ArrowUp: selectedIndex - 1,
      Home: 0,
      End: entries.length - 1,
    };
    const next = entries[indices[event.key] ?? -1];
    if (next === undefined) return;
    // Otherwise the arrow keys of the screen select another file.
    event.preventDefault();
    event.stopPropagation();
    onSelect(next.revision);
  };
  return (
    <div className="history-list">
      <ol ref={list} aria-label={label} onKeyDown={onKeyDown}>
        {entries.map((entry, index) => (
          <li key={entry.revision}>
            <button
              type="button"
              aria-current={index === selectedIndex}
              tabIndex={index === selectedIndex ? 0 : -1}
              onClick={() => onSelect(entry.revision)}
            >
              <Time at={entry.at} as="ago" />
              <Avatar of={actorView(entry)} />
              <b className="ellipsis">{actorName(entry)}</b>
              <span className="ellipsis grow">{entryLabel(entry)}</span>
              <RevisionLines
                workspaceId={workspaceId}
                path={path}
                revision={entry.revision}
                isCounted={Math.abs(index - selectedIndex) <= countedRows}
              />
              <span className="mono faint">{entry.revision}</span>
            </button>
          </li>
        ))}
      </ol>
      {loadOlder === null ? null : <Button onClick={loadOlder}>Load older</Button>}
    </div>
  );
}

function RevisionLines({
  workspaceId,
  path,
  revision,
  isCounted,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly revision: string;
  readonly isCounted: boolean;
}): ReactElement | null {
  const patch = useDiff(workspaceId, path, revision, isCounted).data?.patch;
  const lines = useMemo(() => (patch === undefined ? null : lineCounts(parseUnifiedDiff(patch))), [patch]);
  return lines === null ? null : <Lines of={lines} />;
}
