// Asks before unsaved changes are left, by a link, a key, Back or closing the page, and before running work is closed with the page.
import { runningWork } from '../api/running-work.ts';

export interface UnsavedChangesPrompt {
  /** Navigating there loses nothing. `address` as in `app-location.ts`: `/files/a.md?…`. */
  losesNothing(address: string): boolean;
  /** Asks; `leave` continues the navigation. */
  ask(leave: () => void): void;
}

let prompt: UnsavedChangesPrompt | null = null;
let hashOfPrompt = '';

/** null: no unsaved changes. */
export function setUnsavedChangesPrompt(next: UnsavedChangesPrompt | null): void {
  prompt = next;
  hashOfPrompt = location.hash;
}

/** The hash of the page with the unsaved changes. */
export function promptedHash(): string {
  return hashOfPrompt;
}

/** false: the user is asked first, and `leave` is called after a confirmation. */
export function canLeaveTo(address: string, leave: () => void): boolean {
  if (prompt === null || prompt.losesNothing(address)) return true;
  prompt.ask(() => {
    prompt = null;
    leave();
  });
  return false;
}

// The browser and the desktop app (electron/window.ts) show their own prompts.
window.addEventListener('beforeunload', (event) => {
  if (prompt !== null || runningWork.get() > 0) event.preventDefault();
});
