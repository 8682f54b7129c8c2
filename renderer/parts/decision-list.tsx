// The places that both sides changed differently: each gets one side's lines, the base's, or what is typed.
import type { ReactElement } from 'react';
import { type Comparison, type Decision, type Piece, type Side, textOf } from '../model/conflict-lines.ts';
import { Segments } from './segments.tsx';

type Pick = Side | 'typed' | 'none';

function picksOf(names: Readonly<Record<Side, string>>): readonly { value: Pick; text: string }[] {
  return [
    { value: 'folder', text: names.folder },
    { value: 'base', text: names.base },
    { value: 'workspace', text: names.workspace },
    { value: 'typed', text: 'Type…' },
  ];
}

export function DecisionList({
  comparison,
  names,
  decisionOf,
  onDecide,
}: {
  readonly comparison: Comparison;
  /** What the sides are called here. */
  readonly names: Readonly<Record<Side, string>>;
  readonly decisionOf: (piece: Piece) => Decision | undefined;
  readonly onDecide: (piece: Piece, decision: Decision) => void;
}): ReactElement | null {
  const { pieces, texts } = comparison;
  const picks = picksOf(names);
  const clashes = pieces.filter((piece) => piece.kind === 'clash');
  if (clashes.length === 0)
    return <p className="soft">Nothing clashes: the changes of both sides go together.</p>;
  return (
    <ul id="decisions" className="decisions">
      {clashes.map((piece) => {
        const decision = decisionOf(piece);
        const name = placeName(piece, names);
        const pick: Pick = decision === undefined ? 'none' : 'side' in decision ? decision.side : 'typed';
        return (
          <li
            key={`${piece.folder.start} ${piece.workspace.start}`}
            data-open={decision === undefined || undefined}
          >
            <span className="row">
              <span className="grow">{name}</span>
              <Segments
                label={name}
                options={picks}
                value={pick}
                onChange={(next: Pick) => {
                  if (next === 'none') return;
                  const start = `${textOf(texts.folder, piece.folder)}${textOf(texts.workspace, piece.workspace)}`;
                  onDecide(piece, next === 'typed' ? { text: start } : { side: next });
                }}
              />
            </span>
            {decision !== undefined && 'text' in decision ? (
              <textarea
                className="input payload-field"
                aria-label={`Text of ${name.toLowerCase()}`}
                rows={Math.min(12, decision.text.split('\n').length + 1)}
                spellCheck={false}
                value={decision.text}
                onChange={(event) => onDecide(piece, { text: event.target.value })}
              />
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

/** `Lines 3 to 5 here, 3 to 4 there` in the numbers of both sides. */
function placeName(piece: Piece, names: Readonly<Record<Side, string>>): string {
  const here = rangeName(piece.folder);
  const there = rangeName(piece.workspace);
  return here === there
    ? capital(here)
    : `${capital(here)} ${names.folder.toLowerCase()}, ${there} ${names.workspace.toLowerCase()}`;
}

function rangeName({ start, count }: Piece['base']): string {
  if (count === 0) return `after line ${start}`;
  return count === 1 ? `line ${start + 1}` : `lines ${start + 1} to ${start + count}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
