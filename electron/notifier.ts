// Shows and withdraws notifications as decided by notification-rules.ts. A click opens the location of the cause.
import { Notification } from 'electron';
import type { AppNotification, Decision } from './notification-rules.ts';

export class Notifier {
  readonly #onClick: (location: string) => void;
  readonly #shown = new Map<string, Notification>();

  constructor(onClick: (location: string) => void) {
    this.#onClick = onClick;
  }

  /** Why notifications are unavailable; null: available. */
  static get unavailable(): string | null {
    return Notification.isSupported() ? null : 'Not supported by this system.';
  }

  apply({ show, withdraw }: Pick<Decision, 'show' | 'withdraw'>): void {
    for (const key of withdraw) this.#withdraw(key);
    for (const notice of show) this.#show(notice);
  }

  withdrawAll(): void {
    for (const key of [...this.#shown.keys()]) this.#withdraw(key);
  }

  #show(notice: AppNotification): void {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title: notice.title, body: notice.body });
    notification.on('click', () => this.#onClick(notice.location));
    notification.show();
    // Referenced, because a garbage-collected notification loses its click handler.
    this.#shown.set(notice.key, notification);
  }

  #withdraw(key: string): void {
    this.#shown.get(key)?.close();
    this.#shown.delete(key);
  }
}
