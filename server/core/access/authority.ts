// The authority on which a queued request is applied: pure. An accepted request is applied later, possibly after a restart, so the
// caller is stored with it. null in place of an authority means the owner, or the agent itself: nothing limits it.
//
//   reaches(authority, path)          do the path grants of every party reach this path?
//   accessOf(authority)               the same parties as access rules see them
//   combined(first, second)           both must be allowed: the sender of a webhook, and the caller who replays it
//   isHandedInBy(known, authority)    the same sender again, for repeats of a delivery
//   authorityText / readAuthority     the stored form
import type { AccessSubject } from '../entry.ts';
import { grantsScope, hasGrant, isConfined, type RequiredScope } from './scope.ts';

/** A token, or one of its issuers. */
export interface Party {
  readonly workspaceId: string;
  readonly agent: string;
  readonly scopes: readonly string[];
  /** The scope that allowed the request: `sync:trigger`, `ops:replay`, `admin:replay`; for reads `sync:read`, `ops:read`. */
  readonly scope: RequiredScope;
}

/** Deletions per minute, counted for the token at the root of the chain. */
export interface DeleteLimit {
  readonly tokenId: string;
  readonly perMinute: number;
}

/** Counts deletions against limits; shared by direct calls and queues. */
export interface DeleteLedger {
  /** All of them or none. false: one of the limits does not cover so many this minute. */
  take(limits: readonly DeleteLimit[], count: number): Promise<boolean>;
  /** Returns what was taken and not deleted. Never rejects. */
  giveBack(limits: readonly DeleteLimit[], count: number): Promise<void>;
}

export interface Authority {
  /** At least one; each of them must be allowed. */
  readonly parties: readonly [Party, ...Party[]];
  /** A deletion counts against each. */
  readonly deleteLimits: readonly DeleteLimit[];
}

/** Different identities (agent and scopes) that may have handed in and replayed one envelope; a further replay is refused. */
export const partiesMax = 16;
/** Limits that a deletion counts against; beyond this number the oldest are dropped. */
const deleteLimitsMax = 16;

/** A file grant with a path confines the token's requests through a queue as it confines direct ones. */
export function reaches(authority: Authority | null, path: string): boolean {
  return (
    authority === null ||
    authority.parties.every(
      ({ scopes, scope }) => grantsScope(scopes, scope, path) && reachesFile(scopes, scope, path),
    )
  );
}

/**
 * A token without a file grant forwards events of others: only its own scope confines it
 * (docs/wire-contract.md#who-acts-through-a-queue).
 */
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
  return { ...subjectOf(first), ...(others.length === 0 ? {} : { parents: others.map(subjectOf) }) };
}

function subjectOf({ workspaceId, agent, scopes }: Party): AccessSubject {
  return { workspaceId, agent, scopes };
}

/** null only where neither is limited. Parties of both are named once. */
export function combined(first: Authority | null, second: Authority | null): Authority | null {
  if (first === null || second === null) return first ?? second;
  return {
    parties: [...first.parties, ...missing(first.parties, second.parties)],
    deleteLimits: [...first.deleteLimits, ...missing(first.deleteLimits, second.deleteLimits)].slice(
      -deleteLimitsMax,
    ),
  };
}

/**
 * Does a request of the first also belong to the second? A request of the owner or a provider belongs to everyone: no party can be
 * refused it.
 */
export function isHandedInBy(known: Authority | null, authority: Authority | null): boolean {
  if (known === null) return true;
  return authority !== null && missing(known.parties, authority.parties).length === 0;
}

function missing<T>(known: readonly T[], more: readonly T[]): readonly T[] {
  const texts = new Set(known.map((one) => JSON.stringify(one)));
  return more.filter((one) => !texts.has(JSON.stringify(one)));
}

/** The agents without duplicates, for a message. */
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
