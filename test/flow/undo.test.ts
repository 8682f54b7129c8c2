// `mooring undo --since`, as a user runs it: a real agent, a mirrored folder, edits that were made in the folder only.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { MooringClient } from '../../sdk/index.ts';
import { agentOfFile, mooringProcess } from '../support/agent-process.ts';
import { ownerClient } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

/** Files that an agent does not read within the start of a command. */
const burst = 2_000;
const agent = agentOfFile();
const lines = (change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 9 }, (_, index) => `${change[index] ?? `line ${index}`}\n`).join('');
let client: MooringClient;
let workspaceId: string;
let live: string;
/** After the first state, before every change. */
let since: string;

beforeAll(() => {
  client = ownerClient(agent);
});

beforeEach(async () => {
  live = tempFolder('mooring-undo');
  mkdirSync(path.join(live, 'd'));
  writeFileSync(path.join(live, 'd/text.md'), lines());
  writeFileSync(path.join(live, 'other.md'), 'other\n');
  ({ workspaceId } = await client.workspaces.create({ name: crypto.randomUUID() }));
  await client.mirrors.add(workspaceId, live);
  expect((await client.mirrors.waitUntilSynced({ workspaceId })).settled).toBe(true);
  const startMs = Date.now();
  await waitFor('a later millisecond', () => Date.now() > startMs);
  since = new Date().toISOString();
  await waitFor('a later millisecond', () => Date.now() > Date.parse(since));
});

function filesIn(dir: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const name = path.relative(dir, path.join(entry.parentPath, entry.name));
    if (entry.isFile() && !name.startsWith('.mooring'))
      files[name] = readFileSync(path.join(dir, name), 'utf8');
  }
  return files;
}

const undo = (...args: readonly string[]) =>
  mooringProcess(['undo', '--workspace', workspaceId, '--since', since, ...args], { dataDir: agent.dataDir });

async function paused(work: () => Promise<void>): Promise<void> {
  const [mirror] = await client.mirrors.list(workspaceId);
  if (mirror === undefined) return expect.unreachable('there is no mirror');
  await client.mirrors.pause(workspaceId, mirror.mirrorId);
  await work();
  await client.mirrors.resume(workspaceId, mirror.mirrorId);
  expect((await client.mirrors.waitUntilSynced({ workspaceId })).settled).toBe(true);
}

test('takes back what was changed in the folder a moment ago, and can be repeated', async () => {
  const before = filesIn(live);
  rmSync(path.join(live, 'd'), { recursive: true });
  writeFileSync(path.join(live, 'other.md'), 'changed\n');
  writeFileSync(path.join(live, 'new.md'), 'new\n');
  const after = filesIn(live);
  const preview = await undo('--dry-run');
  expect([preview.code, preview.stderr]).toEqual([
    0,
    expect.stringContaining('1 created, 1 updated, 1 deleted. Nothing was changed.'),
  ]);
  expect(filesIn(live)).toEqual(after);
  const part = await undo('--path', '/d');
  expect(part.stderr).toContain('1 created, 0 updated, 0 deleted');
  expect(filesIn(live)).toEqual({ ...after, ...Object.fromEntries([['d/text.md', lines()]]) });
  const whole = await undo();
  expect([whole.code, whole.stderr]).toEqual([0, expect.stringContaining('0 created, 1 updated, 1 deleted')]);
  expect(filesIn(live)).toEqual(before);
  expect((await undo()).stderr).toContain('No changes since then.');
});

test('edits that the agent has not read yet are merged line by line, or kept as a conflict that is named', async () => {
  const write = (name: string, text: string) => writeFileSync(path.join(live, name), text);
  write('d/text.md', lines({ 0: 'by the agent' }));
  write('other.md', 'by the agent\n');
  expect((await client.mirrors.waitUntilSynced({ workspaceId })).settled).toBe(true);
  await paused(async () => {
    write('d/text.md', lines({ 0: 'by the agent', 8: 'by a person' }));
    write('other.md', 'by a person\n');
    const { code, stderr } = await undo();
    expect([code, stderr]).toEqual([0, expect.stringContaining('its latest changes are not taken back')]);
    expect(stderr).toContain('0 created, 2 updated, 0 deleted');
  });
  const files = filesIn(live);
  expect(files['d/text.md']).toBe(lines({ 8: 'by a person' }));
  const conflicts = await client.conflicts.list(workspaceId);
  expect(conflicts).toMatchObject([{ path: '/other.md' }]);
  expect(Object.values(files).sort()).toEqual([files['d/text.md'], 'by a person\n', 'other\n'].sort());
});

test('waits until the agent has read all that was just written', async () => {
  const before = filesIn(live);
  mkdirSync(path.join(live, 'many'));
  for (let n = 0; n < burst; n += 1) writeFileSync(path.join(live, `many/${n}.md`), `${n}\n`);
  const { code, stderr } = await undo();
  expect([code, stderr]).toEqual([0, expect.stringContaining(`0 created, 0 updated, ${burst} deleted`)]);
  expect(filesIn(live)).toEqual(before);
});

test('a time that history no longer covers is refused with cause and remedy', async () => {
  await agent.stop();
  const database = new DatabaseSync(path.join(agent.dataDir, 'mooring.db'));
  database.prepare("UPDATE counters SET last = ? WHERE name = 'history_floor'").run(Date.parse(since) + 1);
  database.close();
  await agent.start();
  client = ownerClient(agent);
  const refused = await undo();
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('no longer kept: it is complete since'),
  ]);
  expect(refused.stderr).toContain('Choose that time or a later one');
});
