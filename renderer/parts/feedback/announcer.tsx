// What readers hear: answers to actions, failures at once, and state changes; never rows, counters or rates.
import type { ReactElement } from 'react';
import { Observable, useObservable } from '../../api/observable.ts';
import { answers } from './answers.ts';

interface Announcement {
  readonly text: string;
  /** Distinguishes two announcements of the same text. */
  readonly number: number;
}

const announcement = new Observable<Announcement>({ text: '', number: 0 });

/** For what the screen shows anyway. The result of an action is an answer (answers.ts), which is also seen. */
export function speak(text: string): void {
  announcement.set({ text, number: announcement.get().number + 1 });
}

export function Announcer(): ReactElement {
  const { text, number } = useObservable(announcement);
  const { shown, undoable } = useObservable(answers);
  const hint = shown !== null && shown.number === undoable ? ' Press Ctrl+Z to undo.' : '';
  return (
    <div className="reader-only">
      <div role="status" aria-live="polite">
        <span key={number}>{text}</span>
      </div>
      <div role="status" aria-live="polite">
        {shown !== null && shown.kind !== 'failed' ? (
          <span key={shown.number}>{shown.text + hint}</span>
        ) : null}
      </div>
      {shown?.kind === 'failed' ? (
        <div key={shown.number} role="alert">
          {shown.text}
        </div>
      ) : null}
    </div>
  );
}
