// Asks before a place of the page is left while something on it is not saved: by a link, a key, Back, or the end of the page.
export interface LeaveGuard {
  /** Nothing is lost by going there. `address` as in `app-location.ts`: `/files/a.md?…`. */
  stays(address: string): boolean;
  /** Asks; `leave` goes on after all. */
  ask(leave: () => void): void;
}

let guard: LeaveGuard | null = null;
let guardedAt = '';

/** null: nothing needs to be asked. */
export function setLeaveGuard(next: LeaveGuard | null): void {
  guard = next;
  guardedAt = location.hash;
}

/** What the address ends with where the guard stands. */
export function guardedHash(): string {
  return guardedAt;
}

/** false: the person is asked first, and `leave` is called if they go on. */
export function mayLeaveTo(address: string, leave: () => void): boolean {
  if (guard === null || guard.stays(address)) return true;
  guard.ask(() => {
    guard = null;
    leave();
  });
  return false;
}

// The browser asks in its own words, and the desktop app in its (electron/window.ts).
window.addEventListener('beforeunload', (event) => {
  if (guard !== null) event.preventDefault();
});
