// The outbound half of the agent over a real store, without its HTTP face: files are changed through the one door, and what
// providers get is seen at a provider process. The clock is the test's where it asks for that.
import { onTestFinished } from 'vitest';
import { createOutbound, type Outbound } from '../../server/agent/outbound.ts';
import { createDeleteLedger } from '../../server/auth/delete-quota.ts';
import type { PulledDelivery } from '../../server/inbound/refresh/refresh.ts';
import type { WritebackKillPoint } from '../../server/outbound/operations/dispatcher.ts';
import { type Clock, systemClock } from '../../server/platform/clock.ts';
import { createIds } from '../../server/platform/crypto/ids.ts';
import { createLogger, type Logger } from '../../server/platform/observe/logger.ts';
import { createMetrics, type Metrics } from '../../server/platform/observe/metrics.ts';
import type { OperationRow, Store } from '../../server/store/port/store.ts';
import { createEventFeed } from '../../server/workspaces/event-feed.ts';
import { createWorkspaceService, type WorkspaceService } from '../../server/workspaces/service.ts';
import { openEngine } from './hub-database.ts';
import { inlineCompute } from './inline-compute.ts';
import { providerSecret } from './provider-process.ts';
import { tempFolder } from './temp-folder.ts';
import { waitFor } from './wait-for.ts';

export const outboundWorkspace = 'rw_outbound';

export interface OutboundHarness {
  readonly store: Store;
  readonly workspaces: WorkspaceService;
  readonly outbound: Outbound;
  readonly metrics: Metrics;
  readonly dataDir: string;
  /** What a refresh handed on. */
  readonly accepted: PulledDelivery[];
  /** Registers an `http` provider that may call this machine. */
  addHttp(name: string, url: string, more?: Parameters<Outbound['providers']['update']>[2]): Promise<void>;
  /** Writes a file as an agent does. The id of its operation. */
  put(path: string, text: string, correlationId?: string): Promise<string>;
  remove(path: string): Promise<string>;
  op(opId: string): Promise<OperationRow>;
  /** Waits for an operation's status. */
  reaches(opId: string, status: OperationRow['status']): Promise<OperationRow>;
  /** Ends it without the store's folder, so that another rig can go on. */
  close(): Promise<void>;
}

function isWritebackPoint(point: string): point is WritebackKillPoint {
  return point.startsWith('writeback.');
}

export async function startOutboundHarness(
  options: {
    readonly clock?: Clock;
    readonly dataDir?: string;
    readonly attempts?: number;
    readonly externalWriteback?: 'auto' | 'all' | 'off';
    /** false: nothing is sent until `outbound.start()`. */
    readonly sends?: boolean;
    readonly atKillPoint?: (point: WritebackKillPoint) => void;
    readonly logger?: Logger;
    readonly accept?: (delivery: PulledDelivery) => Promise<'accepted' | 'full'>;
  } = {},
): Promise<OutboundHarness> {
  const { clock = systemClock, externalWriteback = 'auto' } = options;
  const dataDir = options.dataDir ?? tempFolder('mooring-outbound');
  const logger = options.logger ?? createLogger({ level: 'error' });
  const ids = createIds();
  const metrics = createMetrics();
  const settings = { historyDays: 30, historyRevisionsMin: 20, externalWriteback };
  const store = await openEngine({ dataDir, logger, clock, settings });
  await store.workspaces.create({
    workspaceId: outboundWorkspace,
    name: 'Outbound',
    createdAtMs: clock.nowMs(),
  });
  const workspaces = createWorkspaceService({ store, clock, randomId: ids.text });
  const feed = createEventFeed(store);
  const accepted: PulledDelivery[] = [];
  const outbound = await createOutbound({
    compute: inlineCompute,
    config: { dataDir, writebackAttempts: options.attempts ?? 3 },
    store,
    workspaces,
    deletes: createDeleteLedger(clock),
    feed,
    onRevoked: () => () => undefined,
    clock,
    ids,
    logger,
    metrics,
    onStop: () => undefined,
    accept:
      options.accept ??
      ((delivery) => {
        accepted.push(delivery);
        return Promise.resolve('accepted');
      }),
    atKillPoint: (point) => {
      if (isWritebackPoint(point)) options.atKillPoint?.(point);
    },
  });
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await outbound.stop();
    await feed.close();
    await store.close();
  };
  onTestFinished(close);
  if (options.sends !== false) await outbound.start();

  const change = async (
    change: Parameters<WorkspaceService['change']>[0]['changes'][number],
    correlationId: string,
  ) => {
    const [result] = await workspaces.change({
      workspaceId: outboundWorkspace,
      changes: [change],
      atomic: false,
      actor: { kind: 'token', name: 'tester', tokenId: 'tok_1' },
      origin: 'agent_write',
      access: null,
      correlationId,
      makesOperations: true,
    });
    if (result?.ok !== true || result.opId === null) throw new Error(`refused: ${JSON.stringify(result)}`);
    return result.opId;
  };
  const op = async (opId: string) => {
    const row = await store.operations.get(outboundWorkspace, opId);
    if (row === null) throw new Error(`there is no ${opId}`);
    return row;
  };
  return {
    store,
    workspaces,
    outbound,
    metrics,
    dataDir,
    accepted,
    close,
    op,
    async addHttp(name, url, more = {}) {
      const allowed = { allowPlainHttp: true, allowPrivateAddresses: true };
      await outbound.providers.add(outboundWorkspace, {
        name,
        kind: 'http',
        url,
        secret: providerSecret,
        ...allowed,
        ...more,
      });
    },
    put: async (path, text, correlationId = 'corr-test') =>
      await change(
        {
          kind: 'write_file',
          path,
          precondition: { kind: 'any' },
          content: await store.content.stage(Buffer.from(text)),
          defaultContentType: 'text/plain',
          encoding: 'utf-8',
        },
        correlationId,
      ),
    remove: async (path) =>
      await change({ kind: 'delete_file', path, precondition: { kind: 'any' } }, 'corr-test'),
    reaches: async (opId, status) =>
      await waitFor(`${opId} to be ${status}`, async () => {
        const row = await op(opId);
        return row.status === status ? row : undefined;
      }),
  };
}
