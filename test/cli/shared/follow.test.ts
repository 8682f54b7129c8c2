// The line that a terminal shows while the folder of a run is filled and synced.
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { showRunFolder } from '../../../server/cli/shared/follow.ts';
import { startAgent } from '../../support/agent-process.ts';
import { freshWorkspace, ownerClient } from '../../support/client-of.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

vi.setConfig({ testTimeout: 300_000 });

function terminal(isTerminal: boolean) {
  const before = process.stderr.isTTY;
  process.stderr.isTTY = isTerminal;
  const lines: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  onTestFinished(() => {
    write.mockRestore();
    process.stderr.isTTY = before;
  });
  return lines;
}

it('shows the folder of a run on a terminal, and nothing elsewhere', async () => {
  const agent = await startAgent();
  const { client, workspaceId } = await freshWorkspace(agent);
  await client.writeFile(workspaceId, '/a.md', 'a');
  const owner = ownerClient(agent);
  const run = await owner.runs.create(workspaceId, {});
  const dir = path.join(tempFolder('mooring-run'), 'folder');
  await owner.runs.openFolder(workspaceId, run.runId, { dir });

  const lines = terminal(true);
  const stop = showRunFolder(owner, run);
  await waitFor('the synced folder is shown', async () => lines.some((line) => /1 file$/.test(line)));
  await stop();
  expect(lines[0]).toContain(`${dir}: `);
  expect(lines.at(-1)).toBe('\r\u001b[K');

  const elsewhere = terminal(false);
  await showRunFolder(owner, run)();
  expect(elsewhere).toEqual([]);
});
