// Asks before a place of the page is left while something on it is not saved: by a link, a key, Back, or the end of the page.
export interface UnsavedChangesPrompt {
  /** Nothing is lost by going there. `address` as in `app-location.ts`: `/files/a.md?…`. */
  keepsChanges(address: string): boolean;
  /** Asks; `leave` goes on after all. */
  ask(leave: () => void): void;
}

let prompt: UnsavedChangesPrompt | null = null;
let hashOfPrompt = '';

/** null: nothing needs to be asked. */
export function setUnsavedChangesPrompt(next: UnsavedChangesPrompt | null): void {
  prompt = next;
  hashOfPrompt = location.hash;
}

/** What the address ends with where the guard stands. */
export function promptedHash(): string {
  return hashOfPrompt;
}

/** false: the person is asked first, and `leave` is called if they go on. */
export function canLeaveTo(address: string, leave: () => void): boolean {
  if (prompt === null || prompt.keepsChanges(address)) return true;
  prompt.ask(() => {
    prompt = null;
    leave();
  });
  return false;
}

// The browser asks in its own words, and the desktop app in its (electron/window.ts).
window.addEventListener('beforeunload', (event) => {
  if (prompt !== null) event.preventDefault();
});
