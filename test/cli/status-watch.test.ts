// mooring status, once and at every change, without a terminal: one object a line with --json.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it, vi } from 'vitest';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { program } from '../support/program.ts';

vi.setConfig({ testTimeout: 300_000 });

interface Status {
  readonly workspaces: readonly { readonly name: string; readonly files: number }[];
}

it('prints each change until Ctrl-C', async () => {
  const agent = await startAgent();
  const { client, workspaceId } = await freshWorkspace(agent, 'watched');
  const status = await mooring(['status'], { dataDir: agent.dataDir });
  expect(status.stdout).toMatch(/NOT MIRRORED +FILES\nwatched +0\n/);

  const watching = spawn(process.execPath, [
    program,
    ...['status', '--watch', '--json', '--data-dir', agent.dataDir],
  ]);
  const lines = createInterface({ input: watching.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? '') as Status;
  expect((await next()).workspaces).toMatchObject([{ name: 'watched', files: 0 }]);
  await client.writeFile(workspaceId, '/a.md', 'a');
  expect((await next()).workspaces).toMatchObject([{ name: 'watched', files: 1 }]);
  const ended = once(watching, 'exit');
  watching.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});
