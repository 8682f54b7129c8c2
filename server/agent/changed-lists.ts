// Which lists of the agent may have changed since a cursor, for clients that show them: dead letters, operations, mirrors and
// others that the event feed does not describe. It holds names only, never content.
import type { ChangedList, ListName } from '../contract/agent.ts';
import type { ChangedListsFeed } from '../http/base/dependencies.ts';
import type { CommandKind } from '../store/port/commands.ts';
import type { WriteFeed } from '../store/port/store.ts';

/** Lists of workspaces that are remembered. A cursor from before a forgotten one gets `complete: false`. */
const rememberedMax = 4_096;
/** Changes of this time after the first belong to one answer. */
const gatherMs = 50;

const listsOf: { readonly [Kind in CommandKind]: readonly ListName[] } = {
  change_files: ['operations'],
  restore_files: ['operations'],
  create_fork: [],
  change_fork: [],
  commit_fork: ['operations', 'runs'],
  rebase_fork: [],
  discard_fork: ['runs'],
  create_run: ['runs'],
  accept_envelope: ['dead-letters'],
  apply_envelopes: ['dead-letters'],
  preview_envelope: [],
  read_envelope_texts: [],
  fail_envelope: ['dead-letters'],
  replay_envelopes: ['dead-letters'],
  acknowledge_envelopes: ['dead-letters'],
  create_workspace: ['workspaces'],
  rename_workspace: ['workspaces'],
  set_workspace_deleted: ['workspaces'],
  acknowledge_operation: ['operations'],
  requeue_operation: ['operations'],
  cancel_operation: ['operations'],
  retry_operation_now: ['operations'],
  lease_writebacks: ['operations'],
  finish_writeback: ['operations'],
  retry_writebacks_now: ['operations'],
  release_writebacks: ['operations'],
  insert_provider: ['providers'],
  update_provider: ['providers'],
  remove_provider: ['providers'],
  insert_webhook: [],
  remove_webhook: [],
  add_webhook_deliveries: [],
  lease_webhook_deliveries: [],
  finish_webhook_delivery: [],
  drop_webhook_deliveries: [],
  release_webhook_deliveries: [],
  replay_webhook_delivery: [],
  renew_subscription: [],
  cancel_subscription: [],
  claim_subscription_deliveries: [],
  accept_subscription_delivery: [],
  insert_token: ['tokens'],
  revoke_token: ['tokens'],
  note_token_use: [],
  insert_user: [],
  set_user_disabled: ['tokens'],
  set_user_role: [],
  remove_user_role: ['tokens'],
  insert_invite: [],
  use_invite: [],
  link_identity: [],
  insert_mirror: ['mirrors'],
  update_mirror: ['mirrors'],
  remove_mirror: ['mirrors'],
  save_base: [],
  clear_base: [],
  begin_intents: [],
  end_intents: [],
  add_conflict: ['conflicts'],
  remove_conflict: ['conflicts'],
  save_proof: ['mirrors'],
  insert_remote: ['remotes'],
  update_remote: ['remotes'],
  remove_remote: ['remotes'],
  save_remote_base: ['remotes'],
  clear_remote_base: ['remotes'],
  record_remote_sent: ['remotes'],
  remove_remote_conflict: ['conflicts'],
  apply_retention: [],
  note_retention_time: [],
};

interface Remembered extends ChangedList {
  readonly number: number;
}

interface Dependencies {
  readonly store: WriteFeed;
  readonly mirrors: { onChange(listener: (mirrorId: string) => void): () => void };
  readonly clock: { delay(delayMs: number, signal?: AbortSignal): Promise<void> };
  /** Differs after each start of the process. */
  readonly epoch: string;
}

export class RememberedChanges implements ChangedListsFeed {
  readonly #clock: Dependencies['clock'];
  readonly #epoch: string;
  readonly #waiting = new Set<() => void>();
  /** By list and workspace, the one that changed last at the end. */
  readonly #changes = new Map<string, Remembered>();
  #number = 0;
  /** Number of the newest change that was forgotten. */
  #forgotten = 0;

  constructor({ store, mirrors, clock, epoch }: Dependencies) {
    this.#clock = clock;
    this.#epoch = epoch;
    store.onWrite(({ kind, workspaceId }) => {
      for (const list of listsOf[kind]) this.#note(list, workspaceId);
    });
    mirrors.onChange(() => this.#note('mirrors', null));
  }

  since(cursor: string | null): ReturnType<ChangedListsFeed['since']> {
    const number = this.#numberOf(cursor);
    const changed: ChangedList[] = [];
    if (number !== null) {
      for (const { list, workspaceId, number: at } of this.#changes.values()) {
        if (at > number) changed.push(workspaceId === undefined ? { list } : { list, workspaceId });
      }
    }
    return { cursor: `${this.#epoch}.${this.#number}`, isComplete: number !== null, changed };
  }

  async untilChanged(cursor: string | null, signal: AbortSignal): Promise<void> {
    const number = this.#numberOf(cursor);
    if (number === null) return;
    if (this.#number === number) await this.#nextChange(signal);
    if (!signal.aborted) await this.#clock.delay(gatherMs, signal);
  }

  #note(list: ListName, workspaceId: string | null): void {
    const key = `${list} ${workspaceId ?? ''}`;
    this.#number += 1;
    this.#changes.delete(key);
    this.#changes.set(key, {
      list,
      ...(workspaceId === null ? {} : { workspaceId }),
      number: this.#number,
    });
    for (const [oldest, { number }] of this.#changes) {
      if (this.#changes.size <= rememberedMax) break;
      this.#changes.delete(oldest);
      this.#forgotten = number;
    }
    for (const wake of this.#waiting) wake();
  }

  async #nextChange(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
    await promise;
    this.#waiting.delete(resolve);
  }

  /** null: not of this process, or changes after it were forgotten. */
  #numberOf(cursor: string | null): number | null {
    const [, epoch, digits] = /^(.+)\.(\d{1,15})$/.exec(cursor ?? '') ?? [];
    const number = Number(digits);
    if (epoch !== this.#epoch || number > this.#number || number < this.#forgotten) return null;
    return number;
  }
}
