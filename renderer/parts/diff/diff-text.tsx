// A difference to read: numbers of both sides, a sign for every line, a tint. Long ones are cut, and say so.
import type { ReactElement } from 'react';
import { plural } from '../../model/format.ts';
import { type DiffLine, diffLines } from '../../model/text/unified-diff.ts';

const linesMax = 1_500;
const signs: Record<DiffLine['kind'], string> = { same: '', added: '+', removed: '−', gap: '' };
const words: Record<DiffLine['kind'], string> = { same: '', added: 'added: ', removed: 'removed: ', gap: '' };

export function DiffText({ diff, title }: { readonly diff: string; readonly title: string }): ReactElement {
  const lines = diffLines(diff);
  const cut = lines.length - linesMax;
  return (
    <div className="diff">
      <div className="diff-title">{title}</div>
      {lines.slice(0, linesMax).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text never move
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
      {cut > 0 ? <div className="diff-title">{plural(cut, 'more line')}, not shown here</div> : null}
    </div>
  );
}
