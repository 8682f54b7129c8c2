// The patch of a large file is made in pieces: nothing else of the agent waits for it. That the patch is right, git itself says
// (test/http/export.test.ts).
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { filePatch } from '../../server/workspaces/git-patch.ts';
import { leastLongestTurnMs } from '../support/longest-turn.ts';

const mebibyte = 1024 * 1024;
/** Processor time between two turns of the event loop. */
const turnMsMax = 50;

async function make(bytes: Buffer): Promise<number> {
  let made = 0;
  for await (const part of filePatch('/large', bytes)) made += part.length;
  return made;
}

test.each([
  ['binary', () => randomBytes(32 * mebibyte)],
  ['of short lines', () => Buffer.alloc(32 * mebibyte, 'x\n')],
  ['of one line', () => Buffer.alloc(32 * mebibyte, 'x')],
] as const)('a large file that is %s holds up nothing', async (_, content) => {
  const bytes = content();
  await make(bytes.subarray(0, mebibyte));
  let made = 0;
  const longestMs = await leastLongestTurnMs(async () => {
    made = await make(bytes);
  }, turnMsMax);
  expect(made).toBeGreaterThan(bytes.length);
  expect(longestMs).toBeLessThan(turnMsMax);
});
