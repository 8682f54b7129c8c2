// Shows the lines of two or three versions in one grid, aligned even when they wrap. Sign and tint mark changed lines; long
// unchanged runs are folded, and very long texts are cut with a note.
import { type ReactElement, type ReactNode, useMemo } from 'react';
import type { VersionName } from '../../../server/core/merge/three-way-merge.ts';
import { changedWords } from '../../../server/core/merge/word-diff.ts';
import { plural } from '../../model/format.ts';
import { type Cell, type Comparison, type GridRow, gridRows } from '../../model/text/conflict-rows.ts';
import type { TextRange } from '../../model/text/text-parts.ts';
import { MarkedText } from '../feedback/marked-text.tsx';

const rowsMax = 1_500;

export function LineGrid({
  comparison,
  shown,
  heads,
  unfolded,
  onUnfold,
  showsRemoved = false,
}: {
  readonly comparison: Comparison;
  /** The versions, from left to right. */
  readonly shown: readonly VersionName[];
  readonly heads: Readonly<Record<VersionName, ReactNode>>;
  readonly unfolded: ReadonlySet<number>;
  readonly onUnfold: (hunk: number) => void;
  /** Marks lines of the base that a change removed. */
  readonly showsRemoved?: boolean;
}): ReactElement {
  const rows = useMemo(() => gridRows(comparison, unfolded), [comparison, unfolded]);
  const cut = rows.length - rowsMax;
  return (
    <div className={`line-grid of-${shown.length}`}>
      {shown.map((version, index) => (
        <div key={version} className={index === 0 ? 'line-head' : 'line-head next'}>
          {heads[version]}
        </div>
      ))}
      {rows.slice(0, rowsMax).map((row, index) =>
        row.kind === 'fold' ? (
          <button key={`fold ${row.hunk}`} type="button" className="fold" onClick={() => onUnfold(row.hunk)}>
            Show {plural(row.count, 'unchanged line')}
          </button>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a comparison are never reordered
          <LineRow key={index} row={row} shown={shown} showsRemoved={showsRemoved} />
        ),
      )}
      {cut > 0 ? <p className="fold">{plural(cut, 'more line')} not shown</p> : null}
    </div>
  );
}

type Lines = Exclude<GridRow, { readonly kind: 'fold' }>;

function LineRow({
  row,
  shown,
  showsRemoved,
}: {
  readonly row: Lines;
  readonly shown: readonly VersionName[];
  readonly showsRemoved: boolean;
}): ReactElement {
  const words = useMemo(() => wordsOf(row, shown), [row, shown]);
  return (
    <>
      {shown.map((version, index) => (
        <LineCell
          key={version}
          cell={row.cells[version]}
          mark={markOf(row.kind, version, showsRemoved)}
          marks={words[index] ?? noMarks}
          isNext={index > 0}
        />
      ))}
    </>
  );
}

const noMarks: readonly TextRange[] = [];

/** The changed words of two versions side by side. */
function wordsOf(row: Lines, shown: readonly VersionName[]): readonly (readonly TextRange[])[] {
  const [left, right, third] = shown.map((version) => row.cells[version]);
  if (row.kind === 'same' || third !== undefined || left == null || right == null) return [];
  const words = changedWords(left.text, right.text);
  return words === null ? [] : [words.before, words.after];
}

type Mark = 'same' | 'added' | 'removed' | 'clash';

function markOf(kind: Lines['kind'], version: VersionName, showsRemoved: boolean): Mark {
  if (kind === 'clash') return 'clash';
  if (version === 'base' && kind !== 'same' && showsRemoved) return 'removed';
  if (kind === 'same' || version === 'base') return 'same';
  return kind === 'both' || kind === version ? 'added' : 'same';
}

const signs: Readonly<Record<Mark, string>> = { same: '', added: '+', removed: '−', clash: '!' };
const words: Readonly<Record<Mark, string>> = {
  same: '',
  added: 'changed: ',
  removed: 'removed: ',
  clash: 'conflict: ',
};

function LineCell({
  cell,
  mark,
  marks = noMarks,
  isNext = false,
}: {
  readonly cell: Cell | null;
  readonly mark: Mark;
  readonly marks?: readonly TextRange[];
  /** Another column is to its left. */
  readonly isNext?: boolean;
}): ReactElement {
  const next = isNext ? ' next' : '';
  if (cell === null) return <div className={`line-cell none${next}`} />;
  return (
    <div className={`line-cell ${mark}${next}`}>
      <span className="diff-number" aria-hidden="true">
        {cell.number}
      </span>
      <span className="diff-sign" aria-hidden="true">
        {signs[mark]}
      </span>
      <span className="diff-text">
        {words[mark] === '' ? null : <span className="reader-only">{words[mark]}</span>}
        <MarkedText text={cell.text} ranges={marks} />
      </span>
    </div>
  );
}

/** One text with line numbers. */
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
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text are never reordered
        <LineCell key={index} cell={{ number: index + 1, text: line.replace(/\r?\n$/, '') }} mark="same" />
      ))}
      {cut > 0 ? <p className="fold">{plural(cut, 'more line')} not shown</p> : null}
    </div>
  );
}
