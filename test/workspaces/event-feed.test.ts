import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../server/platform/clock.ts';
import { createIds } from '../../server/platform/crypto/ids.ts';
import { createLogger } from '../../server/platform/observe/logger.ts';
import { openStore } from '../../server/store/open.ts';
import { createEventFeed, type EventFeed, type EventRow } from '../../server/workspaces/event-feed.ts';
import { createWorkspaceService } from '../../server/workspaces/service.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

async function room() {
  const store = await openStore({
    dataDir: tempFolder(),
    logger: createLogger({ level: 'error' }),
    clock: systemClock,
    settings: { historyDays: 30, historyRevisionsMin: 20, externalWriteback: 'off' },
  });
  const feed = createEventFeed(store);
  onTestFinished(async () => {
    await feed.close();
    await store.close();
  });
  const ids = createIds();
  const workspaces = createWorkspaceService({
    store,
    clock: systemClock,
    randomId: (length) => ids.text(length),
  });
  const { workspaceId } = await workspaces.create({ name: 'Feed' });
  const write = async (...paths: string[]) => {
    const changes = [];
    for (const path of paths) {
      const content = await workspaces.stage(Buffer.from(path));
      changes.push({
        kind: 'write_file' as const,
        path,
        precondition: { kind: 'any' as const },
        content,
        defaultContentType: 'text/plain',
        encoding: 'utf-8' as const,
      });
    }
    await workspaces.change({
      workspaceId,
      changes,
      atomic: false,
      actor: { kind: 'system', name: 'system', tokenId: null },
      origin: 'system',
      access: null,
      correlationId: '',
      makesOperations: false,
    });
  };
  return { store, feed, workspaceId, write };
}

function collect(feed: EventFeed, workspaceId: string, from: number, hold?: () => Promise<void>) {
  const seen: EventRow[] = [];
  const errors: unknown[] = [];
  const batches: number[] = [];
  const subscription = feed.subscribe({
    workspaceId,
    from,
    access: null,
    onEvents: async (events) => {
      batches.push(events.length);
      await hold?.();
      seen.push(...events);
    },
    onError: (error) => errors.push(error),
  });
  return { seen, errors, batches, subscription, paths: () => seen.map((event) => event.path) };
}

test('what was committed before the call is not told, what is committed after it is', async () => {
  const { feed, workspaceId, write } = await room();
  await write('/before');
  const { paths } = collect(feed, workspaceId, await feed.tip(workspaceId));
  await write('/after');
  await waitFor('the event', () => paths().length > 0);
  expect(paths()).toEqual(['/after']);
});

test('catch-up and live meet without a gap or a repeat, while commits go on', async () => {
  const { feed, workspaceId, write } = await room();
  const expected: string[] = [];
  const writeRound = async (round: number) => {
    const paths = Array.from({ length: 40 }, (_, index) => `/${round}/${index}`);
    expected.push(...paths);
    await write(...paths);
  };
  for (let round = 0; round < 20; round += 1) await writeRound(round);
  const subscribers = [];
  for (let round = 20; round < 40; round += 1) {
    subscribers.push(collect(feed, workspaceId, 0));
    await writeRound(round);
  }
  for (const subscriber of subscribers) {
    await waitFor('all events', () => subscriber.seen.length >= expected.length);
    expect(subscriber.paths()).toEqual(expected);
  }
});

test('a slow subscriber gets one batch at a time and holds up nobody', async () => {
  const { feed, workspaceId, write } = await room();
  const gate = Promise.withResolvers<void>();
  const slow = collect(feed, workspaceId, 0, () => gate.promise);
  const quick = collect(feed, workspaceId, 0);
  for (let round = 0; round < 10; round += 1)
    await write(...Array.from({ length: 100 }, (_, index) => `/${round}/${index}`));
  await waitFor('the quick one', () => quick.seen.length === 1000);
  expect([slow.seen.length, slow.batches.length]).toEqual([0, 1]);
  gate.resolve();
  await waitFor('the slow one', () => slow.seen.length === 1000);
  expect(slow.paths()).toEqual(quick.paths());
  expect(Math.max(...slow.batches)).toBeLessThanOrEqual(256);
});

test('other workspaces are not told of, and a closed subscription hears nothing more', async () => {
  const { feed, workspaceId, write } = await room();
  const other = collect(feed, 'rw_other000', 0);
  const closed = collect(feed, workspaceId, await feed.tip(workspaceId));
  const open = collect(feed, workspaceId, await feed.tip(workspaceId));
  closed.subscription.close();
  await write('/a');
  await waitFor('the event', () => open.seen.length === 1);
  expect([other.seen, closed.seen]).toEqual([[], []]);
});

test('a subscriber that fails is told once and left alone', async () => {
  const { feed, workspaceId, write } = await room();
  const failed = collect(feed, workspaceId, await feed.tip(workspaceId), () =>
    Promise.reject(new Error('no')),
  );
  const well = collect(feed, workspaceId, await feed.tip(workspaceId));
  await write('/a');
  await write('/b');
  await waitFor('the other one', () => well.seen.length === 2);
  expect([failed.errors.length, failed.batches.length]).toEqual([1, 1]);
});

test('the tip is the newest committed position', async () => {
  const { feed, workspaceId, write } = await room();
  expect(await feed.tip(workspaceId)).toBe(0);
  await write('/a', '/b');
  const page = await feed.page(workspaceId, {
    direction: 'desc',
    from: null,
    limit: 1,
    pathPrefix: null,
    provider: null,
    access: null,
  });
  expect([page.events[0]?.seq, page.next]).toEqual([
    await feed.tip(workspaceId),
    await feed.tip(workspaceId),
  ]);
});

test('no event is delivered before the tip includes it, also when its commit is reported late', async () => {
  const { store, workspaceId, write } = await room();
  const held: (() => void)[] = [];
  let holds = false;
  const late = createEventFeed({
    events: store.events,
    changes: store.changes,
    onCommit: (listener) =>
      store.onCommit((commit) => {
        if (holds) held.push(() => listener(commit));
        else listener(commit);
      }),
  });
  onTestFinished(() => late.close());
  await write('/known');
  const known = await late.tip(workspaceId);
  holds = true;
  const ways: Record<string, () => Promise<number>> = {
    subscription: async () => {
      const { promise, resolve } = Promise.withResolvers<number>();
      const subscription = late.subscribe({
        workspaceId,
        from: known,
        access: null,
        onEvents: async (events) => resolve((events.at(-1)?.seq ?? 0) - (await late.tip(workspaceId))),
        onError: () => resolve(Number.NaN),
      });
      const ahead = await promise;
      subscription.close();
      return ahead;
    },
    page: async () => {
      const filter = { pathPrefix: null, pathOnly: false, provider: null, access: null };
      const query = { ...filter, direction: 'desc' as const, from: null, limit: 1 };
      const { events } = await late.page(workspaceId, query);
      return (events.at(0)?.seq ?? Number.NaN) - (await late.tip(workspaceId));
    },
    encodedPage: async () => {
      const page = await late.encodedPage(workspaceId, { from: 0, limit: 100, access: null });
      return (page?.last ?? Number.NaN) - (await late.tip(workspaceId));
    },
  };
  for (const [way, ahead] of Object.entries(ways)) {
    await write(`/late/${way}`);
    expect([way, await ahead()]).toEqual([way, 0]);
  }
  for (const report of held) report();
  expect(await late.tip(workspaceId)).toBe(known + Object.keys(ways).length);
});

test('positions are those of one workspace: the events of another are neither delivered nor reported in it', async () => {
  const { store, feed, workspaceId, write } = await room();
  await store.workspaces.create({ workspaceId: 'rw_other000', name: 'Other', createdAtMs: 1 });
  const commits: ReadonlyMap<string, number>[] = [];
  store.onCommit(({ workspaces }) => commits.push(workspaces));
  await write('/a');
  const tip = await feed.tip(workspaceId);
  expect(commits).toEqual([new Map([[workspaceId, tip]])]);
  expect([feed.reported(workspaceId), feed.reported('rw_other000')]).toEqual([tip, 0]);
});
