// Whether the first run was skipped in this tab; Overview then shows a short list of first steps.
import { Observable } from '../../api/observable.ts';

const storageKey = 'mooring.first-run';

export const firstRunSkipped = new Observable<boolean>(sessionStorage.getItem(storageKey) === 'skipped');

export function skipFirstRun(): void {
  sessionStorage.setItem(storageKey, 'skipped');
  firstRunSkipped.set(true);
}
