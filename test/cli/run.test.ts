// `mooring run` and `mooring undo`. The changes of a run are made with the SDK.
import { expect, it, vi } from 'vitest';
import { agentOfFile, type CommandResult, mooring } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';

vi.setConfig({ testTimeout: 300_000 });

const agent = agentOfFile();

async function run(...args: readonly string[]): Promise<CommandResult> {
  return await mooring(args, { dataDir: agent.dataDir });
}

it('lists, shows, commits in part, discards and undoes runs', async () => {
  const { workspaceId, client } = await freshWorkspace(agent, 'reviewed');
  const workspace = ['--workspace', workspaceId];
  await client.writeFile(workspaceId, '/a.md', 'one\ntwo\n');
  expect((await run('run', 'list', ...workspace)).stderr).toContain('No runs.');
  const { runId, forkId } = await client.runs.create(workspaceId, { name: 'tidy up' });
  await client.writeFile(workspaceId, '/a.md', 'one\n2\n', { forkId });
  await client.writeFile(workspaceId, '/b.ts', 'b\n', { forkId });
  expect((await run('run', 'list', ...workspace)).stdout).toMatch(
    /^run_\S+ +open +tidy up .* \d\d:\d\d:\d\d +2$/m,
  );
  const shown = await run('run', 'show', runId, ...workspace);
  expect(shown.stdout).toMatch(/^write +\/a\.md$/m);
  expect(shown.stderr).toContain('1 created, 1 updated, 0 moved, 0 deleted, +2 -1 lines.');
  expect((await run('run', 'show', runId, '--diff', ...workspace)).stdout).toContain('+2');
  const part = await run('run', 'commit', runId, '--path', '*.md', ...workspace);
  expect([part.code, part.stderr]).toEqual([0, expect.stringContaining('1 written, 0 deleted')]);
  expect((await client.readFile(workspaceId, '/a.md')).content).toBe('one\n2\n');
  const early = await run('run', 'undo', runId, ...workspace);
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('still open')]);
  expect((await run('run', 'discard', runId, ...workspace)).code).toBe(0);
  expect((await run('run', 'show', runId, ...workspace)).stderr).toContain(
    `mooring run undo ${runId} --workspace reviewed`,
  );

  await client.writeFile(workspaceId, '/a.md', 'one\nof others\n');
  const refused = await run('run', 'undo', runId, ...workspace);
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringMatching(/overlapping +rev_\d+ +\/a\.md/)]);
  const plan = await run('run', 'undo', runId, '--dry-run', '--take-run', '/a.md', ...workspace);
  expect(plan.stderr).toContain('Dry run: 0 created, 1 updated, 0 deleted.');
  const undone = await run('run', 'undo', runId, '--take-run', '/a.md', '--json', ...workspace);
  expect(JSON.parse(undone.stdout)).toMatchObject({ updatedCount: 1, run: { state: 'undone' } });
  expect((await client.readFile(workspaceId, '/a.md')).content).toBe('one\ntwo\n');
});

it('takes the beginning of an id, or a name, for a run', async () => {
  const { workspaceId, client } = await freshWorkspace(agent, 'named');
  const workspace = ['--workspace', workspaceId];
  const create = async (name: string) => await client.runs.create(workspaceId, { name });
  const [one, two] = [await create('tidy'), await create('sort')];
  const ids = await Promise.all([create('twice'), create('twice')]);
  const shown = async (word: string) => {
    const { code, stdout } = await run('run', 'show', word, '--json', ...workspace);
    return [code, code === 0 ? JSON.parse(stdout).runId : stdout];
  };
  expect(await shown('tidy')).toEqual([0, one.runId]);
  expect(await shown(two.runId.slice(0, -1))).toEqual([0, two.runId]);
  expect(await shown(two.runId.slice('run_'.length, -1))).toEqual([0, two.runId]);
  expect((await run('run', 'discard', 'sort', ...workspace)).stderr).toContain(two.runId);
  const several = await run('run', 'commit', 'twice', ...workspace);
  expect(several.code).toBe(2);
  for (const text of ['2 runs are named twice.', ...ids.map(({ runId }) => runId)])
    expect(several.stderr).toContain(text);
  expect((await run('run', 'show', 'run_', ...workspace)).stderr).toContain('4 runs begin with run_.');
  const none = await run('run', 'show', 'none', ...workspace);
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('mooring run list')]);
});

it('takes back a period', async () => {
  const { workspaceId, client } = await freshWorkspace(agent);
  const workspace = ['--workspace', workspaceId];
  await client.writeFile(workspaceId, '/docs/a', 'before');
  const { at } = (await client.history.page(workspaceId, '/docs/a')).entries[0] as { at: string };
  const since = new Date(Date.parse(at) + 1).toISOString();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await client.writeFile(workspaceId, '/docs/a', 'after', { ifMatch: '*' });
  await client.writeFile(workspaceId, '/other', 'after');
  const plan = await run('undo', '--since', since, '--dry-run', ...workspace);
  expect(plan.stderr).toContain('Dry run: 0 created, 1 updated, 1 deleted.');
  const undone = await run('undo', '--since', since, '--path', '/docs', ...workspace);
  expect([undone.code, undone.stderr]).toEqual([
    0,
    expect.stringContaining('0 created, 1 updated, 0 deleted'),
  ]);
  expect((await client.readFile(workspaceId, '/docs/a')).content).toBe('before');
  expect((await client.readFile(workspaceId, '/other')).content).toBe('after');
  expect((await run('undo', '--since', '2h', '--dry-run', '--json', ...workspace)).code).toBe(0);
  expect((await run('undo', '--since', 'soon', ...workspace)).code).toBe(2);
  expect((await run('undo', ...workspace)).code).toBe(2);
});
