// Several rows of a list, chosen to be done with together: what is chosen, its bar above the list, the box in each row.
import { type ReactElement, type ReactNode, useMemo, useState } from 'react';
import { count } from '../../model/format.ts';

export interface Selection<T> {
  readonly marked: ReadonlySet<string>;
  /** The chosen rows that are still there, in the order of the list. */
  readonly rows: readonly T[];
  toggle(id: string): void;
  all(): void;
  clear(): void;
}

/** `rows` and `idOf` as the list has them. What leaves the list is no longer chosen. */
export function useSelection<T>(rows: readonly T[], idOf: (row: T) => string): Selection<T> {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const chosen = useMemo(
    () => (marked.size === 0 ? [] : rows.filter((row) => marked.has(idOf(row)))),
    [rows, marked, idOf],
  );
  return {
    marked,
    rows: chosen,
    toggle: (id) => setMarked((before) => (before.has(id) ? without(before, id) : new Set(before).add(id))),
    all: () => setMarked(new Set(rows.map(idOf))),
    clear: () => setMarked(new Set()),
  };
}

function without(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...set].filter((each) => each !== id));
}

/** Above the list while something is chosen; `children` are the buttons of what can be done with it. */
export function SelectionBar<T>({
  selection,
  of,
  note,
  children,
}: {
  readonly selection: Selection<T>;
  /** How many rows the list has. */
  readonly of: number;
  readonly note?: string;
  readonly children: ReactNode;
}): ReactElement | null {
  const chosen = selection.rows.length;
  if (chosen === 0) return null;
  return (
    <section className="selection-bar" aria-label="Selection">
      <input
        type="checkbox"
        aria-label="Select all"
        checked={chosen === of}
        ref={(box) => {
          if (box !== null) box.indeterminate = chosen < of;
        }}
        onChange={(event) => (event.target.checked ? selection.all() : selection.clear())}
      />
      <b>{count(chosen)} selected</b>
      {note === undefined ? null : <span className="soft when-wide">{note}</span>}
      <span className="end row">{children}</span>
    </section>
  );
}

/** The first cell of a row. The row itself has the focus: X chooses. */
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
      <input type="checkbox" tabIndex={-1} aria-label={`Select ${id}`} checked={marked} onChange={onToggle} />
    </span>
  );
}
