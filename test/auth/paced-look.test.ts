// Looks that refused requests ask for.
import { expect, it } from 'vitest';
import { pacedLook } from '../../server/auth/paced-look.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { waitFor } from '../support/wait-for.ts';

it('a thousand requests at once share a look, and each gets one that began after it', async () => {
  const clock = createManualClock();
  let looks = 0;
  const look = pacedLook(async () => {
    looks += 1;
  }, clock);
  await Promise.all(Array.from({ length: 1_000 }, look));
  expect(looks).toBe(1);
  const later = Promise.all(Array.from({ length: 1_000 }, look));
  await waitFor('the pause', () => clock.delays() === 1);
  clock.advance(99);
  expect(looks).toBe(1);
  clock.advance(1);
  await later;
  expect(looks).toBe(2);
});

it('a look that fails is reported to those who waited for it, and the next one looks again', async () => {
  const clock = createManualClock();
  let isDown = true;
  const look = pacedLook(async () => {
    if (isDown) throw new Error('the database does not answer');
  }, clock);
  await expect(look()).rejects.toThrow('does not answer');
  isDown = false;
  clock.advance(100);
  await expect(look()).resolves.toBeUndefined();
});
