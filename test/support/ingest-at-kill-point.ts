// The ingest room as a process whose first try of each envelope fails, and that ends itself, as by kill -9, at the nth time that it
// reaches a named point. Run with: DATA_DIR POINT TIMES WEBHOOKS. It takes that many in and applies them; `done` on stdout when
// nothing waits any more.
import { createDeleteLedger } from '../../server/auth/delete-quota.ts';
import { createIngest } from '../../server/inbound/service.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { createLogger } from '../../server/platform/observe/logger.ts';
import { openStore } from '../../server/store/open.ts';
import { StoreUnavailableError } from '../../server/store/port/errors.ts';
import { createWorkspaceService } from '../../server/workspaces/service.ts';

const [dataDir = '', point = 'none', times = '1', webhooks = '0'] = process.argv.slice(2);
const workspaceId = 'rw_kill0001';
const logger = createLogger({ level: 'silent' });
const settings = { historyDays: 30, historyRevisionsMin: 20, externalWriteback: 'auto' as const };
const store = await openStore({ dataDir, logger, clock: systemClock, settings });
await store.workspaces.create({ workspaceId, name: 'Kill', createdAtMs: systemClock.nowMs() });
type ApplyEnvelopes = Parameters<typeof store.content.applyEnvelopes>[0];
const tried = new Set<number>();
const failing = {
  ...store,
  content: {
    ...store.content,
    applyEnvelopes: (input: ApplyEnvelopes) => {
      const { inputs } = input;
      const isFirst = inputs.some(({ number }) => !tried.has(number));
      for (const { number } of inputs) tried.add(number);
      if (isFirst) return Promise.reject(new StoreUnavailableError('the first try fails'));
      return store.content.applyEnvelopes(input);
    },
  },
};
let left = Number(times);
const ingest = createIngest({
  store: failing,
  workspaces: createWorkspaceService({ store: failing, clock: systemClock, randomId: () => 'unused00' }),
  deletes: createDeleteLedger(systemClock),
  clock: systemClock,
  logger,
  settings: { queueCapacity: 1_000, attemptsMax: 10, contentBytesMax: 1_000 },
  random: Math.random,
  atKillPoint(reached) {
    if (reached !== point) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  },
});
await ingest.start();
for (let index = 0; index < Number(webhooks); index += 1) {
  await ingest.receive({
    workspaceId,
    provider: 'hub',
    envelopeId: null,
    deliveryId: `d${index}`,
    occurredAtMs: null,
    correlationId: `c${index}`,
    headers: null,
    payload: { event_type: 'file.created', path: `/hub/${index}`, data: { content: `content ${index}` } },
    signature: null,
    authority: null,
  });
}
while ((await store.ingest.queue()).pending > 0) await systemClock.delay(50);
await ingest.stop();
const events = await store.events.list(workspaceId, {
  direction: 'asc',
  from: null,
  limit: 1_000,
  pathPrefix: null,
  provider: null,
  access: null,
});
const [counters] = await store.ingest.ingress(workspaceId);
const findings = await store.maintenance.integrityCheck();
await store.close();
process.stdout.write(
  `${JSON.stringify({ events: events.events.map(({ type, path }) => `${type} ${path}`), counters, findings })}\n`,
);
