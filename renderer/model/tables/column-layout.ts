// Which columns of a list fit, and how wide they are. Pure.

export interface Column<Id extends string = string> {
  readonly id: Id;
  /** Empty: a column without a head, such as that of checkboxes. It keeps its width. */
  readonly title: string;
  /** Its width until a person changes it. */
  readonly widthPx: number;
  /** It takes the room that is left, and never less than its width. */
  readonly grows?: true;
  /** Figures. */
  readonly atEnd?: true;
  /** Columns that do not fit leave, the highest number first; absent: it never leaves. */
  readonly leaves?: number;
  /** The direction of the first click; absent: the list cannot be sorted by it. */
  readonly firstSort?: 'up' | 'down';
}

const columnGapPx = 12;
export const columnMinPx = 40;
export const columnMaxPx = 1_200;
/** Left and right of a row. */
const rowPaddingPx = 36;

/** Widths that a person has chosen. */
export type ColumnWidths = Readonly<Record<string, number>>;

export function sortableIds<Id extends string>(columns: readonly Column<Id>[]): readonly Id[] {
  return columns.flatMap(({ id, firstSort }) => (firstSort === undefined ? [] : [id]));
}

export function widthOf(column: Column, widths: ColumnWidths): number {
  return widths[column.id] ?? column.widthPx;
}

/** One that grows needs no more than its least width. */
function neededPx(shown: readonly Column[], widths: ColumnWidths): number {
  const columnsPx = shown.reduce((sum, each) => sum + (each.grows ? each.widthPx : widthOf(each, widths)), 0);
  return rowPaddingPx + columnGapPx * (shown.length - 1) + columnsPx;
}

/** How wide a shown column can get before another one, or it itself, would have to leave. */
export function widestOf(
  column: Column,
  shown: readonly Column[],
  widths: ColumnWidths,
  roomPx: number,
): number {
  const sparePx = Math.max(0, roomPx - neededPx(shown, widths));
  return Math.min(columnMaxPx, widthOf(column, widths) + sparePx);
}

/** Those that fit into `roomPx`, in their order. */
export function shownColumns<Id extends string>(
  columns: readonly Column<Id>[],
  widths: ColumnWidths,
  roomPx: number,
): readonly Column<Id>[] {
  let shown = columns;
  while (neededPx(shown, widths) > roomPx) {
    const last = shown
      .filter(({ leaves }) => leaves !== undefined)
      .reduce<Column<Id> | null>((a, b) => (a === null || (b.leaves ?? 0) > (a.leaves ?? 0) ? b : a), null);
    if (last === null) break;
    shown = shown.filter((each) => each !== last);
  }
  return shown;
}

/** The value of `grid-template-columns`. */
export function templateOf(shown: readonly Column[], widths: ColumnWidths): string {
  return shown
    .map((each) => (each.grows ? 'minmax(0, 1fr)' : `${Math.round(widthOf(each, widths))}px`))
    .join(' ');
}

/** What local storage has; anything else than widths is left out. */
export function parseWidths(text: string | null): ColumnWidths {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter(
        ([, px]) => typeof px === 'number' && px >= columnMinPx && px <= columnMaxPx,
      ),
    );
  } catch {
    return {};
  }
}
