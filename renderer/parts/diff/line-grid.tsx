// Lines of two or three versions in one grid, so that they stay level when they wrap. Sign and tint say who changed a line; long
// runs that are alike are folded, and very long texts are cut, and say so.
import { type ReactElement, type ReactNode, useMemo } from 'react';
import { plural } from '../../model/format.ts';
import {
  type Cell,
  type Comparison,
  type GridRow,
  gridRows,
  type Side,
} from '../../model/text/conflict-rows.ts';

const rowsMax = 1_500;

export function LineGrid({
  comparison,
  sides,
  heads,
  unfolded,
  onUnfold,
  showsRemoved = false,
}: {
  readonly comparison: Comparison;
  readonly sides: readonly Side[];
  readonly heads: Readonly<Record<Side, ReactNode>>;
  readonly unfolded: ReadonlySet<number>;
  readonly onUnfold: (piece: number) => void;
  /** Lines of the base that a change took away are marked as such. */
  readonly showsRemoved?: boolean;
}): ReactElement {
  const rows = useMemo(
    () => gridRows(comparison.pieces, comparison.texts, unfolded),
    [comparison.pieces, comparison.texts, unfolded],
  );
  const cut = rows.length - rowsMax;
  return (
    <div className={`line-grid of-${sides.length}`}>
      {sides.map((side, index) => (
        <div key={side} className={index === 0 ? 'line-head' : 'line-head next'}>
          {heads[side]}
        </div>
      ))}
      {rows.slice(0, rowsMax).map((row, index) =>
        row.kind === 'fold' ? (
          <button
            key={`fold ${row.piece}`}
            type="button"
            className="fold"
            onClick={() => onUnfold(row.piece)}
          >
            Show {plural(row.count, 'more line')} that {row.count === 1 ? 'is' : 'are'} alike
          </button>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one comparison never move
          <LineRow key={index} row={row} sides={sides} showsRemoved={showsRemoved} />
        ),
      )}
      {cut > 0 ? <p className="fold">{plural(cut, 'more line')}, not shown here</p> : null}
    </div>
  );
}

type Lines = Exclude<GridRow, { readonly kind: 'fold' }>;

function LineRow({
  row,
  sides,
  showsRemoved,
}: {
  readonly row: Lines;
  readonly sides: readonly Side[];
  readonly showsRemoved: boolean;
}): ReactElement {
  return (
    <>
      {sides.map((side, index) => (
        <LineCell
          key={side}
          cell={row.cells[side]}
          mark={markOf(row.kind, side, showsRemoved)}
          next={index > 0}
        />
      ))}
    </>
  );
}

type Mark = 'same' | 'added' | 'removed' | 'clash';

function markOf(kind: Lines['kind'], side: Side, showsRemoved: boolean): Mark {
  if (kind === 'clash') return 'clash';
  if (side === 'base' && kind !== 'same' && showsRemoved) return 'removed';
  if (kind === 'same' || side === 'base') return 'same';
  return kind === 'both' || kind === side ? 'added' : 'same';
}

const signs: Readonly<Record<Mark, string>> = { same: '', added: '+', removed: '−', clash: '!' };
const words: Readonly<Record<Mark, string>> = {
  same: '',
  added: 'changed: ',
  removed: 'removed: ',
  clash: 'clashes: ',
};

function LineCell({
  cell,
  mark,
  next = false,
}: {
  readonly cell: Cell | null;
  readonly mark: Mark;
  /** Another column stands left of it. */
  readonly next?: boolean;
}): ReactElement {
  const beside = next ? ' next' : '';
  if (cell === null) return <div className={`line-cell none${beside}`} />;
  return (
    <div className={`line-cell ${mark}${beside}`}>
      <span className="diff-number" aria-hidden="true">
        {cell.number}
      </span>
      <span className="diff-sign" aria-hidden="true">
        {signs[mark]}
      </span>
      <span className="diff-text">
        {words[mark] === '' ? null : <span className="reader-only">{words[mark]}</span>}
        {cell.text}
      </span>
    </div>
  );
}

/** One text, numbered. */
export function PlainLines({
  title,
  lines,
}: {
  readonly title: string;
  readonly lines: readonly string[];
}): ReactElement {
  const cut = lines.length - rowsMax;
  return (
    <div className="line-grid of-1">
      <div className="line-head">
        <b>{title}</b>
      </div>
      {lines.slice(0, rowsMax).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text never move
        <LineCell key={index} cell={{ number: index + 1, text: line.replace(/\r?\n$/, '') }} mark="same" />
      ))}
      {cut > 0 ? <p className="fold">{plural(cut, 'more line')}, not shown here</p> : null}
    </div>
  );
}
