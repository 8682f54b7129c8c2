// Wires the inbound services: envelopes, dead letters, sync status, the admin API.
import { readFileSync } from 'node:fs';
import { createHmacVerifier, hmacSecretBytesMin } from '../auth/webhook-hmac.ts';
import type { DeleteLedger } from '../core/access/authority.ts';
import { createAdminStatus } from '../inbound/admin-status.ts';
import type { IngestKillPoint } from '../inbound/context.ts';
import { TarballJobs } from '../inbound/imports/tarball-jobs.ts';
import type { PulledDelivery } from '../inbound/refresh/refresh.ts';
import { createIngest } from '../inbound/service.ts';
import type { Clock } from '../platform/clock.ts';
import type { AgentConfig } from '../platform/config/config.ts';
import type { Ids } from '../platform/crypto/ids.ts';
import type { Logger } from '../platform/observe/logger.ts';
import type { Metrics } from '../platform/observe/metrics.ts';
import type { Store } from '../store/port/store.ts';
import type { WorkspaceService } from '../workspaces/service.ts';
import { AgentStartError } from './start-failure.ts';

/** What the services of both directions work with. */
export interface ServiceDeps {
  readonly store: Store;
  readonly workspaces: WorkspaceService;
  readonly deletes: DeleteLedger;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

interface InboundDeps extends ServiceDeps {
  readonly config: Pick<
    AgentConfig,
    | 'envelopeAttempts'
    | 'envelopeQueueSize'
    | 'envelopeContentBytes'
    | 'internalHmacSecretFile'
    | 'importHosts'
  >;
  readonly atKillPoint: (point: IngestKillPoint) => void;
}

export function createInbound(deps: InboundDeps) {
  const { config, store, workspaces, deletes, clock, ids, logger, metrics, atKillPoint } = deps;
  const ingest = createIngest({
    store,
    workspaces,
    deletes,
    clock,
    logger,
    settings: {
      queueCapacity: config.envelopeQueueSize,
      attemptsMax: config.envelopeAttempts,
      contentBytesMax: config.envelopeContentBytes,
      isShared: store.shared !== null,
    },
    random: Math.random,
    atKillPoint,
  });
  metrics.ingestFrom(async () => ({
    nowMs: clock.nowMs(),
    capacity: config.envelopeQueueSize,
    queue: await store.ingest.queue(),
    ingress: await store.ingest.ingress(null),
    causes: await store.ingest.deadLetterCauses(null),
  }));
  return {
    ingest,
    adminStatus: createAdminStatus(
      ingest.status,
      async () => (await workspaces.list()).map((row) => row.workspaceId),
      clock,
    ),
    tarballs: new TarballJobs({ workspaces, clock, ids, logger, hosts: config.importHosts }),
    hmac: createHmacVerifier(readSecret(config.internalHmacSecretFile)),
    /** What a refresh found goes the way of a webhook. */
    async accept(delivery: PulledDelivery): Promise<'accepted' | 'full'> {
      const result = await ingest.receive({ ...delivery, envelopeId: null, headers: null, signature: null });
      // A workspace that is gone needs nothing any more.
      return result.kind === 'full' ? 'full' : 'accepted';
    },
  };
}

/** The file belongs to the owner (a mounted secret, say): it is only read. */
function readSecret(file: string | null): string | null {
  if (file === null) return null;
  const remedy = `Write a secret of at least ${hmacSecretBytesMin} bytes into it, or leave --internal-hmac-secret-file out.`;
  let secret: string;
  try {
    secret = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new AgentStartError(`The secret file ${file} cannot be read.`, remedy, error);
  }
  if (Buffer.byteLength(secret) < hmacSecretBytesMin) {
    throw new AgentStartError(`The secret in ${file} is too short.`, remedy);
  }
  return secret;
}
