// Whether the folders of the mirrors are watched. Pure.
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { count, plural } from '../format.ts';
import type { StatusView } from './mirror-view.ts';

const unwatchedStates: readonly Mirror['state'][] = ['halted', 'error', 'paused'];

/** A mirror that is halted or paused, or whose folder is unreachable, does not watch its folder. */
export function watchView(
  mirrors: readonly Pick<Mirror, 'state' | 'watch'>[],
  isOffline: boolean,
): StatusView {
  if (mirrors.length === 0) return { kind: 'waiting', word: 'No folders' };
  if (isOffline) return { kind: 'offline', word: 'Watching unknown' };
  const watched = mirrors.filter(({ state }) => !unwatchedStates.includes(state));
  const unwatched = mirrors.length - watched.length;
  if (unwatched > 0) {
    const arePaused = mirrors.filter(({ state }) => state === 'paused').length === unwatched;
    const word = `Watching ${count(watched.length)} of ${plural(mirrors.length, 'folder')}`;
    return { kind: arePaused ? 'paused' : 'warn', word };
  }
  const polling = watched.filter(({ watch }) => watch === 'polling').length;
  if (polling === 0) return { kind: 'ok', word: `Watching ${plural(mirrors.length, 'folder')}` };
  if (polling === mirrors.length) return { kind: 'warn', word: `Polling ${plural(polling, 'folder')}` };
  return { kind: 'warn', word: `Polling ${count(polling)} of ${plural(mirrors.length, 'folder')}` };
}
