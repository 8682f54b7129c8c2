// Lists the conflicting hunks of a merge with the decision for each: the lines of one version, or a typed text.
import { type ReactElement, useState } from 'react';
import { endOf, type LineRange } from '../../../server/core/merge/line-diff.ts';
import {
  type HunkDecision,
  type MergeHunk,
  textAt,
  type VersionName,
} from '../../../server/core/merge/three-way-merge.ts';
import type { Comparison } from '../../model/text/conflict-rows.ts';
import { Button } from '../buttons/button.tsx';
import { Segments } from '../buttons/segments.tsx';
import { takesFocus } from '../fields/takes-focus.ts';

type Pick = VersionName | 'typed' | 'none';

function picksOf(names: Readonly<Record<VersionName, string>>): readonly { value: Pick; text: string }[] {
  return [
    { value: 'mine', text: names.mine },
    { value: 'base', text: names.base },
    { value: 'theirs', text: names.theirs },
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
  /** Labels of the versions. */
  readonly names: Readonly<Record<VersionName, string>>;
  readonly decisionOf: (hunk: MergeHunk) => HunkDecision | undefined;
  readonly onDecide: (hunk: MergeHunk, decision: HunkDecision) => void;
}): ReactElement | null {
  const { hunks, versions } = comparison;
  /** First line of the hunk whose text is being typed; only one field is open. */
  const [typing, setTyping] = useState<number | null>(null);
  const picks = picksOf(names);
  const conflicts = hunks.filter(({ kind }) => kind === 'clash');
  if (conflicts.length === 0) return <p className="soft">No conflicts: both sides’ changes can be merged.</p>;
  return (
    <ul id="decisions" className="decisions">
      {conflicts.map((hunk) => {
        const decision = decisionOf(hunk);
        const name = hunkName(hunk, names);
        const pick: Pick =
          decision === undefined ? 'none' : 'version' in decision ? decision.version : 'typed';
        return (
          <li key={`${hunk.mine.start} ${hunk.theirs.start}`} data-open={decision === undefined || undefined}>
            <span className="row">
              <span className="grow">{name}</span>
              <Segments
                label={name}
                options={picks}
                value={pick}
                onChange={(next: Pick) => {
                  if (next === 'none') return;
                  setTyping(next === 'typed' ? hunk.mine.start : null);
                  if (next !== 'typed') return onDecide(hunk, { version: next });
                  // An earlier typed text is kept.
                  if (pick === 'typed') return;
                  const start = `${textAt(versions.mine, hunk.mine)}${textAt(versions.theirs, hunk.theirs)}`;
                  onDecide(hunk, { text: start });
                }}
              />
            </span>
            {decision !== undefined && 'text' in decision ? (
              <TypedText
                name={name}
                text={decision.text}
                open={typing === hunk.mine.start}
                onType={(text) => onDecide(hunk, { text })}
                onClose={() => setTyping(null)}
              />
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

/** A text field while `open`; Escape closes it and keeps the text. */
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
        <span className="hint">Single-key shortcuts are off while you type.</span>
      </span>
    </>
  );
}

/** `Lines 3 to 5 local, lines 3 to 4 remote`, with the line numbers of both versions. */
function hunkName(hunk: MergeHunk, names: Readonly<Record<VersionName, string>>): string {
  const mine = rangeName(hunk.mine);
  const theirs = rangeName(hunk.theirs);
  return mine === theirs
    ? capital(mine)
    : `${capital(mine)} ${names.mine.toLowerCase()}, ${theirs} ${names.theirs.toLowerCase()}`;
}

function rangeName(range: LineRange): string {
  if (range.count === 0) return `after line ${range.start}`;
  return range.count === 1 ? `line ${range.start + 1}` : `lines ${range.start + 1} to ${endOf(range)}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
