// The diagnostics bundle for support. It never contains a token, a secret, content, a file name, a folder or a host: numbers and
// codes only, folders in texts are masked, and so are the entries of the log.
import { homedir } from 'node:os';
import type { Diagnostics, DiagnosticsBundle } from '../contract/agent.ts';
import type { Mirror } from '../contract/workspaces.ts';
import type { ProviderStatus, ProviderStatuses } from '../outbound/providers/status.ts';
import type { AgentConfig } from '../platform/config/config.ts';
import { settingsReport, withoutPlaces } from '../platform/config/settings-report.ts';
import type { LogRecord } from '../platform/observe/log-search.ts';
import { packageVersion } from '../platform/version.ts';
import type { WorkspaceService } from '../workspaces/service.ts';
import { maskedEntry } from './masked-log.ts';

export interface BundleDeps {
  readonly config: AgentConfig;
  readonly startedAtMs: number;
  readonly nowMs: number;
  readonly diagnostics: Diagnostics;
  readonly workspaces: Pick<WorkspaceService, 'list'>;
  readonly mirrors: readonly Mirror[];
  readonly providerStatuses: Pick<ProviderStatuses, 'list'>;
  /** Prometheus text. */
  readonly metrics: string;
  /** Newest first. */
  readonly logRecords: readonly LogRecord[];
}

export async function diagnosticsBundle(deps: BundleDeps): Promise<DiagnosticsBundle> {
  const { config, mirrors } = deps;
  const workspaces = await deps.workspaces.list();
  const statuses = await Promise.all(
    workspaces.map(async ({ workspaceId }) =>
      (await deps.providerStatuses.list(workspaceId)).map((status) => providerCounts(workspaceId, status)),
    ),
  );
  const salt = crypto.randomUUID();
  const mask = masking(config.dataDir, mirrors);
  return {
    madeAt: new Date(deps.nowMs).toISOString(),
    startedAt: new Date(deps.startedAtMs).toISOString(),
    version: packageVersion,
    runtime: { node: process.versions.node, platform: process.platform, arch: process.arch },
    checks: deps.diagnostics.checks.map((check) => ({
      ...check,
      name: mask(check.name),
      detail: mask(check.detail),
      ...(check.next === undefined ? {} : { next: mask(check.next) }),
    })),
    settings: [...withoutPlaces(settingsReport(config))],
    workspaces: workspaces.map(({ workspaceId, createdAtMs, files }) => ({
      workspaceId,
      createdAt: new Date(createdAtMs).toISOString(),
      files,
    })),
    mirrors: mirrors.map(mirrorCounts),
    providers: statuses.flat(),
    metrics: deps.metrics,
    log: deps.logRecords.map((record) => maskedEntry(record, salt)),
  };
}

function mirrorCounts(mirror: Mirror): DiagnosticsBundle['mirrors'][number] {
  const { mirrorId, workspaceId, state, watch, files, pendingLocal, pendingRemote, conflicts, lastSyncAt } =
    mirror;
  return {
    mirrorId,
    workspaceId,
    state,
    watch,
    files,
    pendingLocal,
    pendingRemote,
    conflicts,
    problemKinds: Object.fromEntries(mirror.problemGroups.map(({ kind, count }) => [kind, count])),
    lastSyncAt,
    halted: mirror.halt !== null,
  };
}

function providerCounts(
  workspaceId: string,
  { row, state, circuit, counts }: ProviderStatus,
): DiagnosticsBundle['providers'][number] {
  const { pending, running, deadLettered, failureCodes } = counts;
  return {
    workspaceId,
    provider: row.name,
    kind: row.kind,
    state,
    circuit,
    pending,
    running,
    deadLettered,
    failureCodes: { ...failureCodes },
  };
}

/** Sentences name folders; the longest first, so that one inside another is masked as itself. */
function masking(dataDir: string, mirrors: readonly Mirror[]): (text: string) => string {
  const places: readonly (readonly [string, string])[] = [
    [dataDir, '<data directory>'],
    ...mirrors.map(({ dir, mirrorId }) => [dir, `<folder of ${mirrorId}>`] as const),
    [homedir(), '~'],
  ];
  const sorted = [...places].sort(([left], [right]) => right.length - left.length);
  return (text) => sorted.reduce((masked, [place, name]) => masked.replaceAll(place, name), text);
}
