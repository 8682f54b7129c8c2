import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BodyBudget, type BodyShare } from '../../../server/http/plugins/body-budget.ts';
import { SenderWatch } from '../../../server/http/plugins/sender-watch.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const limits = { smallBytes: 10, smallBodiesBytesMax: 30, largeBodiesBytesMax: 100, waitingMax: 5 };
const chunkBytes = 7;
const bodyBytesMax = 120;

test('however bodies come and go, room is bounded and one of them always goes on', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ body: fc.nat({ max: 11 }), what: fc.constantFrom('chunk', 'chunk', 'chunk', 'end') }),
        {
          maxLength: 400,
        },
      ),
      (steps) => {
        const budget = new BodyBudget(limits);
        const open = new Map<number, { share: BodyShare; waits: boolean }>();
        const end = (id: number) => {
          open.get(id)?.share.release();
          open.delete(id);
        };
        for (const { body, what } of steps) {
          if (what === 'end') end(body);
          const one = open.get(body) ?? { share: budget.open(() => (one.waits = false)), waits: false };
          open.set(body, one);
          if (one.waits) continue;
          if (one.share.bytes + chunkBytes > bodyBytesMax) end(body);
          else {
            const room = one.share.take(chunkBytes);
            if (room === 'full') end(body);
            else one.waits = room === 'wait';
          }
          const all = [...open.values()];
          expect(budget.bytes).toBe(all.reduce((sum, { share }) => sum + share.bytes, 0));
          // Each that waits has brought one chunk too many, and a small body may become large with what it has.
          const slack = all.length * (limits.smallBytes + chunkBytes);
          expect(budget.bytes).toBeLessThanOrEqual(
            limits.smallBodiesBytesMax + limits.largeBodiesBytesMax + bodyBytesMax + slack,
          );
          expect(all.length > 0 && all.every(({ waits }) => waits)).toBe(false);
        }
        for (const id of [...open.keys()]) end(id);
        expect(budget.bytes).toBe(0);
      },
    ),
  );
});

test('bodies that wait go on in their order, and not all at once', () => {
  const budget = new BodyBudget({ ...limits, smallBytes: 0 });
  const order: number[] = [];
  const shares = [0, 1, 2, 3].map((id) => budget.open(() => order.push(id)));
  expect(shares.map((share) => share.take(60))).toEqual(['read', 'read', 'wait', 'wait']);
  shares[0]?.release();
  expect(order).toEqual([]);
  shares[1]?.release();
  expect(order).toEqual([2, 3]);
});

test('a sender must bring its bytes in each window in which it is waited for', async () => {
  const clock = createManualClock();
  const watch = new SenderWatch({ bytesPerSecondMin: 100, windowMs: 1000, waitMsMax: 5000 }, () =>
    clock.nowMs(),
  );
  const sender = watch.watch(
    () => undefined,
    () => undefined,
  );
  const limitsOfWatch = { bytesPerSecondMin: 100, windowMs: 1000, waitMsMax: 5000 };
  const after = (pastMs: number, bytes: number) => {
    clock.advance(pastMs);
    sender.received(bytes);
    return sender.judge(limitsOfWatch);
  };
  expect([after(500, 0), after(500, 100), after(999, 0), after(1, 100)]).toEqual(['ok', 'ok', 'ok', 'ok']);
  sender.pause();
  expect(after(4000, 0)).toBe('ok');
  sender.resume();
  expect(after(999, 0)).toBe('ok');
  // A pause of the agent between two single bytes gives no new time.
  sender.pause();
  sender.resume();
  expect(after(1, 1)).toBe('slow');
  sender.pause();
  expect(after(5001, 0)).toBe('waited');
  sender.end();
});
