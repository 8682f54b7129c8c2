// The part of the port that keeps registered addresses, and what is on its way to them.
import type { AccessSubject } from '../../core/entry.ts';
import type { AttemptOutcome } from '../../core/outbound/decide-attempt.ts';

export interface WebhookRow {
  readonly workspaceId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly globs: readonly string[];
  readonly plainHttp: boolean;
  readonly privateAddresses: boolean;
  /** With whose eyes events are looked at; null: the owner's. */
  readonly access: AccessSubject | null;
  /** Of who registered it: when one of them is revoked nothing is sent any more. */
  readonly tokenIds: readonly string[];
  /** When the token expires that registered it; null: the owner registered it, and it does not expire. */
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** Events up to here were looked at. */
  readonly position: number;
  readonly createdAtMs: number;
  readonly lastAttemptAtMs: number | null;
  readonly lastSuccessAtMs: number | null;
  readonly lastError: string | null;
  readonly failuresInRow: number;
}

export type WebhookDeliveryStatus = 'pending' | 'running' | 'delivered' | 'dead_lettered';

export interface WebhookDeliveryRow {
  readonly number: number;
  readonly webhookId: string;
  readonly url: string;
  readonly eventSeq: number;
  /** The body as it is sent. */
  readonly body: string;
  readonly status: WebhookDeliveryStatus;
  /** Since it was made or replayed. */
  readonly attempts: number;
  readonly replays: number;
  readonly lastError: string | null;
  readonly failedAtMs: number | null;
}

export type ReplayWebhookResult = WebhookDeliveryStatus | 'webhook_ended' | null;

/** Of all workspaces. */
export interface WebhookCounts {
  readonly pending: number;
  readonly running: number;
  readonly deadLettered: number;
  /** When the oldest event happened that waits or is under way; null: there is none. */
  readonly oldestPendingAtMs: number | null;
}

export type InsertWebhookResult = 'inserted' | 'workspace_unknown' | 'token_revoked';

export interface WebhookStore {
  /** Also lets go of ended endpoints of the workspace but for the newest `endedMax`. */
  insert(row: WebhookRow, endedMax: number): Promise<InsertWebhookResult>;
  /** Of all workspaces that are not deleted. */
  list(): Promise<readonly WebhookRow[]>;
  /** With all that was on its way. false: unknown. */
  remove(workspaceId: string, webhookId: string): Promise<boolean>;
  /** May it be called at this time? false also when it is unknown. */
  isActive(workspaceId: string, webhookId: string, atMs: number): Promise<boolean>;
  /** Of an endpoint that has ended: deletes the deliveries that wait or are under way. Dead letters stay. */
  dropWaiting(workspaceId: string, webhookId: string): Promise<number>;
  /** Takes deliveries for events in `(from, to]` and moves the position, together. false: the position is not `from` any more,
   * or the endpoint has ended; nothing changed. */
  add(
    workspaceId: string,
    webhookId: string,
    events: {
      readonly from: number;
      readonly to: number;
      readonly atMs: number;
      readonly deliveries: readonly { readonly eventSeq: number; readonly body: string }[];
    },
  ): Promise<boolean>;
  /** Deliveries that wait or are under way, counted up to a limit. */
  waiting(workspaceId: string, webhookId: string, countMax: number): Promise<number>;
  /** The oldest that are due, or whose lease ran out: pending -> running. None of an endpoint that has ended; those of paths that
   * are hidden from whoever registered it are deleted. */
  lease(
    workspaceId: string,
    webhookId: string,
    options: { readonly atMs: number; readonly leaseMs: number; readonly limit: number },
  ): Promise<readonly WebhookDeliveryRow[]>;
  nextDueMs(workspaceId: string, webhookId: string): Promise<number | null>;
  /** The end of an attempt. null: it is not this attempt's any more; nothing changed. */
  finish(end: {
    readonly number: number;
    readonly attempt: number;
    readonly outcome: AttemptOutcome;
    readonly attemptsMax: number;
    readonly random: number;
    readonly atMs: number;
  }): Promise<WebhookDeliveryStatus | null>;
  figures(): Promise<WebhookCounts>;
  /** After a start: what was running waits again. */
  releaseAll(): Promise<number>;
  /** What died, and what was replayed since, newest first. */
  deadLetters(
    workspaceId: string,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<{ readonly items: readonly WebhookDeliveryRow[]; readonly more: boolean }>;
  /** dead_lettered -> pending; any other status, and an endpoint that has ended, changes nothing. The status found; null: unknown, or
   * for none of these endpoints. */
  replay(
    workspaceId: string,
    number: number,
    options: { readonly webhookIds: readonly string[]; readonly atMs: number },
  ): Promise<ReplayWebhookResult>;
}
