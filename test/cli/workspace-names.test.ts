// Workspaces are shown and accepted by name. A name of several is refused with what distinguishes them.
import { expect, it } from 'vitest';
import { agentOfFile, type CommandResult, mooring } from '../support/agent-process.ts';
import { ownerClient } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';

const agent = agentOfFile();

const run = async (...args: readonly string[]): Promise<CommandResult> =>
  await mooring(args, { dataDir: agent.dataDir });

it('shows names, refuses an ambiguous or unknown one with the candidates, and suggests names in commands', async () => {
  const owner = ownerClient(agent);
  const [notes, first, second] = [
    await owner.workspaces.create({ name: 'my notes' }),
    await owner.workspaces.create({ name: 'docs' }),
    await owner.workspaces.create({ name: 'docs' }),
  ].map(({ workspaceId }) => workspaceId);
  await owner.writeFile(second ?? '', '/a.md', 'a\n');

  const ambiguous = await run('log', '--workspace', 'docs');
  expect(ambiguous.code).toBe(2);
  expect(ambiguous.stderr).toMatch(
    new RegExp(`^2 workspaces are named docs.\nPass the id of one of them: .*${second} \\(1 file, created `),
  );
  expect(ambiguous.stderr).toContain(`${first} (0 files, created `);
  expect(await run('log', '--workspace', 'doc')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      "Workspace doc does not exist.\nPass the name or id of one of these: 'my notes'",
    ),
  });

  const dir = tempFolder('mooring-mirror');
  expect(await run('mirror', 'add', '--workspace', 'my notes', '--dir', dir)).toMatchObject({ code: 0 });
  const listed = await run('mirror', 'list');
  expect(listed.stdout).toContain('my notes');
  expect(listed.stdout).not.toContain(notes);
  expect((await run('workspace', 'list')).stdout).toMatch(new RegExp(`^my notes .*${notes}$`, 'm'));

  await owner.writeFile(notes ?? '', '/b.md', 'b\n');
  const undone = await run('undo', '--workspace', 'my notes', '--since', '1h');
  expect(undone.stderr).toContain("mooring restore --workspace 'my notes' --batch");
});
