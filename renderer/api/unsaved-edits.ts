// Texts that were edited and not saved yet, by file. They outlive the view that shows them and a reload of the page, and leave it
// only by the person's word: saved, thrown away, or taken over by what was saved meanwhile.
import type { FileRecord } from '../../server/contract/files.ts';
import { desktop } from './desktop.ts';
import { Observable } from './observable.ts';

export interface Draft {
  /** The file as it was when the first key was typed. */
  readonly base: FileRecord;
  /** With `\n` as the only line end, as a field has it. */
  readonly text: string;
}

const storageKey = 'mooring.drafts';

export const drafts = new Observable<ReadonlyMap<string, Draft>>(kept());

export function draftKey(workspaceId: string, path: string): string {
  return `${workspaceId} ${path}`;
}

/** null: there is none any more. */
export function setDraft(key: string, draft: Draft | null): void {
  const next = new Map(drafts.get());
  if (draft === null) next.delete(key);
  else next.set(key, draft);
  drafts.set(next);
}

function kept(): ReadonlyMap<string, Draft> {
  const text = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  return text === null ? new Map() : new Map(JSON.parse(text) as [string, Draft][]);
}

/** The desktop app asks before it quits, and cannot see this page. */
function tellDesktop(): void {
  void desktop()?.holdsUnsaved(drafts.get().size > 0);
}
drafts.subscribe(tellDesktop);
tellDesktop();

// Written when the page goes, not at each key: a text may be long. What does not fit was asked about before (leave-guard.ts).
window.addEventListener('pagehide', () => {
  if (drafts.get().size === 0) return;
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([...drafts.get()]));
  } catch {
    sessionStorage.removeItem(storageKey);
  }
});
