// Labels of a path's state in its mirrors. Pure.
import type { PathState } from '../../../sdk/index.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { mirrorStatus, type StatusView } from './mirror-view.ts';

type State = NonNullable<PathState['state']>;
type InMirror = PathState['mirrors'][number];

const views: Readonly<Record<State, StatusView>> = {
  same: { kind: 'ok', word: 'Up to date' },
  sending: { kind: 'active', word: 'Uploading' },
  receiving: { kind: 'active', word: 'Downloading' },
  conflict: { kind: 'warn', word: 'Conflict' },
  refused: { kind: 'warn', word: 'Not synced' },
  ignored: { kind: 'paused', word: 'Ignored' },
  kept: { kind: 'paused', word: 'Local only' },
  absent: { kind: 'paused', word: 'Missing' },
  unknown: { kind: 'offline', word: 'Unknown' },
};

/** null: no mirror contains the path. An unknown state is replaced by the mirror's own, unless that is fine. */
export function pathStatus({ state, mirrors }: PathState, all: readonly Mirror[]): StatusView | null {
  if (state === null) return null;
  const worst = mirrors.find((each) => each.state === state);
  return worst === undefined ? views[state] : inMirrorStatus(worst, all);
}

export function inMirrorStatus({ state, mirrorId }: InMirror, all: readonly Mirror[]): StatusView {
  if (state !== 'unknown') return views[state];
  const mirror = all.find((each) => each.mirrorId === mirrorId);
  const ownStatus = mirror === undefined ? null : mirrorStatus(mirror);
  return ownStatus === null || ownStatus.kind === 'ok' ? views.unknown : ownStatus;
}

/** Reason and next step of each mirror in that state, for the tooltip. */
export function stateReason({ state, mirrors }: PathState): string {
  const worst = mirrors.filter((each) => each.state === state);
  return [...new Set(worst.map(({ why, next }) => (next === null ? why : `${why} ${next}`)))].join(' ');
}

/** Changes soon without an event, so it is polled. */
export function isTransient({ state }: PathState): boolean {
  return state === 'sending' || state === 'receiving' || state === 'unknown';
}

/** Changes whenever the state of a file in these mirrors may have changed. */
export function mirrorActivityKey(mirrors: readonly Mirror[]): string {
  return mirrors
    .map((each) =>
      [
        each.mirrorId,
        each.state,
        each.files,
        each.pendingLocal,
        each.pendingRemote,
        each.conflicts,
        each.kept,
        each.problems,
        each.lastSyncAt,
        each.halt?.reason,
      ].join(' '),
    )
    .join('\n');
}
