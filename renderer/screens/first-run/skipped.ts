// Whether the first run was left for good in this tab: Overview then shows its short form.
import { Observable } from '../../api/observable.ts';

const storageKey = 'mooring.first-run';

export const firstRunSkipped = new Observable<boolean>(sessionStorage.getItem(storageKey) === 'skipped');

export function skipFirstRun(): void {
  sessionStorage.setItem(storageKey, 'skipped');
  firstRunSkipped.set(true);
}
