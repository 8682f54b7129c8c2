import { expect, it } from 'vitest';
import {
  createLargeOperations,
  largeOperationBytes,
} from '../../../server/outbound/operations/dispatcher.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { startOutboundHarness } from '../../support/outbound-harness.ts';
import { startProvider } from '../../support/provider.ts';
import { waitFor } from '../../support/wait-for.ts';

const { signal } = new AbortController();

it('large ones go one after the other, small ones at once', async () => {
  const items = createLargeOperations(createManualClock());
  const order: string[] = [];
  const enter = (name: string) =>
    items.enter(largeOperationBytes, signal).then((leave) => {
      order.push(name);
      return leave;
    });
  const first = await enter('first');
  const second = enter('second');
  const third = enter('third');
  (await items.enter(largeOperationBytes - 1, signal))();
  expect(order).toEqual(['first']);
  first();
  (await second)();
  await third;
  expect(order).toEqual(['first', 'second', 'third']);
});

it('one that is not answered holds up the next for half a minute only, and a stop for no time', async () => {
  const clock = createManualClock();
  const items = createLargeOperations(clock);
  await items.enter(largeOperationBytes, signal);
  const second = items.enter(largeOperationBytes, signal);
  clock.advance(30_000);
  await second;
  const stop = new AbortController();
  const third = items.enter(largeOperationBytes, stop.signal);
  stop.abort();
  await third;
});

it('a provider gets one large item at a time, and others meanwhile', async () => {
  const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness()]);
  // Whatever the machine is busy with: no attempt is to be over before the test has seen it.
  await rig.addHttp('git', provider.url, { timeoutMs: 60_000 });
  await provider.tell({ behaviour: { kind: 'hang' } });
  const text = 'x'.repeat(largeOperationBytes);
  const large = [await rig.put('/git/1', text), await rig.put('/git/2', text)];
  await waitFor('the first', () => provider.items.length === 1);
  const small = await rig.put('/git/small', 'x');
  await waitFor('the small one', () => provider.items.length === 2);
  expect(provider.items.map((item) => item.id)).toEqual([large[0], small]);
  await provider.tell({ behaviour: { kind: 'take' } });
  for (const opId of [...large, small]) await rig.reaches(opId, 'succeeded');
  // What the provider process tells of an item is as large as the item: it must not be ended in the middle.
  await waitFor('the second', () => provider.items.length === 3);
});
