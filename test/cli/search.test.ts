// `mooring search`: output as of grep, context, JSON, limits, and the rebuild of the index.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MooringClient } from '../../sdk/index.ts';
import { AgentProcess, mooring } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts';

const agent = new AgentProcess(makeTempFolder('mooring-data'), {});
let client: MooringClient;
let workspaceId: string;

beforeAll(async () => {
  await agent.start();
  ({ client, workspaceId } = await freshWorkspace(agent));
});
afterAll(async () => {
  await agent.kill9();
  removeFolder(agent.dataDir);
});

const search = async (...args: readonly string[]) =>
  await mooring(['search', '--workspace', workspaceId, ...args], { dataDir: agent.dataDir });

test('what was just written is found, line by line, with context, and by name', async () => {
  await client.writeFile(workspaceId, '/plans/trip.md', 'Take the ferry\nIt leaves at noon\nBring bread\n');
  await client.writeFile(workspaceId, '/plans/other.md', 'no boat here\n');
  expect(await search('leaves noon')).toMatchObject({
    code: 0,
    stdout: '/plans/trip.md:2:It leaves at noon\n',
  });
  expect((await search('--mode', 'regex', '^It \\w+', '--context', '1')).stdout.split('\n')).toEqual([
    '/plans/trip.md-1-Take the ferry',
    '/plans/trip.md:2:It leaves at noon',
    '/plans/trip.md-3-Bring bread',
    '',
  ]);
  expect((await search('--mode', 'name', 'trip')).stdout).toBe('/plans/trip.md\n');
  expect(await search('nothing-has-it')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/No file/),
  });
  expect((await search('--mode', 'regex', '(')).code).toBe(2);
});

test('--limit says that there is more, --json is the answer, and an index that is rebuilt finds the same', async () => {
  for (const name of ['a', 'b', 'c']) await client.writeFile(workspaceId, `/many/${name}.md`, 'walrus\n');
  const limited = await search('walrus', '--limit', '2');
  expect(limited.stdout.trim().split('\n')).toHaveLength(2);
  expect(limited.stderr).toContain('--limit');
  const found = async () => JSON.parse((await search('walrus', '--json')).stdout);
  const before = await found();
  expect(before).toMatchObject({ complete: true, nextCursor: null });
  expect(before.items).toHaveLength(3);
  const rebuilt = await mooring(['search', 'reindex', '--json'], { dataDir: agent.dataDir });
  expect(JSON.parse(rebuilt.stdout)).toMatchObject({ bytes: expect.any(Number) });
  const after = await found();
  expect(after.items).toHaveLength(3);
});

test('--limit above a page of the API prints so many files, and says that there are more', async () => {
  const files = Array.from({ length: 520 }, (_, at) => ({ path: `/birds/${at}.md`, content: 'heron\n' }));
  await client.bulkWrite(workspaceId, files);
  const { stdout, stderr } = await search('heron', '--limit', '510');
  expect(new Set(stdout.trim().split('\n')).size).toBe(510);
  expect(stderr).toContain('More files match');
  expect((await search('heron', '--limit', '520')).stderr).toBe('');
});
