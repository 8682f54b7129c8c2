// The port over its parts, whichever engine they use.
import type { Commit, MaintenanceStore, Store, Write } from '../port/store.ts';
import { contentWriter } from './content.ts';
import { contentReader, eventReader, forkReader, runStore } from './files.ts';
import type { StoreDeps } from './store-parts.ts';
import {
  ingestStore,
  mirrorStore,
  operationStore,
  providerStore,
  remoteStore,
  subscriptionStore,
  tokenStore,
  userStore,
  webhookStore,
  workspaceStore,
  writebackStore,
} from './subjects.ts';

/** The port over its parts. The writer calls `listeners` after each commit; `close` ends the parts. */
export function storePort(
  parts: StoreDeps,
  maintenance: MaintenanceStore,
  listeners: Set<(commit: Commit) => void>,
  close: () => Promise<void>,
): Store {
  const onWrites = new Set<(write: Write) => void>();
  const deps = reportingWrites(parts, (write) => {
    for (const onWrite of onWrites) onWrite(write);
  });
  return {
    workspaces: workspaceStore(deps),
    files: contentReader(deps),
    content: contentWriter(deps),
    forks: forkReader(deps),
    runs: runStore(deps),
    events: eventReader(deps),
    operations: operationStore(deps),
    writebacks: writebackStore(deps),
    providers: providerStore(deps),
    webhooks: webhookStore(deps),
    subscriptions: subscriptionStore(deps),
    ingest: ingestStore(deps),
    tokens: tokenStore(deps),
    users: userStore(deps),
    mirrors: mirrorStore(deps),
    remotes: remoteStore(deps),
    maintenance,
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onWrite(listener) {
      onWrites.add(listener);
      return () => onWrites.delete(listener);
    },
    changes: deps.changes,
    shared: deps.shared,
    openReader: deps.openReader,
    close,
  };
}

function reportingWrites(deps: StoreDeps, onWrite: (write: Write) => void): StoreDeps {
  return {
    ...deps,
    send: async (kind, input) => {
      const result = await deps.send(kind, input);
      const { workspaceId } = input as { readonly workspaceId?: unknown };
      onWrite({ kind, workspaceId: typeof workspaceId === 'string' ? workspaceId : null });
      return result;
    },
  };
}
