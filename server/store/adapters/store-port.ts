// The port over its parts, whichever engine they use.
import type { Commit, MaintenanceStore, Store } from '../port/store.ts';
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
  webhookStore,
  workspaceStore,
  writebackStore,
} from './subjects.ts';

/** The port over its parts. The writer calls `listeners` after each commit; `close` ends the parts. */
export function storePort(
  deps: StoreDeps,
  maintenance: MaintenanceStore,
  listeners: Set<(commit: Commit) => void>,
  close: () => Promise<void>,
): Store {
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
    mirrors: mirrorStore(deps),
    remotes: remoteStore(deps),
    maintenance,
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    changes: deps.changes,
    shared: deps.shared,
    openReader: deps.openReader,
    close,
  };
}
