// The port by subject: workspaces and tokens, inbound events, operations, providers, webhook endpoints, subscriptions and mirrors. Each
// method is a named read or the name of a command.

import { yieldToEventLoop } from '../../platform/event-loop.ts';
import type {
  IngestStore,
  MirrorStore,
  OperationStore,
  ProviderStore,
  RemoteStore,
  SubscriptionStore,
  TokenStore,
  UserStore,
  WebhookStore,
  WorkspaceStore,
  WritebackStore,
} from '../port/store.ts';
import { readers, senders } from './port-methods.ts';
import type { StoreDeps } from './store-parts.ts';

export function workspaceStore(deps: StoreDeps): WorkspaceStore {
  return {
    ...senders(deps, {
      create: 'create_workspace',
      rename: 'rename_workspace',
      setDeleted: 'set_workspace_deleted',
    }),
    ...readers(deps, 'workspaces'),
  };
}

export function tokenStore(deps: StoreDeps): TokenStore {
  return {
    ...senders(deps, { insert: 'insert_token', revoke: 'revoke_token', noteUse: 'note_token_use' }),
    ...readers(deps, 'tokens'),
  };
}

export function userStore(deps: StoreDeps): UserStore {
  return {
    ...senders(deps, {
      insert: 'insert_user',
      setDisabled: 'set_user_disabled',
      setRole: 'set_user_role',
      removeRole: 'remove_user_role',
      insertInvite: 'insert_invite',
      useInvite: 'use_invite',
      linkIdentity: 'link_identity',
    }),
    ...readers(deps, 'users'),
  };
}

export function ingestStore(deps: StoreDeps): IngestStore {
  return {
    ...senders(deps, {
      accept: 'accept_envelope',
      texts: 'read_envelope_texts',
      fail: 'fail_envelope',
      replay: 'replay_envelopes',
      acknowledge: 'acknowledge_envelopes',
    }),
    ...readers(deps, 'ingest'),
  };
}

export function operationStore(deps: StoreDeps): OperationStore {
  return {
    ...senders(deps, {
      requeue: 'requeue_operation',
      retryNow: 'retry_operation_now',
      cancel: 'cancel_operation',
    }),
    ...readers(deps, 'operations'),
  };
}

export function writebackStore(deps: StoreDeps): WritebackStore {
  return {
    ...senders(deps, {
      lease: 'lease_writebacks',
      retryNow: 'retry_writebacks_now',
      release: 'release_writebacks',
    }),
    ...readers(deps, 'writebacks'),
  };
}

export function providerStore(deps: StoreDeps): ProviderStore {
  return {
    ...senders(deps, { insert: 'insert_provider', update: 'update_provider', remove: 'remove_provider' }),
    ...readers(deps, 'providers'),
  };
}

export function webhookStore(deps: StoreDeps): WebhookStore {
  return {
    ...senders(deps, {
      insert: 'insert_webhook',
      remove: 'remove_webhook',
      dropWaiting: 'drop_webhook_deliveries',
      add: 'add_webhook_deliveries',
      lease: 'lease_webhook_deliveries',
      finish: 'finish_webhook_delivery',
      release: 'release_webhook_deliveries',
      replay: 'replay_webhook_delivery',
    }),
    ...readers(deps, 'webhooks'),
  };
}

export function subscriptionStore(deps: StoreDeps): SubscriptionStore {
  return {
    ...senders(deps, {
      renew: 'renew_subscription',
      cancel: 'cancel_subscription',
      claim: 'claim_subscription_deliveries',
      accept: 'accept_subscription_delivery',
    }),
    ...readers(deps, 'subscriptions'),
  };
}

/** Rows of a mirror's base that are read at once. */
const basePageRows = 2_000;

export function mirrorStore(deps: StoreDeps): MirrorStore {
  return {
    ...senders(deps, {
      insert: 'insert_mirror',
      update: 'update_mirror',
      remove: 'remove_mirror',
      saveBase: 'save_base',
      clearBase: 'clear_base',
      saveProof: 'save_proof',
      beginIntents: 'begin_intents',
      endIntents: 'end_intents',
      addConflict: 'add_conflict',
      removeConflict: 'remove_conflict',
    }),
    async loadBase(mirrorId, take) {
      // Only the mirror changes its base, and it waits here: the pages are one consistent base.
      let after = '';
      for (;;) {
        const page = await deps.read('mirrors', 'listBase', mirrorId, after, basePageRows);
        take(page);
        const last = page.at(-1);
        if (last === undefined || page.length < basePageRows) return;
        after = last.path;
        await yieldToEventLoop();
      }
    },
    ...readers(deps, 'mirrors'),
  };
}

export function remoteStore(deps: StoreDeps): RemoteStore {
  return {
    ...senders(deps, {
      insert: 'insert_remote',
      update: 'update_remote',
      remove: 'remove_remote',
      saveBase: 'save_remote_base',
      clearBase: 'clear_remote_base',
      recordSent: 'record_remote_sent',
      removeConflict: 'remove_remote_conflict',
    }),
    ...readers(deps, 'remotes'),
  };
}
