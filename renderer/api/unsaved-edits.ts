// Unsaved edits by file. They survive navigation and a reload; only saving, discarding or taking over the saved version
// removes them.
import type { FileRecord } from '../../server/contract/files.ts';
import { desktop } from './desktop.ts';
import { Observable } from './observable.ts';
import { runningWork } from './running-work.ts';

export interface UnsavedEdit {
  /** The file at the first keystroke. */
  readonly base: FileRecord;
  /** With `\n` as the only line end, like the value of a text field. */
  readonly text: string;
}

const storageKey = 'mooring.drafts';

export const unsavedEdits = new Observable<ReadonlyMap<string, UnsavedEdit>>(storedEdits());

export function editKey(workspaceId: string, path: string): string {
  return `${workspaceId} ${path}`;
}

/** null: removes the edit. */
export function setUnsavedEdit(key: string, draft: UnsavedEdit | null): void {
  const next = new Map(unsavedEdits.get());
  if (draft === null) next.delete(key);
  else next.set(key, draft);
  unsavedEdits.set(next);
}

function storedEdits(): ReadonlyMap<string, UnsavedEdit> {
  const text = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  return text === null ? new Map() : new Map(JSON.parse(text) as [string, UnsavedEdit][]);
}

/** The desktop app asks before it quits. */
function reportToDesktop(): void {
  void desktop()?.holdsUnsaved(unsavedEdits.get().size > 0 || runningWork.get() > 0);
}
unsavedEdits.subscribe(reportToDesktop);
runningWork.subscribe(reportToDesktop);
reportToDesktop();

// Stored when the page is left, not at each key: a text may be long. An edit that does not fit had a prompt (unsaved-changes.ts).
window.addEventListener('pagehide', () => {
  if (unsavedEdits.get().size === 0) return;
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([...unsavedEdits.get()]));
  } catch {
    sessionStorage.removeItem(storageKey);
  }
});
