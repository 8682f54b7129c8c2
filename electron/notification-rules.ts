// Decides which notifications to show and to withdraw, from the present state and the previous decision. Pure. One
// notification per cause, never while the window is in front, withdrawn when the cause is resolved. Finished syncs, retries
// and updates have none.
import type { AccessToken } from '../server/contract/workspaces.ts';
import { plural } from '../server/core/amounts.ts';
import { type AgentView, hostOf, nameOf } from './agent-client.ts';
import type { AgentState } from './ipc-contract.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const conflictShownAfterMs = minuteMs;
/** A failure of one attempt is no news. */
const remoteFailureShownAfterMs = minuteMs;
const deadLettersOfOneCauseMin = 10;
const deadLettersUnseenMs = hourMs;
/** Shown below the first, withdrawn above the second: hysteresis against flicker. */
export const diskLowBytes = 1_000_000_000;
const diskOkBytes = 1_500_000_000;
const dayMs = 24 * hourMs;
const unauthorizedCode = 'unauthorized';

export interface AppNotification {
  /** Identifies the cause. */
  readonly key: string;
  readonly title: string;
  readonly body: string;
  /** Opened by a click, as after `#`. */
  readonly location: string;
}

export interface Disk {
  readonly dir: string;
  readonly freeBytes: number;
}

export interface NotificationContext {
  readonly nowMs: number;
  readonly windowInFront: boolean;
  readonly agent: AgentState;
  /** null: the agent is unreachable; its causes stay unchanged. */
  readonly view: AgentView | null;
  /** By workspace: number of dead letters with the most frequent cause. */
  readonly largestCause: ReadonlyMap<string, number>;
  readonly disks: readonly Disk[];
  /** Of all workspaces, at most a few minutes old. */
  readonly tokens: readonly AccessToken[];
}

interface RememberedCause {
  readonly sinceMs: number;
  readonly wasShown: boolean;
}

/** By key of the cause. */
export type NotificationMemory = ReadonlyMap<string, RememberedCause>;

export interface Decision {
  readonly memory: NotificationMemory;
  readonly show: readonly AppNotification[];
  /** Keys of resolved causes. */
  readonly withdraw: readonly string[];
}

interface Cause extends AppNotification {
  /** Shown after this duration. */
  readonly afterMs: number;
  /** The duration restarts while the window is in front. */
  readonly unseen?: true;
}

export const emptyMemory: NotificationMemory = new Map();

export function decideNotifications(memory: NotificationMemory, seen: NotificationContext): Decision {
  const causes = [...causesOf(seen, memory)];
  const keys = new Set(causes.map(({ key }) => key));
  const next = new Map<string, RememberedCause>();
  const show: AppNotification[] = [];
  for (const cause of causes) {
    const before = memory.get(cause.key);
    const sinceMs =
      before === undefined || (cause.unseen && seen.windowInFront) ? seen.nowMs : before.sinceMs;
    const due = seen.nowMs - sinceMs >= cause.afterMs;
    const wasShown = before?.wasShown === true || due;
    next.set(cause.key, { sinceMs, wasShown });
    // A window in front shows the cause itself.
    if (due && before?.wasShown !== true && !seen.windowInFront) {
      show.push({ key: cause.key, title: cause.title, body: cause.body, location: cause.location });
    }
  }
  const withdraw: string[] = [];
  for (const [key, before] of memory) {
    if (keys.has(key)) continue;
    // Without the agent, its causes cannot be resolved.
    if (seen.view === null && !isLocalCause(key)) next.set(key, before);
    else if (before.wasShown) withdraw.push(key);
  }
  return { memory: next, show, withdraw };
}

/** Causes that do not come from the agent. */
function isLocalCause(key: string): boolean {
  return key === 'agent' || key.startsWith('disk:');
}

function* causesOf(seen: NotificationContext, memory: NotificationMemory): Generator<Cause> {
  if (seen.agent.kind === 'failed') {
    const body = `${seen.agent.reason}. Nothing was deleted.`;
    yield { key: 'agent', title: 'Agent could not be started', body, location: '', afterMs: 0 };
  }
  yield* diskCauses(seen.disks, memory);
  if (seen.view === null) return;
  yield* mirrorCauses(seen.view);
  yield* remoteCauses(seen.view);
  yield* conflictCauses(seen.view);
  yield* outboundCauses(seen.view);
  yield* deadLetterCauses(seen.view, seen.largestCause);
  yield* tokenCauses(seen.view, seen.tokens, seen.nowMs);
}

function* diskCauses(disks: readonly Disk[], memory: NotificationMemory): Generator<Cause> {
  for (const { dir, freeBytes } of disks) {
    const key = `disk:${dir}`;
    if (freeBytes >= (memory.has(key) ? diskOkBytes : diskLowBytes)) continue;
    const megabytes = Math.floor(freeBytes / 1_000_000);
    const body = `${megabytes} MB free on the disk of ${dir}. Writes fail when it is full; no data is lost.`;
    yield { key, title: 'Disk almost full', body, location: 'overview', afterMs: 0 };
  }
}

function* mirrorCauses(view: AgentView): Generator<Cause> {
  for (const mirror of view.status.mirrors) {
    if (mirror.state === 'halted') {
      const title = `${nameOf(view, mirror.workspaceId)} halted. Nothing was deleted.`;
      const body =
        mirror.halt === null ? 'Open Mooring to decide.' : `${mirror.halt.cause} ${mirror.halt.next}`;
      yield { key: `halted:${mirror.mirrorId}`, title, body, location: 'overview', afterMs: 0 };
    }
    const { alarm } = mirror.proof;
    if (alarm !== null) {
      const title = `${nameOf(view, mirror.workspaceId)} is not equal to its folder`;
      const files = plural(alarm.files, 'file differs', 'files differ');
      const body = `${files} for an unknown reason. Open Mooring to compare both versions.`;
      yield { key: `not-equal:${mirror.mirrorId}`, title, body, location: 'overview', afterMs: 0 };
    }
  }
}

/** A server that is offline is none: changes wait, and are sent when it is back. */
function* remoteCauses(view: AgentView): Generator<Cause> {
  for (const remote of view.status.remotes) {
    const { remoteId, workspaceId, state, cause, halt, tokenFile } = remote;
    const name = nameOf(view, workspaceId);
    const host = hostOf(remote);
    const location = locationOf('remotes', workspaceId);
    if (state === 'halted') {
      const title = `Sync of ${name} with ${host} halted. Nothing was deleted.`;
      const body = halt === null ? 'Open Mooring to decide.' : `${halt.cause} ${halt.next}`;
      yield { key: `remote-halted:${remoteId}`, title, body, location, afterMs: 0 };
    } else if (state === 'unauthorized') {
      const title = `${host} refuses the token of ${name}`;
      const body = `Changes stay on both sides. Put a new token into ${tokenFile}.`;
      yield { key: `remote-token:${remoteId}`, title, body, location, afterMs: 0 };
    } else if (state === 'error') {
      const title = `${name} is not synced with ${host}`;
      const why = (cause ?? 'The sync failed').replace(/[.\s]+$/, '');
      const body = `${why}. Open Mooring to see what to do.`;
      yield { key: `remote-failed:${remoteId}`, title, body, location, afterMs: remoteFailureShownAfterMs };
    }
  }
}

function* conflictCauses(view: AgentView): Generator<Cause> {
  const numbers = new Map<string, number>();
  for (const { workspaceId, conflicts } of [...view.status.mirrors, ...view.status.remotes])
    numbers.set(workspaceId, (numbers.get(workspaceId) ?? 0) + conflicts);
  for (const [workspaceId, number] of numbers) {
    if (number === 0) continue;
    const title = `${plural(number, 'conflict')} in ${nameOf(view, workspaceId)}`;
    const body = 'Both versions are kept. Choose a version.';
    const location = locationOf('conflicts', workspaceId);
    yield { key: `conflict:${workspaceId}`, title, body, location, afterMs: conflictShownAfterMs };
  }
}

function* outboundCauses(view: AgentView): Generator<Cause> {
  for (const { workspaceId, providers } of Object.values(view.sync.workspaces)) {
    const failed = providers.reduce((sum, { deadLetteredOps = 0 }) => sum + deadLetteredOps, 0);
    if (failed > 0) {
      const title = `${plural(failed, 'operation')} failed permanently`;
      const body = `Open Writeback of ${nameOf(view, workspaceId)} to retry.`;
      const location = locationOf('writeback', workspaceId);
      yield { key: `writeback:${workspaceId}`, title, body, location, afterMs: 0 };
    }
    for (const { provider, status, failureCodes = {} } of providers) {
      if (status !== 'error' || (failureCodes[unauthorizedCode] ?? 0) === 0) continue;
      const title = `${provider} rejects the credentials`;
      const body = `Operations of ${nameOf(view, workspaceId)} are pending. Update the signing secret of the provider.`;
      const location = locationOf('writeback', workspaceId);
      yield { key: `sign-in:${workspaceId}:${provider}`, title, body, location, afterMs: 0 };
    }
  }
}

function* deadLetterCauses(view: AgentView, largestCause: ReadonlyMap<string, number>): Generator<Cause> {
  for (const { workspaceId, deadLetterTotal } of Object.values(view.ingress.workspaces)) {
    if (deadLetterTotal === 0) continue;
    const many = (largestCause.get(workspaceId) ?? 0) >= deadLettersOfOneCauseMin;
    const deadLetters = plural(deadLetterTotal, 'dead letter');
    yield {
      key: `dead-letters:${workspaceId}`,
      title: `${deadLetters} in ${nameOf(view, workspaceId)}`,
      body: 'Open Dead letters to edit, replay or dismiss.',
      location: locationOf('dead-letters', workspaceId),
      afterMs: many ? 0 : deadLettersUnseenMs,
      unseen: true,
    };
  }
}

/** Tokens in use that expire within 24 hours and have no replacement. */
function* tokenCauses(view: AgentView, tokens: readonly AccessToken[], nowMs: number): Generator<Cause> {
  for (const token of tokens) {
    if (!expiresWhileInUse(token, nowMs)) continue;
    if (tokens.some((other) => replaces(other, token))) continue;
    const title = `Token “${token.agent}” expires within 24 hours`;
    const body = `It was used in ${nameOf(view, token.workspaceId)} in the last 24 hours. Create a new token in Settings.`;
    yield { key: `token:${token.tokenId}`, title, body, location: 'settings/tokens', afterMs: 0 };
  }
}

/** Excludes tokens with a lifetime of at most one day: their users renew them. */
function expiresWhileInUse(token: AccessToken, nowMs: number): boolean {
  if (token.revokedAt !== undefined || token.lastUsedAt === undefined) return false;
  const expiresMs = Date.parse(token.expiresAt);
  return (
    expiresMs > nowMs &&
    expiresMs - nowMs <= dayMs &&
    expiresMs - Date.parse(token.createdAt) > dayMs &&
    nowMs - Date.parse(token.lastUsedAt) <= dayMs
  );
}

function replaces(other: AccessToken, token: AccessToken): boolean {
  return (
    other.revokedAt === undefined &&
    other.workspaceId === token.workspaceId &&
    other.agent === token.agent &&
    Date.parse(other.createdAt) > Date.parse(token.createdAt) &&
    Date.parse(other.expiresAt) > Date.parse(token.expiresAt)
  );
}

function locationOf(screen: string, workspaceId: string): string {
  return `${screen}?workspace=${encodeURIComponent(workspaceId)}`;
}
