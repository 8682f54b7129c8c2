// Selection of several rows: state, bar in place of the foot, checkbox in each row.
import { type ReactElement, type ReactNode, useMemo, useState } from 'react';
import { count } from '../../model/format.ts';
import { Checkbox } from '../fields/checkbox.tsx';

export interface Selection<T> {
  readonly marked: ReadonlySet<string>;
  /** The selected rows that the list still has, in its order. */
  readonly rows: readonly T[];
  toggle(id: string): void;
  /** Selects the rows between two, with both. */
  range(fromId: string, toId: string): void;
  all(): void;
  clear(): void;
}

/** Rows that leave the list are no longer selected. */
export function useSelection<T>(rows: readonly T[], idOf: (row: T) => string): Selection<T> {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const selected = useMemo(
    () => (marked.size === 0 ? [] : rows.filter((row) => marked.has(idOf(row)))),
    [rows, marked, idOf],
  );
  // A row that comes back, as after Undo, is not selected: an action would take it without being asked to.
  if (selected.length < marked.size) setMarked(new Set(selected.map(idOf)));
  return {
    marked,
    rows: selected,
    toggle: (id) => setMarked((before) => (before.has(id) ? without(before, id) : new Set(before).add(id))),
    range: (fromId, toId) => {
      const ids = rows.map(idOf);
      const [first = 0, last = 0] = [ids.indexOf(fromId), ids.indexOf(toId)].sort((a, b) => a - b);
      setMarked((before) => new Set([...before, ...ids.slice(Math.max(0, first), last + 1)]));
    },
    all: () => setMarked(new Set(rows.map(idOf))),
    clear: () => setMarked(new Set()),
  };
}

function without(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...set].filter((each) => each !== id));
}

/** In place of the foot of the list while rows are selected; `children` are the action buttons. */
export function SelectionBar<T>({
  selection,
  of,
  note,
  children,
}: {
  readonly selection: Selection<T>;
  /** Number of rows of the list. */
  readonly of: number;
  readonly note?: string;
  readonly children: ReactNode;
}): ReactElement | null {
  const selected = selection.rows.length;
  if (selected === 0) return null;
  return (
    <section className="selection-bar" aria-label="Selection">
      <Checkbox
        label="Select all"
        checked={selected === of}
        isPartial={selected < of}
        onChange={(isChecked) => (isChecked ? selection.all() : selection.clear())}
      />
      <b>{count(selected)} selected</b>
      {note === undefined ? null : <span className="soft when-wide">{note}</span>}
      <span className="end row">{children}</span>
    </section>
  );
}

/** The first cell of a row. The row has the focus; X selects. */
export function MarkCell({
  id,
  marked,
  onToggle,
}: {
  readonly id: string;
  readonly marked: boolean;
  readonly onToggle: () => void;
}): ReactElement {
  return (
    // biome-ignore lint/a11y/useSemanticElements: cells of a virtual grid
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box itself takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the row has the focus
    <span role="gridcell" className="mark-cell" onClick={(event) => event.stopPropagation()}>
      <Checkbox label={`Select ${id}`} checked={marked} isInRow onChange={onToggle} />
    </span>
  );
}
