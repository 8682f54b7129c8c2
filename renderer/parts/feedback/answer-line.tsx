// The answer line: in place of the status line, so that it covers nothing. The sentence, Undo, the seconds left, the last ten answers.
import { Popover } from '@base-ui/react/popover';
import { type ReactElement, useEffect } from 'react';
import { useObservable } from '../../api/observable.ts';
import { useKeys } from '../../keys.ts';
import { answerParts } from '../../model/answer-text.ts';
import { count } from '../../model/format.ts';
import { Button } from '../buttons/button.tsx';
import { type Answer, answers, close, finishNow, hold, undo } from './answers.ts';
import { Icon } from './icon.tsx';
import { Time, useNow } from './time.tsx';

const icons = { begun: 'moving', done: 'fine', failed: 'failed' } as const;

/** null: nothing to answer; the status line is shown. */
export function AnswerLine(): ReactElement | null {
  const { shown, undoable, underWay, last } = useObservable(answers);
  useKeys(undoable === null && underWay === 0 ? {} : { 'mod+z': undo });
  useEffect(() => {
    window.addEventListener('pagehide', finishNow);
    return () => window.removeEventListener('pagehide', finishNow);
  }, []);
  if (shown === null) return null;
  const moreAnswers = last.length - (shown.kind === 'begun' ? 0 : 1);
  return (
    <section
      className={`answer-line ${shown.kind}`}
      aria-label="Last action"
      onMouseEnter={() => hold(true)}
      onMouseLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) hold(false);
      }}
    >
      <Icon of={icons[shown.kind]} small spinning={shown.kind === 'begun'} />
      <AnswerText answer={shown} />
      <span className="end row">
        {moreAnswers > 0 ? <LastAnswers text={`${count(moreAnswers)} more`} /> : null}
        {undoable === shown.number ? (
          <Button kind="ghost" shortcut="Ctrl Z" onClick={undo}>
            Undo
          </Button>
        ) : null}
        <SecondsLeft />
        <Button kind="ghost" icon="close" label="Close" onClick={close} />
      </span>
    </section>
  );
}

/** Paths are shown as paths, cut in their middle; the tooltip has all of it. */
function AnswerText({ answer: { text } }: { readonly answer: Answer }): ReactElement {
  return (
    <span className="ellipsis" title={text}>
      {answerParts(text).map((part, index) =>
        part.isPath ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence
          <span key={index} className="mono">
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </span>
  );
}

function SecondsLeft(): ReactElement | null {
  const { untilMs } = useObservable(answers);
  const now = useNow();
  if (untilMs === null) return null;
  return (
    <span className="seconds" aria-hidden="true">
      {Math.max(1, Math.ceil((untilMs - now) / 1_000))}
      {'\u00a0'}s
    </span>
  );
}

/** A button with the last answers, newest first. null: none yet. */
export function LastAnswers({ text }: { readonly text?: string }): ReactElement | null {
  const { last, undoable } = useObservable(answers);
  if (last.length === 0) return null;
  return (
    <Popover.Root>
      <Popover.Trigger
        className={text === undefined ? 'copy' : 'button ghost'}
        title="Last answers"
        {...(text === undefined ? { 'aria-label': 'Last answers' } : {})}
      >
        {text ?? <Icon of="history" small />}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner side="top" sideOffset={6} align="end" className="above">
          <Popover.Popup className="menu last-answers" aria-label="Last answers">
            <ol>
              {last.map((answer) => (
                <li key={answer.number}>
                  <Icon of={icons[answer.kind]} small />
                  <span className="grow">{answer.text}</span>
                  {answer.number === undoable ? <Button onClick={undo}>Undo</Button> : null}
                  <Time at={answer.atMs} as="clock" />
                </li>
              ))}
            </ol>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
