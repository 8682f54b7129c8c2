// Shows a unified diff with line numbers, signs and tints. A long diff is cut with a note.
import type { ReactElement } from 'react';
import { plural } from '../../model/format.ts';
import { type DiffLine, parseUnifiedDiff } from '../../model/text/unified-diff.ts';

const linesMax = 1_500;
const signs: Record<DiffLine['kind'], string> = { same: '', added: '+', removed: '−', gap: '' };
const words: Record<DiffLine['kind'], string> = { same: '', added: 'added: ', removed: 'removed: ', gap: '' };

export function DiffText({ diff, title }: { readonly diff: string; readonly title: string }): ReactElement {
  const lines = parseUnifiedDiff(diff);
  const cut = lines.length - linesMax;
  return (
    <div className="diff">
      <div className="diff-title">{title}</div>
      {lines.slice(0, linesMax).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text are never reordered
        <div key={index} className={`diff-line ${line.kind}`}>
          <span className="diff-number" aria-hidden="true">
            {line.after ?? line.before ?? '…'}
          </span>
          <span className="diff-sign" aria-hidden="true">
            {signs[line.kind]}
          </span>
          <span className="diff-text">
            {words[line.kind] === '' ? null : <span className="reader-only">{words[line.kind]}</span>}
            {line.text}
          </span>
        </div>
      ))}
      {cut > 0 ? <div className="diff-title">{plural(cut, 'more line')} not shown</div> : null}
    </div>
  );
}
