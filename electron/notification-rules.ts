// When a person is told something outside of the window, and when that is taken back: a pure decision from what is seen
// now and what was seen before. Once per cause; never while the window is in front; it goes when its cause goes.
// Finished syncs, retries and updates are never told.
import type { AccessToken } from '../server/contract/workspaces.ts';
import type { AgentView } from './agent-client.ts';
import type { AgentState } from './ipc-contract.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const conflictToldAfterMs = minuteMs;
const deadLettersOfOneCauseMin = 10;
const deadLettersUnseenMs = hourMs;
/** Told below the first, taken back above the second, so that it does not flicker at the edge. */
export const diskLowBytes = 1_000_000_000;
const diskWellBytes = 1_500_000_000;
const dayMs = 24 * hourMs;
const unauthorizedCode = 'unauthorized';

export interface Notice {
  /** Names the cause. */
  readonly key: string;
  readonly title: string;
  readonly body: string;
  /** Where a click leads, as after `#`. */
  readonly place: string;
}

export interface Disk {
  readonly dir: string;
  readonly freeBytes: number;
}

export interface Seen {
  readonly nowMs: number;
  readonly windowInFront: boolean;
  readonly agent: AgentState;
  /** null: the agent could not be asked; what it would have said stays as it was. */
  readonly view: AgentView | null;
  /** By workspace: how many dead letters have the most frequent cause. */
  readonly largestCause: ReadonlyMap<string, number>;
  readonly disks: readonly Disk[];
  /** Of all workspaces, as they were a few minutes ago. */
  readonly tokens: readonly AccessToken[];
}

interface Remembered {
  readonly sinceMs: number;
  readonly told: boolean;
}

/** By key of the cause. */
export type Memory = ReadonlyMap<string, Remembered>;

export interface Decision {
  readonly memory: Memory;
  readonly show: readonly Notice[];
  /** Keys whose cause has gone. */
  readonly withdraw: readonly string[];
}

interface Cause extends Notice {
  /** Told when it has lasted this long. */
  readonly afterMs: number;
  /** The time begins anew when a person has seen the window. */
  readonly unseen?: true;
}

export const nothingRemembered: Memory = new Map();

export function decideNotices(memory: Memory, seen: Seen): Decision {
  const causes = [...causesOf(seen, memory)];
  const keys = new Set(causes.map(({ key }) => key));
  const next = new Map<string, Remembered>();
  const show: Notice[] = [];
  for (const cause of causes) {
    const before = memory.get(cause.key);
    const sinceMs =
      before === undefined || (cause.unseen && seen.windowInFront) ? seen.nowMs : before.sinceMs;
    const due = seen.nowMs - sinceMs >= cause.afterMs;
    const told = before?.told === true || due;
    next.set(cause.key, { sinceMs, told });
    // Whoever has the window in front sees it there.
    if (due && before?.told !== true && !seen.windowInFront) {
      show.push({ key: cause.key, title: cause.title, body: cause.body, place: cause.place });
    }
  }
  const withdraw: string[] = [];
  for (const [key, before] of memory) {
    if (keys.has(key)) continue;
    // While the agent is away nobody knows whether its causes have gone.
    if (seen.view === null && !isOwn(key)) next.set(key, before);
    else if (before.told) withdraw.push(key);
  }
  return { memory: next, show, withdraw };
}

/** Causes that are known without the agent. */
function isOwn(key: string): boolean {
  return key === 'agent' || key.startsWith('disk:');
}

function* causesOf(seen: Seen, memory: Memory): Generator<Cause> {
  if (seen.agent.kind === 'failed') {
    const title = 'Mooring could not start its agent';
    yield { key: 'agent', title, body: `${seen.agent.reason}. Nothing was deleted.`, place: '', afterMs: 0 };
  }
  yield* diskCauses(seen.disks, memory);
  if (seen.view === null) return;
  yield* mirrorCauses(seen.view);
  yield* outboundCauses(seen.view);
  yield* letterCauses(seen.view, seen.largestCause);
  yield* tokenCauses(seen.view, seen.tokens, seen.nowMs);
}

function* diskCauses(disks: readonly Disk[], memory: Memory): Generator<Cause> {
  for (const { dir, freeBytes } of disks) {
    const key = `disk:${dir}`;
    if (freeBytes >= (memory.has(key) ? diskWellBytes : diskLowBytes)) continue;
    const megabytes = Math.floor(freeBytes / 1_000_000);
    const body = `${megabytes} MB are left where ${dir} lies. Writes are refused when it is full; nothing is lost.`;
    yield { key, title: 'The disk is nearly full', body, place: 'overview', afterMs: 0 };
  }
}

function* mirrorCauses(view: AgentView): Generator<Cause> {
  const conflicts = new Map<string, number>();
  for (const mirror of view.status.mirrors) {
    if (mirror.state === 'halted') {
      const title = `${nameOf(view, mirror.workspaceId)} halted. Nothing was deleted.`;
      const body =
        mirror.halt === null ? 'Open Mooring to decide.' : `${mirror.halt.cause} ${mirror.halt.next}`;
      yield { key: `halted:${mirror.mirrorId}`, title, body, place: 'overview', afterMs: 0 };
    }
    const { alarm } = mirror.proof;
    if (alarm !== null) {
      const title = `${nameOf(view, mirror.workspaceId)} is not equal to its folder`;
      const files = alarm.files === 1 ? '1 file differs' : `${alarm.files} files differ`;
      const body = `${files}, and nothing listed says why. Open Mooring to compare both versions.`;
      yield { key: `not-equal:${mirror.mirrorId}`, title, body, place: 'overview', afterMs: 0 };
    }
    conflicts.set(mirror.workspaceId, (conflicts.get(mirror.workspaceId) ?? 0) + mirror.conflicts);
  }
  for (const [workspaceId, number] of conflicts) {
    if (number === 0) continue;
    const title = `${number === 1 ? 'A conflict' : `${number} conflicts`} in ${nameOf(view, workspaceId)}`;
    const body = 'Both versions are kept. Choose which one stays.';
    const place = placeOf('conflicts', workspaceId);
    yield { key: `conflict:${workspaceId}`, title, body, place, afterMs: conflictToldAfterMs };
  }
}

function* outboundCauses(view: AgentView): Generator<Cause> {
  for (const { workspaceId, providers } of Object.values(view.sync.workspaces)) {
    const failed = providers.reduce((sum, { deadLetteredOps = 0 }) => sum + deadLetteredOps, 0);
    if (failed > 0) {
      const title = `${failed === 1 ? 'A change' : `${failed} changes`} failed for good`;
      const body = `${nameOf(view, workspaceId)}: it is kept and can be sent again.`;
      const place = placeOf('writeback', workspaceId);
      yield { key: `writeback:${workspaceId}`, title, body, place, afterMs: 0 };
    }
    for (const { provider, status, failureCodes = {} } of providers) {
      if (status !== 'error' || (failureCodes[unauthorizedCode] ?? 0) === 0) continue;
      const title = `${provider} needs a sign-in`;
      const body = `It refuses what ${nameOf(view, workspaceId)} sends. Changes wait until it lets them in.`;
      const place = placeOf('writeback', workspaceId);
      yield { key: `sign-in:${workspaceId}:${provider}`, title, body, place, afterMs: 0 };
    }
  }
}

function* letterCauses(view: AgentView, largestCause: ReadonlyMap<string, number>): Generator<Cause> {
  for (const { workspaceId, deadLetterTotal } of Object.values(view.ingress.workspaces)) {
    if (deadLetterTotal === 0) continue;
    const many = (largestCause.get(workspaceId) ?? 0) >= deadLettersOfOneCauseMin;
    const letters = deadLetterTotal === 1 ? 'A dead letter' : `${deadLetterTotal} dead letters`;
    yield {
      key: `dead-letters:${workspaceId}`,
      title: `${letters} in ${nameOf(view, workspaceId)}`,
      body: 'They are kept. Each can be mended and replayed.',
      place: placeOf('dead-letters', workspaceId),
      afterMs: many ? 0 : deadLettersUnseenMs,
      unseen: true,
    };
  }
}

/** Whoever works with a token that ends within a day needs another one; not where it has one already. */
function* tokenCauses(view: AgentView, tokens: readonly AccessToken[], nowMs: number): Generator<Cause> {
  for (const token of tokens) {
    if (!endsUnderItsUser(token, nowMs)) continue;
    if (tokens.some((other) => succeeds(other, token))) continue;
    const title = `The token of ${token.agent} ends within a day`;
    const body = `It was used in the last day, in ${nameOf(view, token.workspaceId)}. Make another one in Settings.`;
    yield { key: `token:${token.tokenId}`, title, body, place: 'settings/tokens', afterMs: 0 };
  }
}

/** Tokens that were made for a day at most are renewed by whoever made them. */
function endsUnderItsUser(token: AccessToken, nowMs: number): boolean {
  if (token.revokedAt !== undefined || token.lastUsedAt === undefined) return false;
  const endsMs = Date.parse(token.expiresAt);
  return (
    endsMs > nowMs &&
    endsMs - nowMs <= dayMs &&
    endsMs - Date.parse(token.createdAt) > dayMs &&
    nowMs - Date.parse(token.lastUsedAt) <= dayMs
  );
}

function succeeds(other: AccessToken, token: AccessToken): boolean {
  return (
    other.revokedAt === undefined &&
    other.workspaceId === token.workspaceId &&
    other.agent === token.agent &&
    Date.parse(other.createdAt) > Date.parse(token.createdAt) &&
    Date.parse(other.expiresAt) > Date.parse(token.expiresAt)
  );
}

function placeOf(screen: string, workspaceId: string): string {
  return `${screen}?workspace=${encodeURIComponent(workspaceId)}`;
}

function nameOf(view: AgentView, workspaceId: string): string {
  const known = view.status.workspaces.find((workspace) => workspace.workspaceId === workspaceId);
  return known?.name ?? workspaceId;
}
