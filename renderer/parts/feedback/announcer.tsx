// The one polite live region: state changes and results of the user's own actions. Never rows, counters or rates.
import type { ReactElement } from 'react';
import { Observable, useObservable } from '../../api/observable.ts';

interface Announcement {
  readonly text: string;
  /** Makes the same sentence twice two announcements. */
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
