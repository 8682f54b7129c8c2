// The parts of the port: each method is a named read on the calling thread's connection or a command to the writer.
import { readCounter } from './counters.ts';
import {
  deadLetterCauses,
  findDeadLetters,
  lastErrors,
  listAttempts,
  listDeadLetters,
} from './dead-letters.ts';
import { orUnavailable } from './disk-faults.ts';
import { findEnvelope, pendingEnvelopes, readWaiting } from './envelopes.ts';
import { eventPositionAt, eventRange, listEvents } from './events.ts';
import { findContent, findText, getChecked, getCheckedText, getEntry, listFiles } from './files.ts';
import { findRevision, isKnownContent, readHistory, readHistoryPage } from './history.ts';
import type { IngestStore, Prepared } from './ingest-port.ts';
import { listIngress, queueFigures } from './ingress.ts';
import { countBase, lastProof, listConflicts, listMirrors, loadBasePage, openIntents } from './mirrors.ts';
import { nextTurn } from './next-turn.ts';
import { getOperation, listOperations, oldestOperations, pendingOperations } from './operations.ts';
import type { StoreParts } from './parts.ts';
import type {
  EventStore,
  FileStore,
  MirrorStore,
  OperationStore,
  ProviderStore,
  SubscriptionStore,
  TokenStore,
  WebhookStore,
  WorkspaceStore,
  WritebackStore,
} from './port.ts';
import { listProviders } from './providers.ts';
import { queryFiles } from './query.ts';
import { openSnapshot } from './snapshot.ts';
import { listSubscriptions } from './subscriptions.ts';
import { getToken, listTokens, revokedTokenIds } from './tokens.ts';
import { fileProviders, readTree } from './tree.ts';
import { listDeadDeliveries, listWebhooks, nextDeliveryDueMs, waitingDeliveries } from './webhook-reads.ts';
import { getWorkspace, listWorkspaces } from './workspaces.ts';
import { nextDueMs, unsentPaths, writebackFigures } from './writeback-queue.ts';
import { listSteps } from './writeback-steps.ts';

/** Rows of a mirror's base that are read at once. */
const basePageRows = 2_000;

export function workspaceStore({ read, send }: StoreParts): WorkspaceStore {
  return {
    create: (row) => send('create_workspace', row),
    get: (workspaceId) => read('workspaces.get', (statements) => getWorkspace(statements, workspaceId)),
    list: ({ includeDeleted }) =>
      read('workspaces.list', (statements) => listWorkspaces(statements, includeDeleted)),
    rename: (workspaceId, name) => send('rename_workspace', { workspaceId, name }),
    setDeleted: (workspaceId, deletedAtMs) => send('set_workspace_deleted', { workspaceId, deletedAtMs }),
  };
}

export function fileStore({ read, blobs, databaseFile }: StoreParts): FileStore {
  const find = (hash: string) => read('files.content', (statements) => findContent(statements, hash));
  return {
    get: (workspaceId, filePath) =>
      read('files.get', (statements) => getEntry(statements, workspaceId, filePath)),
    getChecked: (workspaceId, filePath, access) =>
      read('files.getChecked', (statements) => getChecked(statements, workspaceId, filePath, access)),
    getCheckedText: (workspaceId, filePath, access) =>
      read('files.getCheckedText', (statements) => getCheckedText(statements, workspaceId, filePath, access)),
    async read(hash) {
      const content = await find(hash);
      return content === null ? null : (content.bytes ?? (await blobs.read(hash)));
    },
    async readText(hash) {
      const found = await read('files.text', (statements) => findText(statements, hash));
      if (found === null) return null;
      return found.isFile ? (await blobs.read(hash)).toString('utf8') : found.text;
    },
    async open(hash, range) {
      const content = await find(hash);
      if (content === null) return null;
      if (content.bytes === null) return await blobs.open(hash, range);
      return {
        sizeBytes: content.sizeBytes,
        stream: streamOf(content.bytes.subarray(range?.start, range?.end)),
      };
    },
    tree: (workspaceId, query) =>
      read('files.tree', (statements) => readTree(statements, workspaceId, query)),
    // Slices itself; none of them is long.
    query: async (workspaceId, filter, page) =>
      await (
        await read('files.query', (statements) => ({
          found: queryFiles(statements, workspaceId, filter, page),
        }))
      ).found,
    list: (workspaceId, base, afterPath, limit) =>
      read('files.list', (statements) => listFiles(statements, workspaceId, base, afterPath, limit)),
    history: (workspaceId, filePath, limit, beforeRevision) =>
      read('files.history', (statements) =>
        readHistory(statements, workspaceId, filePath, limit, beforeRevision),
      ),
    historyPage: (workspaceId, query) =>
      read('files.historyPage', (statements) => readHistoryPage(statements, workspaceId, query)),
    revision: (workspaceId, filePath, revision, access) =>
      read('files.revision', (statements) =>
        findRevision(statements, workspaceId, filePath, revision, access),
      ),
    historyCompleteSinceMs: () =>
      read('files.historyCompleteSince', (statements) => readCounter(statements, 'history_floor')),
    isKnownContent: (workspaceId, filePath, hash) =>
      read('files.isKnownContent', (statements) => isKnownContent(statements, workspaceId, filePath, hash)),
    snapshot: () => read('files.snapshot', () => openSnapshot(databaseFile, blobs)),
    stage: (bytes) => orUnavailable(blobs.stage(bytes)),
    stageStream: (source, bytesMax) => orUnavailable(blobs.stageStream(source, bytesMax)),
    unstage: ({ hash }) => blobs.unstage(hash),
  };
}

export function eventStore({ read }: StoreParts): EventStore {
  return {
    list: (workspaceId, query) =>
      read('events.list', (statements) => listEvents(statements, workspaceId, query)),
    positionAt: (workspaceId, atMs) =>
      read('events.positionAt', (statements) => eventPositionAt(statements, workspaceId, atMs)),
    range: () => read('events.range', eventRange),
  };
}

export function operationStore({ read, send }: StoreParts): OperationStore {
  return {
    get: (workspaceId, opId) =>
      read('operations.get', (statements) => getOperation(statements, workspaceId, opId)),
    list: (workspaceId, query) =>
      read('operations.list', (statements) => listOperations(statements, workspaceId, query)),
    oldest: (workspaceId, query) =>
      read('operations.oldest', (statements) => oldestOperations(statements, workspaceId, query)),
    hasten: (workspaceId, opId, result) => send('hasten_operation', { workspaceId, opId, ...result }),
    pending: (workspaceId, limit) =>
      read('operations.pending', (statements) => pendingOperations(statements, workspaceId, limit)),
    steps: (workspaceId, opId) =>
      read('operations.steps', (statements) => listSteps(statements, workspaceId, opId)),
    acknowledge: (workspaceId, opId, result) =>
      send('acknowledge_operation', { workspaceId, opId, ...result }),
    requeue: (workspaceId, opId, atMs, more = { send: 'current', correlationId: '' }) =>
      send('requeue_operation', { workspaceId, opId, atMs, ...more }),
    cancel: (workspaceId, opId, result) => send('cancel_operation', { workspaceId, opId, ...result }),
  };
}

export function writebackStore({ read, send }: StoreParts): WritebackStore {
  return {
    lease: (workspaceId, provider, options) =>
      send('lease_writebacks', { workspaceId, provider, ...options }),
    finish: (workspaceId, opId, end) => send('finish_writeback', { workspaceId, opId, ...end }),
    hasten: async (workspaceId, provider, atMs) =>
      void (await send('hasten_writebacks', { workspaceId, provider, atMs })),
    releaseAll: (atMs) => send('release_writebacks', { atMs }),
    nextDueMs: (workspaceId, provider) =>
      read('writebacks.nextDueMs', (statements) => nextDueMs(statements, workspaceId, provider)),
    unsentPaths: (workspaceId) =>
      read('writebacks.unsentPaths', (statements) => unsentPaths(statements, workspaceId)),
    figures: (workspaceId) =>
      read('writebacks.figures', (statements) => writebackFigures(statements, workspaceId)),
  };
}

export function providerStore({ read, send }: StoreParts): ProviderStore {
  return {
    insert: (row) => send('insert_provider', { row }),
    list: () => read('providers.list', listProviders),
    update: (workspaceId, name, patch) => send('update_provider', { workspaceId, name, patch }),
    remove: (workspaceId, name, how) => send('remove_provider', { workspaceId, name, ...how }),
  };
}

export function webhookStore({ read, send }: StoreParts): WebhookStore {
  return {
    insert: (row) => send('insert_webhook', { row }),
    list: () => read('webhooks.list', listWebhooks),
    remove: (workspaceId, webhookId) => send('remove_webhook', { workspaceId, webhookId }),
    add: (workspaceId, webhookId, events) =>
      send('add_webhook_deliveries', { workspaceId, webhookId, ...events }),
    waiting: (workspaceId, webhookId, countMax) =>
      read('webhooks.waiting', (statements) =>
        waitingDeliveries(statements, workspaceId, webhookId, countMax),
      ),
    lease: (workspaceId, webhookId, options) =>
      send('lease_webhook_deliveries', { workspaceId, webhookId, ...options }),
    nextDueMs: (workspaceId, webhookId) =>
      read('webhooks.nextDueMs', (statements) => nextDeliveryDueMs(statements, workspaceId, webhookId)),
    finish: (end) => send('finish_webhook_delivery', end),
    releaseAll: () => send('release_webhook_deliveries', {}),
    deadLetters: (workspaceId, page) =>
      read('webhooks.deadLetters', (statements) => listDeadDeliveries(statements, workspaceId, page)),
    replay: (workspaceId, number) => send('replay_webhook_delivery', { workspaceId, number }),
  };
}

export function subscriptionStore({ read, send }: StoreParts): SubscriptionStore {
  return {
    renew: (input) => send('renew_subscription', input),
    list: (workspaceId, owner, atMs) =>
      read('subscriptions.list', (statements) => listSubscriptions(statements, workspaceId, owner, atMs)),
    cancel: (workspaceId, owner, number, atMs) =>
      send('cancel_subscription', { workspaceId, owner, number, atMs }),
    claim: (input) => send('claim_subscription_deliveries', input),
    accept: (input) => send('accept_subscription_delivery', input),
  };
}

export function ingestStore({ read, send, blobs }: StoreParts): IngestStore {
  const unstage = (prepared: Prepared) => {
    if (prepared.ok && prepared.delivery.kind === 'upsert' && 'staged' in prepared.delivery.content) {
      blobs.unstage(prepared.delivery.content.hash);
    }
  };
  return {
    accept: (input) => send('accept_envelope', input),
    pending: (after, limit) =>
      read('ingest.pending', (statements) => pendingEnvelopes(statements, after, limit)),
    load: (numbers) => read('ingest.load', (statements) => readWaiting(statements, numbers)),
    find: (workspaceId, envelopeId) =>
      read('ingest.find', (statements) => findEnvelope(statements, workspaceId, envelopeId)),
    findDead: (envelopeId) =>
      read('ingest.findDead', (statements) => findDeadLetters(statements, envelopeId)),
    async apply(workspaceId, inputs, atMs) {
      try {
        return await send('apply_envelopes', { workspaceId, inputs, atMs });
      } finally {
        for (const { prepared } of inputs) unstage(prepared);
      }
    },
    async preview(input) {
      try {
        return await send('preview_envelope', input);
      } finally {
        unstage(input.prepared);
      }
    },
    fail: (input) => send('fail_envelope', input),
    attempts: (number) => read('ingest.attempts', (statements) => listAttempts(statements, number)),
    deadLetters: (query) => read('ingest.deadLetters', (statements) => listDeadLetters(statements, query)),
    replay: (rows, atMs) => send('replay_envelopes', { rows, atMs }),
    acknowledge: (numbers, atMs) => send('acknowledge_envelopes', { numbers, atMs }),
    ingress: (workspaceId) => read('ingest.ingress', (statements) => listIngress(statements, workspaceId)),
    queue: () => read('ingest.queue', queueFigures),
    deadLetterCauses: (workspaceId) =>
      read('ingest.deadLetterCauses', (statements) => deadLetterCauses(statements, workspaceId)),
    lastErrors: (workspaceId) =>
      read('ingest.lastErrors', (statements) => lastErrors(statements, workspaceId)),
    fileProviders: (workspaceId) =>
      read('ingest.fileProviders', (statements) => fileProviders(statements, workspaceId)),
  };
}

export function tokenStore({ read, send }: StoreParts): TokenStore {
  return {
    insert: async (row) => void (await send('insert_token', { row })),
    get: (tokenId) => read('tokens.get', (statements) => getToken(statements, tokenId)),
    list: (workspaceId) => read('tokens.list', (statements) => listTokens(statements, workspaceId)),
    revoke: (workspaceId, tokenId, atMs) => send('revoke_token', { workspaceId, tokenId, atMs }),
    noteUse: async (tokenId, atMs) => void (await send('note_token_use', { tokenId, atMs })),
    revokedIds: (nowMs) => read('tokens.revokedIds', (statements) => revokedTokenIds(statements, nowMs)),
  };
}

export function mirrorStore({ read, send }: StoreParts): MirrorStore {
  return {
    insert: async (row) => void (await send('insert_mirror', { row })),
    list: () => read('mirrors.list', listMirrors),
    update: async (mirrorId, patch) => void (await send('update_mirror', { mirrorId, patch })),
    remove: async (mirrorId) => void (await send('remove_mirror', { mirrorId })),
    async loadBase(mirrorId) {
      // The mirror is the only one that changes its base, and it waits here: pages of it are one base.
      const rows = [];
      let after = '';
      for (;;) {
        const page = await read('mirrors.loadBase', (statements) =>
          loadBasePage(statements, mirrorId, after, basePageRows),
        );
        rows.push(...page);
        const last = page.at(-1);
        if (last === undefined || page.length < basePageRows) return rows;
        after = last.path;
        await nextTurn();
      }
    },
    listBase: (mirrorId, afterPath, limit) =>
      read('mirrors.listBase', (statements) => loadBasePage(statements, mirrorId, afterPath, limit)),
    countBase: (mirrorId) => read('mirrors.countBase', (statements) => countBase(statements, mirrorId)),
    saveBase: async (mirrorId, upserts, removals) =>
      void (await send('save_base', { mirrorId, upserts, removals })),
    keepProof: async (mirrorId, row) => void (await send('keep_proof', { mirrorId, row })),
    lastProof: (mirrorId) => read('mirrors.lastProof', (statements) => lastProof(statements, mirrorId)),
    clearBase: async (mirrorId) => void (await send('clear_base', { mirrorId })),
    beginIntents: (mirrorId, rows) => send('begin_intents', { mirrorId, rows }),
    endIntents: async (mirrorId, ids) => void (await send('end_intents', { mirrorId, ids })),
    openIntents: (mirrorId) => read('mirrors.openIntents', (statements) => openIntents(statements, mirrorId)),
    addConflict: async (mirrorId, row) => void (await send('add_conflict', { mirrorId, row })),
    removeConflict: async (mirrorId, conflictId) =>
      void (await send('remove_conflict', { mirrorId, conflictId })),
    listConflicts: (mirrorId) =>
      read('mirrors.listConflicts', (statements) => listConflicts(statements, mirrorId)),
  };
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}
