// The polite live region for state changes and results of user actions; never for rows, counters or rates.
import type { ReactElement } from 'react';
import { Observable, useObservable } from '../../api/observable.ts';

interface Announcement {
  readonly text: string;
  /** Distinguishes two announcements of the same text. */
  readonly number: number;
}

const announcement = new Observable<Announcement>({ text: '', number: 0 });

export function announce(text: string): void {
  announcement.set({ text, number: announcement.get().number + 1 });
}

export function Announcer(): ReactElement {
  const { text, number } = useObservable(announcement);
  return (
    <div className="reader-only" role="status" aria-live="polite">
      <span key={number}>{text}</span>
    </div>
  );
}
