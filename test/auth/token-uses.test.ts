import { expect, it } from 'vitest';
import { createTokenUses } from '../../server/auth/token-uses.ts';
import type { TokenRow } from '../../server/store/port/store.ts';
import { createManualClock } from '../support/manual-clock.ts';

const row: TokenRow = {
  tokenId: 'tok_1',
  workspaceId: 'rw_aaaaaaaa',
  agent: 'agent-docs',
  scopes: ['fs:read'],
  createdAtMs: 1,
  expiresAtMs: 2,
  revokedAtMs: null,
  deletesPerMinute: null,
  lastUsedAtMs: null,
  forkId: null,
  userId: null,
};

function bench() {
  const clock = createManualClock();
  const written: (readonly [tokenId: string, afterMs: number])[] = [];
  const store = { full: false };
  const begun = clock.nowMs();
  const uses = createTokenUses(
    {
      noteUse({ tokenId, atMs }) {
        written.push([tokenId, atMs - begun]);
        return store.full ? Promise.reject(new Error('the disk is full')) : Promise.resolve();
      },
    },
    clock,
  );
  return { clock, uses, written, store, begun };
}

it('a use is known at once, and written once a minute for each token', () => {
  const { clock, uses, written, begun } = bench();
  expect(uses.withLastUse(row)).toEqual(row);
  uses.record('tok_1');
  clock.advance(59_999);
  uses.record('tok_1');
  uses.record('tok_2');
  expect(uses.withLastUse(row).lastUsedAtMs).toBe(begun + 59_999);
  clock.advance(1);
  uses.record('tok_1');
  expect(written).toEqual([
    ['tok_1', 0],
    ['tok_2', 59_999],
    ['tok_1', 60_000],
  ]);
});

it('what is stored counts where it is later', () => {
  const { uses, begun } = bench();
  uses.record('tok_1');
  expect(uses.withLastUse({ ...row, lastUsedAtMs: begun + 1 }).lastUsedAtMs).toBe(begun + 1);
});

it('a store that cannot write is asked again ten seconds later', async () => {
  const { clock, uses, written, store } = bench();
  store.full = true;
  uses.record('tok_1');
  await Promise.resolve();
  clock.advance(9_999);
  uses.record('tok_1');
  store.full = false;
  clock.advance(1);
  uses.record('tok_1');
  clock.advance(10_000);
  uses.record('tok_1');
  expect(written.map(([, afterMs]) => afterMs)).toEqual([0, 10_000]);
});

it('a token in use stays known, however many others are used', () => {
  const { clock, uses, written } = bench();
  uses.record('tok_1');
  for (let n = 0; n < 10_000; n += 1) {
    clock.advance(1);
    uses.record(`tok_other_${n}`);
    if (n % 1_000 === 0) uses.record('tok_1');
  }
  uses.record('tok_1');
  expect(written.filter(([tokenId]) => tokenId === 'tok_1')).toHaveLength(1);
});
