// Decides what a delivery of a provider does to the workspace: nothing, because it is an echo, out of date or not about files,
// or changes. Pure: the store loads the state, carries the changes out and writes down what came of it, in one transaction.
import type { Semantics } from '../../contract/common.ts';
import type { FailureCause } from '../../contract/sync.ts';
import { aclFileName, isAclPath } from '../access/acl.ts';
import { type Authority, agentsOf, reaches } from '../access/authority.ts';
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

/** Position of a delivery in time: what its provider says, and the number of its arrival. */
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
  /** Where the provider's object lies now; null when it is not known. */
  readonly objectPath: string | null;
  /** What lies at the delivery's path, and at `objectPath`. */
  readonly atPath: FileEntry | null;
  readonly atObject: FileEntry | null;
  /** Last of ours that this path's provider took over, and what is on its way to it. */
  readonly sent: readonly SentRecord[];
  /** The delivery claims a write of ours as its cause, and there was one. */
  readonly claimHolds: boolean;
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

/** `overwriteNewer`: somebody has seen that something newer was applied, and wants this one all the same. */
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

/** A delivery without a time is as old as its arrival; two of the same time stand in the order of their arrival. */
export function isStale(moment: EventTime, mark: Watermark): boolean {
  if (moment.occurredAtMs === null) return moment.number < mark.number;
  if (moment.occurredAtMs !== mark.atMs) return moment.occurredAtMs < mark.atMs;
  return moment.number < mark.number;
}

/** What a path's or object's watermark is once this delivery was applied. It never goes back. */
export function watermarkAfter(moment: EventTime, before: Watermark | null): Watermark {
  const atMs = moment.occurredAtMs ?? moment.acceptedAtMs;
  return {
    atMs: Math.max(atMs, before?.atMs ?? atMs),
    number: Math.max(moment.number, before?.number ?? moment.number),
  };
}

/** What came from here comes back: the provider says so, or it brings exactly what was sent to it (contract ruling 21). */
function isEcho(delivery: Upsert | DeletePayload, state: InboundState): boolean {
  if (state.claimHolds) return true;
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
  // Something else lies where the object is now: it gives way, its content stays in history.
  if (atPath !== null)
    return [{ kind: 'delete_file', path: objectPath, precondition: { kind: 'any' } }, write];
  return [
    { kind: 'move_file', from: objectPath, to: path, precondition: { kind: 'any' }, replacement: file },
  ];
}

function deleteChanges(delivery: DeletePayload, { atPath, atObject }: InboundState): readonly FileChange[] {
  // The object is gone wherever it lay. At the named path only what is not known to be another object goes.
  const gone = atObject ?? (isAnother(atPath, delivery.objectId) ? null : atPath);
  return gone === null ? [] : [{ kind: 'delete_file', path: gone.path, precondition: { kind: 'any' } }];
}

function isAnother(entry: FileEntry | null, objectId: string | null): boolean {
  if (entry === null || objectId === null || entry.providerObjectId === null) return false;
  return entry.providerObjectId !== objectId;
}

// ---- whoever hands it in

/**
 * What a delivery may not do, before anything of the workspace's state is told: null where nothing speaks against it. `allows` asks
 * the access rules in force. A file of access rules is nobody's to change by a webhook: whoever may write rules writes them directly.
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

/** A deletion beyond the quota waits for somebody to replay it. */
export function overQuota(changes: readonly FileChange[], authority: Authority | null): Unreadable | null {
  if (authority === null || deletionsOf(changes) === 0) return null;
  const limits = authority.deleteLimits.map(
    ({ perMinute }) => `${perMinute} ${perMinute === 1 ? 'deletion' : 'deletions'}`,
  );
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

/** Why the one door refused what a delivery asks for. */
export function causeOf(refusal: Refusal): FailureCause {
  return causes[refusal.code];
}

/** Those that may pass by themselves; every other one fails the same way each time. */
const transientCauses: ReadonlySet<FailureCause> = new Set(['store_unavailable', 'internal_error']);

export function isTransient(cause: FailureCause): boolean {
  return transientCauses.has(cause);
}
