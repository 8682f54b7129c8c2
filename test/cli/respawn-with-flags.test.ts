// Commands that open the store run with the agent's engine flags. Commands that call a running agent do not.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { agentEnvironment, agentFlags } from '../../server/platform/process/engine-flags.ts';
import { mooring, startAgent } from '../support/agent-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const canRespawn = process.platform !== 'win32';

/** Of the last process of a command. */
async function seenBy(
  args: readonly string[],
): Promise<{ readonly flags: readonly string[]; readonly threads?: string }> {
  const folder = tempFolder();
  const seen = path.join(folder, 'seen.json');
  const shim = path.join(folder, 'note.mjs');
  writeFileSync(
    shim,
    `import { writeFileSync } from 'node:fs';
    import { isMainThread } from 'node:worker_threads';
    if (isMainThread) writeFileSync(${JSON.stringify(seen)}, JSON.stringify(
      { flags: process.execArgv, threads: process.env.UV_THREADPOOL_SIZE }));`,
  );
  await mooring([...args, '--data-dir', path.join(folder, 'data')], {
    env: { NODE_OPTIONS: `--import ${shim}` },
  });
  return JSON.parse(readFileSync(seen, 'utf8')) as { flags: string[]; threads?: string };
}

it.runIf(canRespawn)('a command that opens the store has the flags and threads of the agent', async () => {
  expect(await seenBy(['doctor'])).toEqual({
    flags: agentFlags,
    threads: agentEnvironment.UV_THREADPOOL_SIZE,
  });
});

it('a command that calls a running agent is not respawned', async () => {
  expect(await seenBy(['status'])).toEqual({ flags: [] });
});

it('an agent that never ends regularly leaves its program compiled for the next start', async () => {
  const folder = tempFolder('mooring-compiled');
  const agent = await startAgent({ env: { NODE_COMPILE_CACHE: folder } });
  const largest = (): number =>
    Math.max(
      0,
      ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
        (name) => statSync(path.join(folder, name)).size,
      ),
    );
  await waitFor('the agent, compiled', () => largest() > 1024 * 1024);
  expect(await agent.kill9()).toMatchObject({ signal: 'SIGKILL' });
});
