// A unified diff in two columns, before and after, with changed words; a long diff is cut with a note.
import { type ReactElement, useMemo } from 'react';
import { plural } from '../../model/format.ts';
import type { TextRange } from '../../model/text/text-parts.ts';
import { type DiffLine, parseUnifiedDiff, sideRows } from '../../model/text/unified-diff.ts';
import { wordMarks } from '../../model/text/word-marks.ts';
import { MarkedText } from '../feedback/marked-text.tsx';

const rowsMax = 1_500;
const noMarks: readonly TextRange[] = [];

export function SideDiff({
  diff,
  before,
  after,
}: {
  readonly diff: string;
  /** The titles of the columns. */
  readonly before: string;
  readonly after: string;
}): ReactElement {
  const lines = useMemo(() => parseUnifiedDiff(diff), [diff]);
  const rows = useMemo(() => sideRows(lines), [lines]);
  const marks = useMemo(() => wordMarks(lines.slice(0, rowsMax * 2)), [lines]);
  const cell = (index: number | null, side: 'before' | 'after'): ReactElement => (
    <Cell line={index === null ? undefined : lines[index]} side={side} marks={marks.get(index ?? -1)} />
  );
  return (
    <table className="diff side-diff">
      <thead>
        <tr>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, rowsMax).map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a diff are never reordered
          <tr key={index}>
            {cell(row.before, 'before')}
            {cell(row.after, 'after')}
          </tr>
        ))}
      </tbody>
      {rows.length > rowsMax ? (
        <tfoot>
          <tr>
            <td colSpan={2}>{plural(rows.length - rowsMax, 'more line')} not shown</td>
          </tr>
        </tfoot>
      ) : null}
    </table>
  );
}

function Cell({
  line,
  side,
  marks,
}: {
  readonly line: DiffLine | undefined;
  readonly side: 'before' | 'after';
  readonly marks: readonly TextRange[] | undefined;
}): ReactElement {
  if (line === undefined) return <td className="absent" />;
  return (
    <td>
      <div className={`diff-line ${line.kind}`}>
        <span className="diff-number" aria-hidden="true">
          {line.kind === 'gap' ? '…' : line[side]}
        </span>
        <span className="diff-text">
          {line.kind === 'added' || line.kind === 'removed' ? (
            <span className="reader-only">{line.kind}: </span>
          ) : null}
          <MarkedText text={line.text} ranges={marks ?? noMarks} />
        </span>
      </div>
    </td>
  );
}
