// On whose authority a queued request is carried out: pure. What is taken in now is applied later, also after a restart, so it
// carries with it who asked. null in place of an authority means the owner, or the agent itself: nothing limits it.
//
//   reaches(authority, path)          do the path grants of everyone involved reach this path?
//   accessOf(authority)               the same people as access rules see them
//   combined(first, second)           both must be allowed: who sent a webhook, and who replays it
//   isHandedInBy(known, authority)    the same sender again, for repeats of a delivery
//   authorityText / readAuthority     as it is stored beside what waits
import type { AccessSubject } from '../entry.ts';
import { grantsScope, hasGrant, isConfined, type RequiredScope } from './scope.ts';

/** A token, or one under which it was made. */
export interface Party {
  readonly workspaceId: string;
  readonly agent: string;
  readonly scopes: readonly string[];
  /** By which it asked: `sync:trigger`, `ops:replay`, `admin:replay`; to look only: `sync:read`, `ops:read`. */
  readonly scope: RequiredScope;
}

/** Deletions a minute, counted for the token at the root of the chain. */
export interface DeleteLimit {
  readonly tokenId: string;
  readonly perMinute: number;
}

/** Counts deletions against limits; shared by direct calls and queues. */
export interface DeleteLedger {
  /** All of them or none. false: one of the limits does not cover so many this minute. */
  take(limits: readonly DeleteLimit[], count: number): boolean;
  /** What was taken and not deleted. */
  giveBack(limits: readonly DeleteLimit[], count: number): void;
}

export interface Authority {
  /** At least one; each of them must be allowed. */
  readonly parties: readonly [Party, ...Party[]];
  /** A deletion counts against each. */
  readonly deleteLimits: readonly DeleteLimit[];
}

/** Different identities (agent and scopes) that may have handed in and replayed one envelope; a further replay is refused. */
export const partiesMax = 16;
/** Limits that a deletion counts against; of more the oldest are let go. */
const deleteLimitsMax = 16;

/** A grant of files that names a path confines what its token does through a queue, as it confines what it does directly. */
export function reaches(authority: Authority | null, path: string): boolean {
  return (
    authority === null ||
    authority.parties.every(
      ({ scopes, scope }) => grantsScope(scopes, scope, path) && reachesFile(scopes, scope, path),
    )
  );
}

/** A token without any grant of files forwards what others send: its own scope alone confines it (contract ruling 34). */
function reachesFile(scopes: readonly string[], scope: RequiredScope, path: string): boolean {
  const [own, other] = scope.endsWith(':read')
    ? (['fs:read', 'fs:write'] as const)
    : (['fs:write', 'fs:read'] as const);
  if (hasGrant(scopes, own)) return grantsScope(scopes, own, path);
  return !isConfined(scopes, other) || grantsScope(scopes, other, path);
}

export function accessOf(authority: Authority | null): AccessSubject | null {
  if (authority === null) return null;
  const [first, ...others] = authority.parties;
  return { ...subjectOf(first), ...(others.length === 0 ? {} : { under: others.map(subjectOf) }) };
}

function subjectOf({ workspaceId, agent, scopes }: Party): AccessSubject {
  return { workspaceId, agent, scopes };
}

/** null only where neither is limited. Those who are in both are named once. */
export function combined(first: Authority | null, second: Authority | null): Authority | null {
  if (first === null || second === null) return first ?? second;
  return {
    parties: [...first.parties, ...missing(first.parties, second.parties)],
    deleteLimits: [...first.deleteLimits, ...missing(first.deleteLimits, second.deleteLimits)].slice(
      -deleteLimitsMax,
    ),
  };
}

/** Is what the first handed in also the second's? What the owner or a provider handed in is everybody's: nothing can refuse it access. */
export function isHandedInBy(known: Authority | null, authority: Authority | null): boolean {
  if (known === null) return true;
  return authority !== null && missing(known.parties, authority.parties).length === 0;
}

function missing<T>(known: readonly T[], more: readonly T[]): readonly T[] {
  const texts = new Set(known.map((one) => JSON.stringify(one)));
  return more.filter((one) => !texts.has(JSON.stringify(one)));
}

/** The agents, for a message: each once. */
export function agentsOf(authority: Authority): string {
  return [...new Set(authority.parties.map(({ agent }) => agent))].join(', ');
}

export function authorityText(authority: Authority | null): string | null {
  return authority === null ? null : JSON.stringify(authority);
}

/** The text is ours: it was written by `authorityText`. */
export function readAuthority(text: string | null): Authority | null {
  return text === null ? null : (JSON.parse(text) as Authority);
}
