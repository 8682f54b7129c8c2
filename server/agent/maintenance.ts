// Diagnostics, backup and restore of the agent.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { agentFeatures, type BackupResult, type Diagnostics } from '../contract/agent.ts';
import { count, formatBytes, plural } from '../core/amounts.ts';
import { type CloudFolder, cloudFolderText } from '../disk/root/cloud-folders.ts';
import {
  type AgentMaintenance,
  BackupRefusedError,
  SettingsRefusedError,
  SettingValueError,
} from '../http/base/dependencies.ts';
import type { MirrorManager } from '../mirror/manager/port.ts';
import type { ProviderStatuses } from '../outbound/providers/status.ts';
import type { Clock } from '../platform/clock.ts';
import type { AgentConfig } from '../platform/config/config.ts';
import { ConfigChangeError, ConfigFile } from '../platform/config/config-file.ts';
import { bytesText } from '../platform/config/quantities.ts';
import { dataPaths } from '../platform/files/paths.ts';
import { ensurePrivateDir } from '../platform/files/private-files.ts';
import { type DiagnosticCheck, machineChecks } from '../platform/observe/diagnostics.ts';
import { logFiles } from '../platform/observe/log-file.ts';
import { anyLogEntry, type LogRecord, readLogSlice } from '../platform/observe/log-search.ts';
import type { Metrics } from '../platform/observe/metrics.ts';
import type { RemoteManager } from '../remotes/port.ts';
import { indexBytesMax } from '../search/limits.ts';
import type { SearchService } from '../search/service.ts';
import { checkStore } from '../store/adapters/maintenance.ts';
import { databaseFileName } from '../store/database/sqlite.ts';
import { restoreBackup } from '../store/maintenance/backup.ts';
import { BackupError } from '../store/maintenance/backup-target.ts';
import { assertDatabaseIsThere, CorruptStoreError } from '../store/maintenance/corruption.ts';
import type { LostTail, Store } from '../store/port/store.ts';
import type { WorkspaceService } from '../workspaces/service.ts';
import { diagnosticsBundle } from './bundle.ts';
import { AgentStartError, codeOf, describeStartFailure, messageOf } from './start-failure.ts';

/** Log entries of a diagnostics bundle. */
const bundleRecordsMax = 2_000;

export function maintenanceOf(deps: {
  readonly config: AgentConfig;
  readonly clock: Clock;
  readonly store: Store;
  readonly workspaces: WorkspaceService;
  readonly mirrors: MirrorManager;
  readonly remotes: Pick<RemoteManager, 'diagnose'>;
  readonly providerStatuses: ProviderStatuses;
  readonly search: SearchService;
  readonly metrics: Metrics;
}): AgentMaintenance {
  const { config, clock, store, workspaces, mirrors, remotes, providerStatuses, search, metrics } = deps;
  const { dataDir } = config;
  const startedAtMs = clock.nowMs();
  const configFile = new ConfigFile(config, dataPaths(dataDir).configFile);
  const diagnostics = async (): Promise<Diagnostics> => {
    const findings = await store.maintenance.integrityCheck();
    const list = await mirrors.list();
    const history = historyCheck(config, await store.files.historyCompleteSinceMs());
    const mirrored = await Promise.all(
      list.map(async (mirror) => mirrorCheck(mirror, await mirrors.cloudFolderOf(mirror.dir))),
    );
    const [found, connected] = await Promise.all([searchCheck(search), remotes.diagnose()]);
    const lost = (await lostTailsOf(store, clock)).map(lostTailCheck);
    return {
      checks: [
        ...[...machineChecks(dataDir), storeCheck(findings), ...lost, history, found],
        ...[...mirrored, ...connected],
      ],
    };
  };
  return {
    features: agentFeatures.filter((feature) => (feature === 'users') === (store.shared !== null)),
    members: async () => (await store.shared?.members()) ?? null,
    lostTails: () => lostTailsOf(store, clock),
    unready: () => unready(store, clock),
    epoch: () => store.maintenance.epoch(),
    lastRevision: () => lastRevision(store),
    async backup(dir): Promise<BackupResult> {
      if (store.shared !== null)
        throw new BackupRefusedError(
          'a hub is backed up with pg_dump, and its master key file beside it: see docs/hub.md',
        );
      if (!path.isAbsolute(dir)) throw new BackupRefusedError(`${dir} is not an absolute path`);
      // A backup contains every workspace: in a mirrored folder, readers of one workspace could read all of them.
      if (mirrors.rootRefusal(dir) !== null)
        throw new BackupRefusedError(
          `${dir} overlaps a mirrored folder or the data directory. Choose a folder outside them.`,
        );
      try {
        const { blobFiles, bytes } = await store.maintenance.backup(dir);
        return { dir, files: blobFiles, bytes, epoch: await store.maintenance.epoch() };
      } catch (error) {
        if (error instanceof BackupError) throw new BackupRefusedError(error.message, { cause: error });
        // System errors of the folder that the caller named are reported to the caller.
        if (/^E[A-Z]+$/.test(codeOf(error) ?? ''))
          throw new BackupRefusedError(messageOf(error), { cause: error });
        throw error;
      }
    },
    diagnostics,
    bundle: async () =>
      await diagnosticsBundle({
        config,
        startedAtMs,
        nowMs: clock.nowMs(),
        diagnostics: await diagnostics(),
        workspaces,
        mirrors: await mirrors.list(),
        providerStatuses,
        metrics: (await metrics.render()).text,
        logRecords: await newestRecords(dataDir),
      }),
    settings: () => configFile.report(),
    changeSettings: async (body) => await configFile.change(body).catch(refusedChange),
  };
}

/** How long a loss of events is an alarm. */
const lostTailShownMs = 7 * 24 * 3_600_000;

async function lostTailsOf({ shared }: Store, clock: Clock): Promise<readonly LostTail[]> {
  const all = (await shared?.lostTails()) ?? [];
  return all.filter(({ atMs }) => atMs > clock.nowMs() - lostTailShownMs);
}

function lostTailCheck({ atMs, lastEvent, seenEvent }: LostTail): DiagnosticCheck {
  return {
    name: 'lost events',
    state: 'warning',
    detail: `${new Date(atMs).toISOString()}: the database had lost what came after evt_${lastEvent}, up to evt_${seenEvent} at least; a new epoch was begun, and desktops sent what they had`,
    next: 'Repeat what clients other than desktops wrote, and what was revoked, in the minutes before. Make the standby synchronous: see docs/hub.md.',
  };
}

/** A balancer asks each second or so. */
const readyWithinMs = 2_000;

async function unready(store: Store, clock: Clock): Promise<string | null> {
  const answered = store.maintenance.epoch().then(
    () => null,
    () => 'the store does not answer',
  );
  const over = new AbortController();
  const late = clock.delay(readyWithinMs, over.signal).then(() => 'the store does not answer in time');
  try {
    return await Promise.race([answered, late]);
  } finally {
    over.abort();
  }
}

/** Newest first. */
async function newestRecords(dataDir: string): Promise<readonly LogRecord[]> {
  const range = { before: null, after: null, limit: bundleRecordsMax };
  return (await readLogSlice(logFiles(dataDir), anyLogEntry, range)).records;
}

function refusedChange(error: unknown): never {
  if (!(error instanceof ConfigChangeError)) throw error;
  throw new (error.isValue ? SettingValueError : SettingsRefusedError)(error.message, { cause: error });
}

function storeCheck(findings: readonly string[]): DiagnosticCheck {
  if (findings.length === 0)
    return { name: 'store', state: 'ok', detail: 'the database is intact and no content is missing' };
  return {
    name: 'store',
    state: 'failed',
    detail: findings.join('; '),
    next: 'Copy the data directory, then restore a backup: mooring backup restore DIR',
  };
}

function historyCheck(
  { historyDays, historyRevisionsMin, historyBytes }: AgentConfig,
  completeSinceMs: number,
): DiagnosticCheck {
  const since = new Date(completeSinceMs).toISOString();
  const restorable = completeSinceMs <= 0 ? '' : `; any point in time since ${since} can be restored`;
  const retained = `every revision for ${historyDays} days, and the last ${historyRevisionsMin} of each path, up to ${bytesText(historyBytes)}`;
  return { name: 'history', state: 'ok', detail: retained + restorable };
}

const rebuildIndex = 'Rebuild the index with "mooring search reindex".';

async function searchCheck(search: SearchService): Promise<DiagnosticCheck> {
  const name = 'search';
  try {
    const { state, files, filesTotal, eventsBehind, bytes, isFull } = await search.status();
    if (state === 'failed')
      return { name, state: 'warning', detail: 'the index cannot be used', next: rebuildIndex };
    const behind = eventsBehind > 0 ? `, ${plural(eventsBehind, 'event')} behind` : '';
    const detail =
      state === 'current'
        ? `${plural(files, 'file')} indexed, ${formatBytes(bytes)}`
        : `indexing, ${count(Math.min(files, filesTotal))} of ${plural(filesTotal, 'file')}${behind}`;
    if (!isFull) return { name, state: 'ok', detail };
    const limit = `the index has reached its limit of ${bytesText(indexBytesMax)}: newer files are found by name alone`;
    return { name, state: 'warning', detail: `${detail}; ${limit}`, next: rebuildIndex };
  } catch (error) {
    return { name, state: 'warning', detail: messageOf(error), next: 'See the log of the agent.' };
  }
}

function mirrorCheck(
  mirror: Awaited<ReturnType<MirrorManager['list']>>[number],
  cloud: CloudFolder | null,
): DiagnosticCheck {
  const name = `mirror ${mirror.dir}`;
  if (mirror.halt !== null) {
    return { name, state: 'failed', detail: mirror.halt.cause, next: mirror.halt.next };
  }
  const detail = `${mirror.state === 'idle' ? 'up to date' : mirror.state}, ${plural(mirror.files, 'file')}, ${plural(mirror.conflicts, 'conflict')}, ${plural(mirror.problems, 'problem')}`;
  if (mirror.state === 'error') return { name, state: 'failed', detail, next: 'See "mooring status".' };
  if (cloud !== null) {
    const next = `Move the mirror to another folder, or exclude this one in ${cloud.service}.`;
    return { name, state: 'warning', detail: cloudFolderText(mirror.dir, cloud), next };
  }
  if (mirror.watch === 'polling') {
    return { name, state: 'warning', detail: `${detail}; polling`, next: 'See the inotify limits above.' };
  }
  return { name, state: 'ok', detail };
}

/** Checks of the store for `doctor`, while no agent is running. Reads only. */
export async function storeChecks(dataDir: string): Promise<readonly DiagnosticCheck[]> {
  try {
    assertDatabaseIsThere(dataDir);
  } catch (error) {
    if (!(error instanceof CorruptStoreError)) throw error;
    return [storeCheck([error.message])];
  }
  if (!existsSync(path.join(dataDir, databaseFileName))) {
    return [{ name: 'store', state: 'ok', detail: 'not created yet; the first start creates it' }];
  }
  return [storeCheck(await checkStore(dataDir))];
}

/** Replaces the store with a backup; the old data is kept in `replaced`. The agent must be stopped. */
export async function restoreInto(
  dataDir: string,
  backupDir: string,
): Promise<{ readonly epoch: string; readonly replaced: string | null }> {
  try {
    ensurePrivateDir(dataDir);
    return await restoreBackup(backupDir, dataDir);
  } catch (error) {
    if (error instanceof BackupError) {
      throw new AgentStartError(
        `${error.message}.`,
        'Nothing was changed. Pass the folder of a backup.',
        error,
      );
    }
    throw await describeStartFailure(dataDir, error);
  }
}

/** The newest revision of any workspace. */
async function lastRevision({ workspaces, files }: Pick<Store, 'workspaces' | 'files'>): Promise<number> {
  const rows = await workspaces.list({ includeDeleted: true });
  const revisions = await Promise.all(rows.map(({ workspaceId }) => files.lastRevision(workspaceId)));
  return revisions.reduce((newest, revision) => Math.max(newest, revision), 0);
}
