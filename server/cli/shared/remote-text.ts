// Formats a remote as text: table row, activity, halt and problems. Pure.
import type { Remote, RemoteState } from '../../../sdk/index.ts';
import { formatTime, formatTimeOfDay, type Style } from './display.ts';
import { type Cell, formatBytes, formatCount, plural } from './output.ts';
import { timeLeft } from './work-progress.ts';
import type { WorkspaceNames } from './workspace-names.ts';

/** A token that ends within so long is a warning. */
const expiryWarningMs = 3 * 24 * 3_600_000;

const stateStyles: Readonly<Record<RemoteState, Style>> = {
  connecting: 'cyan',
  listing: 'cyan',
  syncing: 'cyan',
  idle: 'green',
  offline: 'yellow',
  paused: 'yellow',
  unauthorized: 'red',
  halted: 'red',
  error: 'red',
};

/** A remote in one of these syncs nothing until a person acts. */
export const stoppedRemoteStates: ReadonlySet<RemoteState> = new Set(['paused', 'halted', 'unauthorized']);

export const remoteHeadings = [
  'WORKSPACE',
  'SERVER',
  'REMOTE WORKSPACE',
  'STATE',
  'FILES',
  'TO SEND',
  'TO RECEIVE',
  'CONFLICTS',
  'PROBLEMS',
  'LAST SYNC',
] as const;

export const noRemotes =
  'No remotes. Add one with "mooring remote add --workspace WORKSPACE --url URL --token-file FILE".';

/** A zero is empty, and a column without values is not printed. */
export function remoteRow(remote: Remote, names: WorkspaceNames): readonly Cell[] {
  const count = (number: number) => (number === 0 ? '' : formatCount(number));
  return [
    names.display(remote.workspaceId),
    new URL(remote.url).host,
    remote.remoteWorkspaceId,
    { text: remote.state === 'idle' ? 'up to date' : remote.state, style: stateStyles[remote.state] },
    formatCount(remote.files),
    count(remote.pendingLocal),
    count(remote.pendingRemote),
    count(remote.conflicts),
    count(remote.problems),
    remote.lastSyncAt === null ? 'never' : formatTimeOfDay(remote.lastSyncAt),
  ];
}

/** What needs attention, a line each. */
export function describeRemotes(remotes: readonly Remote[]): readonly string[] {
  return remotes.flatMap((remote) => [...describe(remote), ...describeProblems(remote)]);
}

/** `sending 3, receiving 12, 40 files/s, 1.2 MiB/s, about 22 s left`; unknown values are omitted. */
export function describeRemoteActivity(remote: Remote): string {
  const { state, pendingLocal, pendingRemote, progress } = remote;
  if (state === 'listing') return `listing, ${plural(progress?.done ?? 0, 'file')}`;
  if (state !== 'syncing' && state !== 'idle') return state;
  const parts = [`sending ${formatCount(pendingLocal)}`, `receiving ${formatCount(pendingRemote)}`];
  if (progress?.filesPerSecond != null) parts.push(`${formatCount(progress.filesPerSecond)} files/s`);
  if (progress?.bytesPerSecond != null) parts.push(`${formatBytes(Math.round(progress.bytesPerSecond))}/s`);
  if (progress?.leftMs != null) parts.push(`about ${timeLeft(progress.leftMs / 1000)} left`);
  return parts.join(', ');
}

function describe(remote: Remote): readonly string[] {
  const { url, state, cause, halt, pendingLocal, nextTryAt, offlineSince, tokenFile } = remote;
  if (halt !== null)
    return [`${url}: ${halt.cause}`, 'Run "mooring remote resume" with --restore or --accept-deletions.'];
  if (state === 'offline') {
    const since = offlineSince === null ? '' : ` since ${formatTime(offlineSince)}`;
    const next = nextTryAt === null ? '' : ` Next try at ${formatTimeOfDay(nextTryAt)}.`;
    return [
      `${url}: offline${since}, ${plural(pendingLocal, 'change waits', 'changes wait')}: ${cause}.${next}`,
    ];
  }
  if (state === 'unauthorized')
    return [`${url}: the token is refused: ${cause}. Put a new token into ${tokenFile}.`];
  if (state === 'error') return [`${url}: ${cause}`];
  return describeExpiry(remote);
}

/** While it is still time. */
function describeExpiry({ url, tokenExpiresAt, tokenFile }: Remote): readonly string[] {
  if (tokenExpiresAt === null || Date.parse(tokenExpiresAt) - Date.now() > expiryWarningMs) return [];
  return [`${url}: the token ends at ${formatTime(tokenExpiresAt)}. Put a new one into ${tokenFile}.`];
}

function describeProblems({ problemList, problems }: Remote): readonly string[] {
  const shown = problemList.slice(0, 10).map(({ path, cause, next }) => `${path}: ${cause} ${next}`);
  return problems > shown.length ? [...shown, `and ${problems - shown.length} more`] : shown;
}
