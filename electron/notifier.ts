// Shows and withdraws what notification-rules.ts decided. A click leads to the place of the cause.
import { Notification } from 'electron';
import type { Decision, Notice } from './notification-rules.ts';

export class Notifier {
  readonly #onClick: (place: string) => void;
  readonly #shown = new Map<string, Notification>();

  constructor(onClick: (place: string) => void) {
    this.#onClick = onClick;
  }

  /** Why there are none on this system; null when there are. */
  static get unavailable(): string | null {
    return Notification.isSupported() ? null : 'This system shows no notifications.';
  }

  carryOut({ show, withdraw }: Pick<Decision, 'show' | 'withdraw'>): void {
    for (const key of withdraw) this.#withdraw(key);
    for (const notice of show) this.#show(notice);
  }

  withdrawAll(): void {
    for (const key of [...this.#shown.keys()]) this.#withdraw(key);
  }

  #show(notice: Notice): void {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title: notice.title, body: notice.body });
    notification.on('click', () => this.#onClick(notice.place));
    notification.show();
    // Kept, or its click would be lost with it.
    this.#shown.set(notice.key, notification);
  }

  #withdraw(key: string): void {
    this.#shown.get(key)?.close();
    this.#shown.delete(key);
  }
}
