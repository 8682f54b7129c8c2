// Commands that are the agent, if only for a moment, run with the agent's switches of V8; those that ask one do not.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { agentFlags } from '../../server/platform/process/engine-flags.ts';
import { mooring } from '../support/agent-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const exchanges = process.platform !== 'win32';

/** What the last of the processes that a command was had been started with. */
async function switchesOf(args: readonly string[]): Promise<readonly string[]> {
  const folder = tempFolder();
  const seen = path.join(folder, 'seen.json');
  const shim = path.join(folder, 'note.mjs');
  writeFileSync(
    shim,
    `import { writeFileSync } from 'node:fs';
    import { isMainThread } from 'node:worker_threads';
    if (isMainThread) writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.execArgv));`,
  );
  await mooring([...args, '--data-dir', path.join(folder, 'data')], {
    env: { NODE_OPTIONS: `--import ${shim}` },
  });
  return JSON.parse(readFileSync(seen, 'utf8')) as string[];
}

it.runIf(exchanges)('a command that opens the store has the switches of the agent', async () => {
  expect(await switchesOf(['doctor'])).toEqual(agentFlags);
});

it('a command that asks a running agent is started as it is', async () => {
  expect(await switchesOf(['status'])).toEqual([]);
});
