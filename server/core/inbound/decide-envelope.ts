// Decides what an inbound change does to the workspace: nothing, because it is an echo, stale or not about files, or changes. Pure:
// the store loads the state, applies the changes and records the outcome, in one transaction.
import type { Semantics } from '../../contract/common.ts';
import type { FailureCause } from '../../contract/sync.ts';
import { aclFileName, isAclPath } from '../access/acl.ts';
import { type Authority, agentsOf, reaches } from '../access/authority.ts';
import { plural } from '../amounts.ts';
import type { Content, FileChange, Refusal, RefusalCode } from '../change/change.ts';
import type { Encoding, FileEntry } from '../entry.ts';
import type { DeletePayload, EchoClaim, OtherPayload, Unreadable } from './read-payload.ts';

/** An upsert whose content is bytes already. */
export interface Upsert {
  readonly kind: 'upsert';
  readonly path: string;
  readonly objectId: string | null;
  readonly claim: EchoClaim | null;
  readonly content: Content;
  readonly encoding: Encoding;
  readonly contentType: string | undefined;
  readonly semantics: Semantics | undefined;
}

export type InboundChange = Upsert | DeletePayload | OtherPayload;

/** Position in time: what the provider says, and the number of its arrival. */
export interface EventTime {
  readonly occurredAtMs: number | null;
  readonly acceptedAtMs: number;
  readonly number: number;
}

/** The newest that was applied to a path or an object. */
export interface Watermark {
  readonly atMs: number;
  readonly number: number;
}

/** What was put at a path by us, as far as its provider knows: a content, or (null) that there is none. */
export interface SentRecord {
  readonly hash: string | null;
}

export interface InboundState {
  /** Of the path, and of the object when the delivery names one; those that there are. */
  readonly watermarks: readonly Watermark[];
  /** The current path of the provider's object; null: unknown. */
  readonly objectPath: string | null;
  /** The entries at the payload's path, and at `objectPath`. */
  readonly atPath: FileEntry | null;
  readonly atObject: FileEntry | null;
  /** The last content that this path's provider accepted, and the one that is being sent to it. */
  readonly sent: readonly SentRecord[];
  /** The delivery claims a write of ours as its cause, and there was one. */
  readonly isEcho: boolean;
}

export type InboundDecision =
  | { readonly outcome: 'ignored' | 'suppressed' }
  | { readonly outcome: 'stale'; readonly newerAtMs: number }
  | {
      readonly outcome: 'applied';
      readonly changes: readonly FileChange[];
      /** Paths that the delivery speaks of: their watermarks rise. */
      readonly paths: readonly string[];
    };

const defaultContentType = 'application/octet-stream';

/** `overwriteNewer`: the caller knows that a newer event was applied, and applies this one anyway. */
export function decideInbound(
  delivery: InboundChange,
  moment: EventTime,
  state: InboundState,
  overwriteNewer: boolean,
): InboundDecision {
  if (delivery.kind === 'other') return { outcome: 'ignored' };
  const newer = state.watermarks.filter((mark) => isStale(moment, mark));
  if (newer.length > 0 && !overwriteNewer) {
    return { outcome: 'stale', newerAtMs: Math.max(...newer.map((mark) => mark.atMs)) };
  }
  if (!overwriteNewer && isEcho(delivery, state)) return { outcome: 'suppressed' };
  const changes =
    delivery.kind === 'upsert' ? upsertChanges(delivery, state) : deleteChanges(delivery, state);
  const paths = new Set([delivery.path, ...(state.objectPath === null ? [] : [state.objectPath])]);
  return { outcome: 'applied', changes, paths: [...paths] };
}

/** Without a time an event is as old as its arrival; events of the same time are in the order of their arrival. */
export function isStale(moment: EventTime, mark: Watermark): boolean {
  if (moment.occurredAtMs === null) return moment.number < mark.number;
  if (moment.occurredAtMs !== mark.atMs) return moment.occurredAtMs < mark.atMs;
  return moment.number < mark.number;
}

/** The watermark of a path or object after this event. It never decreases. */
export function watermarkAfter(moment: EventTime, before: Watermark | null): Watermark {
  const atMs = moment.occurredAtMs ?? moment.acceptedAtMs;
  return {
    atMs: Math.max(atMs, before?.atMs ?? atMs),
    number: Math.max(moment.number, before?.number ?? moment.number),
  };
}

/** An echo: the provider says so, or the event has exactly the content that was sent to it. */
function isEcho(delivery: Upsert | DeletePayload, state: InboundState): boolean {
  if (state.isEcho) return true;
  const hash = delivery.kind === 'upsert' ? delivery.content.hash : null;
  return state.sent.some((sent) => sent.hash === hash);
}

function upsertChanges(delivery: Upsert, { objectPath, atPath }: InboundState): readonly FileChange[] {
  const { path, objectId, content, encoding, contentType, semantics } = delivery;
  const file = {
    content,
    encoding,
    ...(contentType === undefined ? {} : { contentType }),
    ...(semantics === undefined ? {} : { semantics }),
  };
  const write: FileChange = {
    kind: 'write_file',
    path,
    precondition: { kind: 'any' },
    defaultContentType,
    ...file,
    ...(objectId === null ? {} : { providerObjectId: objectId }),
  };
  if (objectPath === null || objectPath === path) return [write];
  // Another file is at the object's new path: it is replaced, and history retains its content.
  if (atPath !== null)
    return [{ kind: 'delete_file', path: objectPath, precondition: { kind: 'any' } }, write];
  return [
    { kind: 'move_file', from: objectPath, to: path, precondition: { kind: 'any' }, replacement: file },
  ];
}

function deleteChanges(delivery: DeletePayload, { atPath, atObject }: InboundState): readonly FileChange[] {
  // The object was deleted at its provider. A file at the named path is deleted only if it is not known to be another object.
  const gone = atObject ?? (isAnother(atPath, delivery.objectId) ? null : atPath);
  return gone === null ? [] : [{ kind: 'delete_file', path: gone.path, precondition: { kind: 'any' } }];
}

function isAnother(entry: FileEntry | null, objectId: string | null): boolean {
  if (entry === null || objectId === null || entry.providerObjectId === null) return false;
  return entry.providerObjectId !== objectId;
}

// ---- the sender

/**
 * A refusal before the workspace's state is read; null: none. `allows` applies the current access rules. A webhook never changes an
 * ACL file: callers that may write rules write them directly.
 */
export function refusalOf(
  delivery: InboundChange,
  state: Pick<InboundState, 'objectPath'>,
  authority: Authority | null,
  allows: (path: string) => boolean,
): Unreadable | null {
  const paths = [delivery.path, state.objectPath].filter((path) => path !== null);
  if (delivery.kind !== 'other' && paths.some(isAclPath)) {
    return {
      cause: 'access_rules_refused',
      message: `a webhook changes no access rules: write ${aclFileName} with a token that has fs:write, and acknowledge this`,
    };
  }
  if (authority === null || paths.every((path) => reaches(authority, path) && allows(path))) return null;
  return {
    cause: 'access_denied',
    message: `${agentsOf(authority)} may not change what this names: extend the path grants or access rules and replay it, or replay it with a payload of your own`,
  };
}

/** A deletion beyond the quota waits until a caller replays it. */
export function overQuota(changes: readonly FileChange[], authority: Authority | null): Unreadable | null {
  if (authority === null || deletionsOf(changes) === 0) return null;
  const limits = authority.deleteLimits.map(({ perMinute }) => plural(perMinute, 'deletion'));
  return {
    cause: 'delete_quota_exceeded',
    message: `${agentsOf(authority)} may make at most ${limits.join(' and ')} a minute: replay it when the minute is over`,
  };
}

/** Files that leave their path. */
export function deletionsOf(changes: readonly FileChange[]): number {
  return changes.filter(({ kind }) => kind === 'delete_file' || kind === 'move_file').length;
}

// ---- failures

const causes: Readonly<Record<RefusalCode, FailureCause>> = {
  revision_conflict: 'internal_error',
  not_found: 'internal_error',
  forbidden: 'access_denied',
  invalid_path: 'path_invalid',
  invalid_content: 'access_rules_invalid',
  path_conflict: 'path_taken',
  workspace_not_found: 'workspace_gone',
  not_applied: 'internal_error',
};

/** Why the workspace refused the change. */
export function causeOf(refusal: Refusal): FailureCause {
  return causes[refusal.code];
}

/** Causes that may pass without a change; every other one fails the same way each time. */
const transientCauses: ReadonlySet<FailureCause> = new Set(['store_unavailable', 'internal_error']);

export function isTransient(cause: FailureCause): boolean {
  return transientCauses.has(cause);
}
