// The revisions of a file, newest first: one tab stop, arrow keys inside.
import { type KeyboardEvent, type ReactElement, useEffect, useRef } from 'react';
import type { HistoryEntry } from '../../../../server/contract/history.ts';
import { actorName, entryLabel } from '../../../model/files/history-view.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { Time } from '../../../parts/feedback/time.tsx';

export function HistoryList({
  entries,
  selectedIndex,
  label,
  onSelect,
  loadOlder,
}: {
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
    <div className="history-list scroller">
      <ol ref={list} aria-label={label} onKeyDown={onKeyDown}>
        {entries.map((entry, index) => (
          <li key={entry.revision}>
            <button
              type="button"
              aria-current={index === selectedIndex}
              tabIndex={index === selectedIndex ? 0 : -1}
              onClick={() => onSelect(entry.revision)}
            >
              <span className="mono">{entry.revision}</span>
              <span>{entryLabel(entry)}</span>
              <span className="faint ellipsis">
                {actorName(entry)} · <Time at={entry.at} as="ago" />
              </span>
            </button>
          </li>
        ))}
      </ol>
      {loadOlder === null ? null : <Button onClick={loadOlder}>Load older</Button>}
    </div>
  );
}
