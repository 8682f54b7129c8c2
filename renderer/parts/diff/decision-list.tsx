// The places that both sides changed differently: each gets one side's lines, the base's, or what is typed.
import { type ReactElement, useState } from 'react';
import {
  type Comparison,
  type Decision,
  type Piece,
  type Side,
  textOf,
} from '../../model/text/conflict-rows.ts';
import { Button } from '../buttons/button.tsx';
import { Segments } from '../buttons/segments.tsx';
import { takesFocus } from '../fields/takes-focus.ts';

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
  /** The hunk whose text is being typed; only one field is open. */
  const [typing, setTyping] = useState<number | null>(null);
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
                  setTyping(next === 'typed' ? piece.folder.start : null);
                  if (next !== 'typed') return onDecide(piece, { side: next });
                  // What was typed before is taken up again.
                  if (pick === 'typed') return;
                  const start = `${textOf(texts.folder, piece.folder)}${textOf(texts.workspace, piece.workspace)}`;
                  onDecide(piece, { text: start });
                }}
              />
            </span>
            {decision !== undefined && 'text' in decision ? (
              <TypedText
                name={name}
                text={decision.text}
                open={typing === piece.folder.start}
                onType={(text) => onDecide(piece, { text })}
                onClose={() => setTyping(null)}
              />
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

/** A field while it is open; Escape closes it, and what was typed stays. */
function TypedText({
  name,
  text,
  open,
  onType,
  onClose,
}: {
  readonly name: string;
  readonly text: string;
  readonly open: boolean;
  readonly onType: (text: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  if (!open) return <pre className="code">{text}</pre>;
  return (
    <>
      <textarea
        ref={takesFocus}
        className="input payload-field"
        aria-label={`Text of ${name.toLowerCase()}`}
        rows={Math.min(12, text.split('\n').length + 1)}
        spellCheck={false}
        value={text}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          onClose();
        }}
      />
      <span className="row">
        <Button shortcut="Esc" onClick={onClose}>
          Done
        </Button>
        <span className="hint">While this field is open, single keys such as M do nothing.</span>
      </span>
    </>
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
