// Counts commits by workspace in memory that the main thread and the writer's thread share, so that the main thread knows without a
// read, and without waiting for a message, whether what it read before is still current.
import type { Command, CommandKind, Input } from '../port/commands.ts';
import type { ChangeCounters } from '../port/store.ts';

/** Workspaces share counters: more of them only mean fewer reads that are repeated for nothing. */
const countersMax = 4096;
/** The counter of commits that may change any workspace. */
const everyWorkspace = 0;

/** What a command may change of what reads of workspaces show. The workspaces whose feed it touches are counted in any case. */
type Effect = 'its workspace' | 'every workspace' | 'feed only';

const effects: {
  readonly [Kind in CommandKind]: Input<Kind> extends { readonly workspaceId: string }
    ? Effect
    : Exclude<Effect, 'its workspace'>;
} = {
  change_files: 'its workspace',
  restore_files: 'its workspace',
  create_fork: 'feed only',
  change_fork: 'feed only',
  commit_fork: 'its workspace',
  rebase_fork: 'feed only',
  discard_fork: 'feed only',
  create_run: 'feed only',
  accept_envelope: 'feed only',
  apply_envelopes: 'its workspace',
  preview_envelope: 'feed only',
  read_envelope_texts: 'feed only',
  fail_envelope: 'feed only',
  replay_envelopes: 'feed only',
  acknowledge_envelopes: 'feed only',
  create_workspace: 'its workspace',
  rename_workspace: 'its workspace',
  set_workspace_deleted: 'its workspace',
  acknowledge_operation: 'its workspace',
  requeue_operation: 'its workspace',
  cancel_operation: 'its workspace',
  retry_operation_now: 'its workspace',
  lease_writebacks: 'feed only',
  finish_writeback: 'its workspace',
  retry_writebacks_now: 'feed only',
  release_writebacks: 'feed only',
  insert_provider: 'feed only',
  update_provider: 'feed only',
  remove_provider: 'its workspace',
  insert_webhook: 'feed only',
  remove_webhook: 'feed only',
  add_webhook_deliveries: 'feed only',
  lease_webhook_deliveries: 'feed only',
  finish_webhook_delivery: 'feed only',
  drop_webhook_deliveries: 'feed only',
  release_webhook_deliveries: 'feed only',
  replay_webhook_delivery: 'feed only',
  renew_subscription: 'feed only',
  cancel_subscription: 'feed only',
  claim_subscription_deliveries: 'feed only',
  accept_subscription_delivery: 'feed only',
  insert_token: 'feed only',
  revoke_token: 'feed only',
  note_token_use: 'feed only',
  insert_user: 'feed only',
  set_user_disabled: 'feed only',
  set_user_role: 'feed only',
  remove_user_role: 'feed only',
  insert_invite: 'feed only',
  use_invite: 'feed only',
  link_identity: 'feed only',
  insert_mirror: 'feed only',
  update_mirror: 'feed only',
  remove_mirror: 'feed only',
  save_base: 'feed only',
  clear_base: 'feed only',
  begin_intents: 'feed only',
  end_intents: 'feed only',
  add_conflict: 'feed only',
  save_proof: 'feed only',
  remove_conflict: 'feed only',
  insert_remote: 'feed only',
  update_remote: 'feed only',
  remove_remote: 'feed only',
  save_remote_base: 'feed only',
  clear_remote_base: 'feed only',
  record_remote_sent: 'feed only',
  remove_remote_conflict: 'feed only',
  // Deletes events, and workspaces that were deleted long ago.
  apply_retention: 'every workspace',
  note_retention_time: 'feed only',
};

/** A counter is odd while a commit of its workspaces runs: what is read meanwhile may be from before or after it. */
export class SharedChangeCounters implements ChangeCounters {
  readonly memory: SharedArrayBuffer;
  readonly #counters: Int32Array;

  constructor(memory = new SharedArrayBuffer(countersMax * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#counters = new Int32Array(memory);
  }

  of(workspaceId: string): number | null {
    const every = Atomics.load(this.#counters, everyWorkspace);
    const own = Atomics.load(this.#counters, counterOf(workspaceId));
    // Neither ever falls, so the sum is the same only while both are.
    return ((every | own) & 1) === 1 ? null : every + own;
  }

  ofEvery(): number | null {
    const every = Atomics.load(this.#counters, everyWorkspace);
    return (every & 1) === 1 ? null : every;
  }

  /** Runs the COMMIT of the commands. `touched`: the workspaces whose feed has new events. For the writer's thread. */
  during(commands: readonly Command[], touched: Iterable<string>, commit: () => void): void {
    const counters = new Set(Array.from(touched, counterOf));
    for (const { name, input } of commands) {
      const effect = effects[name];
      if (effect === 'every workspace') counters.add(everyWorkspace);
      else if (effect === 'its workspace')
        counters.add(counterOf((input as { readonly workspaceId: string }).workspaceId));
    }
    for (const counter of counters) Atomics.add(this.#counters, counter, 1);
    try {
      commit();
    } finally {
      for (const counter of counters) Atomics.add(this.#counters, counter, 1);
    }
  }
}

/** FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/). */
function counterOf(workspaceId: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < workspaceId.length; index += 1) {
    hash = Math.imul(hash ^ workspaceId.charCodeAt(index), 0x01000193);
  }
  return 1 + ((hash >>> 0) % (countersMax - 1));
}
