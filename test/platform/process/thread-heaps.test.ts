// With the agent's flags, a thread's young generation is as large as its own limit says, and not as the main thread's.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { agentFlags } from '../../../server/platform/process/engine-flags.ts';

const module = path.resolve(import.meta.dirname, '../../../server/platform/process/thread-heaps.ts');

/** What survives a few collections of the young generation makes it grow to its limit. */
const thread = `
  const kept = [];
  for (let n = 0; n < 3e6; n += 1) kept[n % 100_000] = { n };
  const space = process.getBuiltinModule('node:v8').getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  process.getBuiltinModule('node:worker_threads').parentPort.postMessage(space.space_size);
`;

function youngMbOfThread(first: string): number {
  const program = `
    import { Worker } from 'node:worker_threads';
    ${first}
    const worker = new Worker(${JSON.stringify(thread)}, { eval: true, resourceLimits: { maxYoungGenerationSizeMb: 4 } });
    worker.on('message', (bytes) => console.log(bytes));
  `;
  const out = execFileSync(process.execPath, [...agentFlags, '--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  return Number(out) / 1024 / 1024;
}

it('limits the young generation of each thread by itself', () => {
  const limited = `import { limitThreadHeaps } from ${JSON.stringify(module)}; limitThreadHeaps();`;
  expect(youngMbOfThread('')).toBeGreaterThan(8);
  expect(youngMbOfThread(limited)).toBeLessThanOrEqual(4);
});
