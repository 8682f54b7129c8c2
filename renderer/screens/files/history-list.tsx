// The revisions of a file, newest first: one tab stop, arrows inside.
import { type KeyboardEvent, type ReactElement, useEffect, useRef } from 'react';
import type { HistoryEntry } from '../../../server/contract/history.ts';
import { actorName, entryLabel } from '../../model/files/history-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Time } from '../../parts/feedback/time.tsx';

export function HistoryList({
  entries,
  at,
  label,
  onChoose,
  older,
}: {
  readonly entries: readonly HistoryEntry[];
  readonly at: number;
  readonly label: string;
  readonly onChoose: (revision: string) => void;
  readonly older: (() => void) | null;
}): ReactElement {
  const list = useRef<HTMLOListElement>(null);
  const chosen = entries[at]?.revision;
  useEffect(() => {
    if (chosen === undefined) return;
    const item = list.current?.querySelector('[aria-current="true"]');
    item?.scrollIntoView({ block: 'nearest' });
    // Only while the list has the focus anyway: the keys of the page do not steal it.
    if (item instanceof HTMLElement && list.current?.contains(document.activeElement)) item.focus();
  }, [chosen]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps = { ArrowDown: 1, ArrowUp: -1, Home: -at, End: entries.length - 1 - at }[event.key];
    const next = steps === undefined ? undefined : entries[at + steps];
    if (next === undefined) return;
    // The arrows of the page move through the files.
    event.preventDefault();
    event.stopPropagation();
    onChoose(next.revision);
  };
  return (
    <div className="history-list scroller">
      <ol ref={list} aria-label={label} onKeyDown={onKeyDown}>
        {entries.map((entry, index) => (
          <li key={entry.revision}>
            <button
              type="button"
              aria-current={index === at}
              tabIndex={index === at ? 0 : -1}
              onClick={() => onChoose(entry.revision)}
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
      {older === null ? null : <Button onClick={older}>Older revisions</Button>}
    </div>
  );
}
