// Opens the data directory of an agent: the store takes its lock first, and agent.json names the process that has it.
import type { Clock } from '../platform/clock.ts';
import type { AgentConfig } from '../platform/config/config.ts';
import { dataPaths } from '../platform/files/paths.ts';
import { ensurePrivateDir } from '../platform/files/private-files.ts';
import type { Logger } from '../platform/observe/logger.ts';
import { removeAgentFile, writeAgentFile } from '../platform/process/agent-file.ts';
import { packageVersion } from '../platform/version.ts';
import type { StoreObserver } from '../store/database/sqlite.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/port/store.ts';
import { openHub } from '../store/postgres/open-hub.ts';
import { readMasterKey } from './master-key.ts';

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
    : await openHub({ url: config.database, masterKey: readMasterKey(config.masterKeyFile ?? '') }, options);
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
