// Texts that were edited and not saved yet, by file. They outlive the view that shows them and a reload of the page, and leave it
// only by the person's word: saved, thrown away, or taken over by what was saved meanwhile.
import type { FileRecord } from '../../server/contract/files.ts';
import { desktop } from './desktop.ts';
import { Observable } from './observable.ts';

export interface UnsavedEdit {
  /** The file as it was when the first key was typed. */
  readonly base: FileRecord;
  /** With `\n` as the only line end, as a field has it. */
  readonly text: string;
}

const storageKey = 'mooring.drafts';

export const unsavedEdits = new Observable<ReadonlyMap<string, UnsavedEdit>>(storedEdits());

export function editKey(workspaceId: string, path: string): string {
  return `${workspaceId} ${path}`;
}

/** null: there is none any more. */
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

/** The desktop app asks before it quits, and cannot see this page. */
function reportToDesktop(): void {
  void desktop()?.holdsUnsaved(unsavedEdits.get().size > 0);
}
unsavedEdits.subscribe(reportToDesktop);
reportToDesktop();

// Written when the page goes, not at each key: a text may be long. What does not fit was asked about before (leave-guard.ts).
window.addEventListener('pagehide', () => {
  if (unsavedEdits.get().size === 0) return;
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([...unsavedEdits.get()]));
  } catch {
    sessionStorage.removeItem(storageKey);
  }
});
