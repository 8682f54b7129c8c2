// Shows a diff with line numbers, signs, tints and changed words. Unchanged lines can be folded; a long diff is cut with a note.
import { type ReactElement, useMemo } from 'react';
import { plural } from '../../model/format.ts';
import { type DiffLine, parseUnifiedDiff } from '../../model/text/unified-diff.ts';
import { wordMarks } from '../../model/text/word-marks.ts';
import { MarkedText } from '../feedback/marked-text.tsx';

const linesMax = 1_500;
const signs: Record<DiffLine['kind'], string> = { same: '', added: '+', removed: '−', gap: '' };
const words: Record<DiffLine['kind'], string> = { same: '', added: 'added: ', removed: 'removed: ', gap: '' };
const noMarks = [] as const;

/** A unified diff. */
export function DiffText({ diff, title }: { readonly diff: string; readonly title: string }): ReactElement {
  const lines = useMemo(() => parseUnifiedDiff(diff), [diff]);
  return <DiffLines lines={lines} title={title} />;
}

export function DiffLines({
  lines,
  title,
  onUnfold,
}: {
  readonly lines: readonly DiffLine[];
  readonly title?: string;
  /** Shows the lines of a fold. */
  readonly onUnfold?: (hunk: number) => void;
}): ReactElement {
  const shown = useMemo(() => lines.slice(0, linesMax), [lines]);
  const marks = useMemo(() => wordMarks(shown), [shown]);
  const cut = lines.length - linesMax;
  return (
    <div className="diff">
      {title === undefined ? null : <div className="diff-title">{title}</div>}
      {shown.map((line, index) => {
        const { fold } = line;
        return fold !== undefined ? (
          <button
            key={`fold ${fold.hunk}`}
            type="button"
            className="fold"
            onClick={() => onUnfold?.(fold.hunk)}
          >
            Show {plural(fold.count, 'unchanged line')}
          </button>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text are never reordered
          <div key={index} className={`diff-line ${line.kind}`}>
            <span className="diff-number" aria-hidden="true">
              {line.kind === 'gap' ? '…' : line.before}
            </span>
            <span className="diff-number" aria-hidden="true">
              {line.after}
            </span>
            <span className="diff-sign" aria-hidden="true">
              {signs[line.kind]}
            </span>
            <span className="diff-text">
              {words[line.kind] === '' ? null : <span className="reader-only">{words[line.kind]}</span>}
              <MarkedText text={line.text} ranges={marks.get(index) ?? noMarks} />
            </span>
          </div>
        );
      })}
      {cut > 0 ? <div className="diff-title">{plural(cut, 'more line')} not shown</div> : null}
    </div>
  );
}
