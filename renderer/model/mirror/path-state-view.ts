// What a path's state in its mirrors means to a person: the words of the column and of the detail. Pure.
import type { PathState } from '../../../sdk/index.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { mirrorStatus, type StatusView } from './mirror-view.ts';

type State = NonNullable<PathState['state']>;
type InMirror = PathState['mirrors'][number];

const views: Readonly<Record<State, StatusView>> = {
  same: { kind: 'ok', word: 'Same' },
  sending: { kind: 'active', word: 'Sending' },
  receiving: { kind: 'active', word: 'Receiving' },
  conflict: { kind: 'warn', word: 'Conflict' },
  refused: { kind: 'warn', word: 'Refused' },
  ignored: { kind: 'paused', word: 'Ignored' },
  kept: { kind: 'paused', word: 'Kept' },
  absent: { kind: 'paused', word: 'Not there' },
  unknown: { kind: 'offline', word: 'Not known' },
};

/** null: no mirror shows it. Where nothing is known, the state of the mirror says why. */
export function pathStatus({ state, mirrors }: PathState, all: readonly Mirror[]): StatusView | null {
  if (state === null) return null;
  const worst = mirrors.find((each) => each.state === state);
  return worst === undefined ? views[state] : inMirrorStatus(worst, all);
}

export function inMirrorStatus({ state, mirrorId }: InMirror, all: readonly Mirror[]): StatusView {
  if (state !== 'unknown') return views[state];
  const mirror = all.find((each) => each.mirrorId === mirrorId);
  const itself = mirror === undefined ? null : mirrorStatus(mirror);
  return itself === null || itself.kind === 'ok' ? views.unknown : itself;
}

/** `Conflict: …`, of each mirror that has it so; for the tooltip. */
export function stateReason({ state, mirrors }: PathState): string {
  const worst = mirrors.filter((each) => each.state === state);
  return [...new Set(worst.map(({ why, next }) => (next === null ? why : `${why} ${next}`)))].join(' ');
}

/** It changes by itself soon: worth another look without an event. */
export function isTransient({ state }: PathState): boolean {
  return state === 'sending' || state === 'receiving' || state === 'unknown';
}

/** Of the mirrors of a workspace what moves when a file's state does. */
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
