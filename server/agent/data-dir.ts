// Opens the data directory of an agent: the store takes its lock first, and agent.json names the process that has it.
import type { Clock } from '../platform/clock.ts';
import type { AgentConfig } from '../platform/config/config.ts';
import { dataPaths } from '../platform/files/paths.ts';
import { ensurePrivateDir } from '../platform/files/private-files.ts';
import type { Logger } from '../platform/observe/logger.ts';
import { removeAgentFile, writeAgentFile } from '../platform/process/agent-file.ts';
import { packageVersion } from '../platform/version.ts';
import type { StoreOptions } from '../store/adapters/store-parts.ts';
import type { StoreObserver } from '../store/database/sqlite.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/port/store.ts';
import { openHub } from '../store/postgres/open-hub.ts';
import { UnfitDatabaseError } from '../store/postgres/unfit-database.ts';
import { databaseNotOpened } from './hub-data.ts';
import { readMasterKey } from './master-key.ts';
import { AgentStartError } from './start-failure.ts';

export type DataDirConfig = Pick<
  AgentConfig,
  'dataDir' | 'historyDays' | 'historyRevisionsMin' | 'historyBytes' | 'externalWriteback'
> &
  Partial<Pick<AgentConfig, 'database' | 'masterKeyFile'>>;

/** Throws DataDirInUseError when another agent has it. Until the store is closed, no other agent can open it. */
export async function openDataDir(
  config: DataDirConfig,
  clock: Clock,
  logger: Logger,
  observer?: StoreObserver,
): Promise<Store> {
  const { dataDir, historyDays, historyRevisionsMin, historyBytes, externalWriteback } = config;
  ensurePrivateDir(dataDir);
  const options = {
    dataDir,
    logger,
    ...(observer === undefined ? {} : { observer }),
    clock,
    settings: { historyDays, historyRevisionsMin, historyBytesMax: historyBytes, externalWriteback },
    onLocked: () => {
      announceAgent(dataDir, clock, null);
      return () => removeAgentFile(dataDir);
    },
  };
  return config.database === undefined || config.database === null
    ? await openStore(options)
    : await openHubStore(config.database, config.masterKeyFile ?? '', { ...options, clock });
}

/** Throws an AgentStartError that names the database without its password. */
async function openHubStore(
  url: string,
  masterKeyFile: string,
  options: StoreOptions & { readonly clock: Clock },
): Promise<Store> {
  const masterKey = readMasterKey(masterKeyFile);
  announceAgent(options.dataDir, options.clock, null);
  try {
    const store = await openHub({ url, masterKey }, options);
    const close = store.close.bind(store);
    return {
      ...store,
      async close() {
        await close();
        removeAgentFile(options.dataDir);
      },
    };
  } catch (error) {
    removeAgentFile(options.dataDir);
    if (error instanceof UnfitDatabaseError)
      throw new AgentStartError(error.message, 'Nothing was changed. See docs/hub.md.', error);
    throw databaseNotOpened(url, error);
  }
}

/** `url` null: it does not listen yet. */
export function announceAgent(dataDir: string, clock: Clock, url: string | null): void {
  writeAgentFile(dataDir, {
    url,
    pid: process.pid,
    version: packageVersion,
    startedAt: new Date(clock.nowMs()).toISOString(),
    ownerTokenFile: dataPaths(dataDir).ownerTokenFile,
    ...(process.versions.electron === undefined ? {} : { app: true as const }),
  });
}
