// Dead-letter commands against a real agent: an invalid webhook of each cause is listed, shown, edited and replayed, and its file is
// correct.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { bytesOf } from '../../sdk/index.ts';
import { mergePatch } from '../../server/core/merge/json-merge-patch.ts';
import { AgentProcess, type CommandResult, mooring } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { caseContentBytesMax, deadLetterCases, takenPath } from '../support/dead-letter-cases.ts';
import { program } from '../support/program.ts';
import { makeTempFolder, removeFolder, tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

// One of these tests starts thirty-two commands.
vi.setConfig({ testTimeout: 300_000 });

const agent = new AgentProcess(makeTempFolder('mooring-data'), {
  args: ['--envelope-content-bytes', `${caseContentBytesMax}`],
});
beforeAll(() => agent.start());
afterAll(async () => {
  await agent.kill9();
  removeFolder(agent.dataDir);
});

async function run(...args: readonly string[]): Promise<CommandResult> {
  return await mooring(['dead-letters', ...args], { dataDir: agent.dataDir });
}

async function withDeadLetters(
  payloads: readonly { provider: string; payload: Readonly<Record<string, unknown>> }[],
) {
  const given = await freshWorkspace(agent);
  const { client, workspaceId } = given;
  const settled = () =>
    waitFor('the queue to be empty', async () => (await client.sync.ingress(workspaceId)).pendingTotal === 0);
  await client.writeFile(workspaceId, takenPath, 'here');
  const ids: string[] = [];
  for (const { provider, payload } of payloads) {
    const { event_type, path, ...rest } = payload;
    const input = { provider, event_type: String(event_type), path: String(path), ...rest };
    ids.push((await client.sync.ingestWebhook(workspaceId, input)).id);
  }
  await settled();
  const text = async (file: string) => (await client.readFile(workspaceId, file)).content;
  return { ...given, ids, settled, text, where: ['--workspace', workspaceId] };
}

it('shows, edits and replays an invalid webhook of each cause', async () => {
  const { ids, where, settled, text, owner, workspaceId } = await withDeadLetters(deadLetterCases);
  const listed = await run('list', ...where, '--json');
  const { items } = JSON.parse(listed.stdout) as { items: { envelopeId: string; lastError: string }[] };
  expect(items.map((item) => item.lastError.split(':')[0]).toReversed()).toEqual(
    deadLetterCases.map((one) => one.cause),
  );
  const folder = tempFolder();
  await Promise.all(
    deadLetterCases.map(async (one, index) => {
      const id = ids[index] ?? '';
      const shown = await run('show', id, ...where);
      expect(shown.stdout).toContain(`attempt 1`);
      expect(shown.stdout).toContain(`${one.cause}: `);
      const { payload } = JSON.parse((await run('show', id, ...where, '--json')).stdout) as {
        payload: unknown;
      };
      const file = path.join(folder, `${index}.json`);
      writeFileSync(file, JSON.stringify(mergePatch(payload, one.patch)));
      const dry = await run('replay', id, ...where, '--payload', file, '--dry-run');
      expect(dry).toMatchObject({ code: 0, stdout: `create ${one.path}\n` });
      expect(await run('replay', id, ...where, '--payload', file)).toMatchObject({ code: 0 });
    }),
  );
  await settled();
  for (const one of deadLetterCases) {
    // Access rules apply to their own file, so the owner reads it.
    const file = await owner.readFile(workspaceId, one.path);
    expect(Buffer.from(bytesOf(file)).toString('utf8')).toBe(one.content);
  }
  expect(await text('/hub/1.md')).toBe('one');
  expect((await run('list', ...where)).stderr).toBe('No dead letters.\n');
});

it('replays many with one patch or dismisses them, by cause, provider and text', async () => {
  const broken = (name: string, provider = 'hub') => ({
    provider,
    payload: {
      event_type: 'file.created',
      path: `/${provider}/${name}`,
      data: { content: 'x', encoding: 'none' },
    },
  });
  const { ids, where, settled, text } = await withDeadLetters([
    broken('1'),
    broken('2'),
    broken('3', 'mail'),
  ]);
  const all = [...where, '--all', '--cause', 'content_undecodable'];
  const rows = (result: CommandResult) => result.stdout.trim().split('\n').slice(1);
  const dry = await run('replay', ...all, '--dry-run');
  expect(rows(dry)).toEqual(
    ids.map((id, at) =>
      expect.stringMatching(new RegExp(`^${id} +/(?:hub|mail)/${at + 1} +would fail: content_undecodable: `)),
    ),
  );
  expect(dry.stderr).toBe('Dry run: 0 of 3 dead letters would be applied. Nothing was changed.\n');
  const patch = ['--patch', '{"data":{"encoding":null}}'];
  const edited = await run('replay', ...all, ...patch, '--dry-run');
  expect(rows(edited)[2]).toMatch(/create \/mail\/3$/);
  expect(edited.stderr).toBe('Dry run: 3 of 3 dead letters would be applied. Nothing was changed.\n');
  expect(rows(await run('ack', ...all, '--dry-run'))[2]).toMatch(/ \/mail\/3$/);
  expect((await run('replay', ...all, '--provider', 'hub', ...patch)).stderr).toBe(
    '2 dead letters replayed.\n',
  );
  await settled();
  expect(await text('/hub/1')).toBe('x');
  const left = await run('list', ...where);
  expect(rows(left)[0]).toMatch(/ 1 +\/mail\/3 +content_undecodable:/);
  expect(left.stdout.match(/^env_/gm)).toHaveLength(1);
  expect((await run('ack', ...all, '--text', '/mail/', '--json')).stdout).toContain('"done":1');
  expect((await run('ack', ids[0] ?? '', ...where)).code).toBe(1);
});

it('replays an outdated dead letter only with --overwrite-newer', async () => {
  const { ids, where, settled, text, client, workspaceId } = await withDeadLetters([
    {
      provider: 'hub',
      payload: { event_type: 'file.created', path: '/hub/a', data: { content: 'old', encoding: 'none' } },
    },
  ]);
  await client.sync.ingestWebhook(workspaceId, {
    provider: 'hub',
    event_type: 'file.updated',
    path: '/hub/a',
    data: { content: 'new' },
  });
  await settled();
  const file = path.join(tempFolder(), 'payload.json');
  writeFileSync(file, '{"event_type":"file.created","path":"/hub/a","data":{"content":"old"}}');
  const replay = (...more: readonly string[]) =>
    run('replay', ids[0] ?? '', ...where, '--payload', file, ...more);
  const refused = await replay();
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('Nothing was replayed: a newer event was applied at ');
  expect(refused.stderr).toContain('--overwrite-newer');
  expect(await text('/hub/a')).toBe('new');
  // A replay of many skips and lists it.
  const many = (...more: readonly string[]) =>
    run('replay', '--all', ...where, '--patch', '{"data":{"encoding":null}}', ...more);
  const left = await many();
  expect(left.stdout).toMatch(new RegExp(`^${ids[0]}  outdated: a newer event was applied at `));
  expect(left.stderr).toMatch(/^0 dead letters replayed\.\n1 dead letter skipped .*--overwrite-newer/);
  expect(await text('/hub/a')).toBe('new');
  expect((await many('--overwrite-newer', '--dry-run')).stdout).toMatch(/update \/hub\/a$/m);
  expect((await replay('--overwrite-newer')).stderr).toContain('update /hub/a');
  await settled();
  expect(await text('/hub/a')).toBe('old');
});

it('edits one dead letter with a patch', async () => {
  const { ids, where, settled, text } = await withDeadLetters([
    {
      provider: 'hub',
      payload: { event_type: 'file.created', path: '/hub/../a', data: { content: 'kept' } },
    },
  ]);
  const edit = ['replay', ids[0] ?? '', ...where, '--patch', '{"path":"/hub/a"}'];
  expect((await run(...edit, '--dry-run')).stdout).toBe('create /hub/a\n');
  expect((await run(...edit)).code).toBe(0);
  await settled();
  expect(await text('/hub/a')).toBe('kept');
  const { stdout } = await run('show', ids[0] ?? '', ...where);
  expect(stdout).toMatch(/ {2}applied \d{4}-/);
  expect(stdout).toContain('"path": "/hub/../a"');
  expect(stdout).toContain('"path": "/hub/a"');
});

/** `script` of util-linux gives a program a terminal. */
const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

it('shortens long texts of a payload on a terminal, and nowhere else', async ({ skip }) => {
  skip(!hasTerminal, 'there is no `script` of util-linux');
  const note = 'n'.repeat(30_000);
  const { ids, where } = await withDeadLetters([
    { provider: 'hub', payload: { event_type: 'file.created', path: '/hub/../b', note } },
  ]);
  const args = ['show', ids[0] ?? '', ...where];
  const whole = await run(...args);
  expect([whole.stdout.includes(note), whole.stderr]).toEqual([true, '']);
  const command = [process.execPath, program, 'dead-letters', ...args].map((word) => `'${word}'`).join(' ');
  const terminal = spawnSync('script', ['-qec', command, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm', MOORING_DATA_DIR: agent.dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  expect(terminal.status).toBe(0);
  expect(terminal.stdout).toContain(`"${note.slice(0, 200)}… [text 1: 30,000 characters, shortened]"`);
  expect(terminal.stdout).toContain('1 long text shortened. Print the whole payload with --json.');
  expect(terminal.stdout.length).toBeLessThan(2_000);
});

it('reports contradictory arguments as usage errors', async () => {
  const { where } = await withDeadLetters([]);
  for (const args of [
    ['replay'],
    ['replay', 'env_1', '--all'],
    ['replay', 'env_1', '--cause', 'path_invalid'],
    ['replay', 'env_1', '--patch', '{}', '--payload', '-'],
    ['replay', '--all', '--payload', '-'],
    ['replay', '--all', '--patch', '[]'],
    ['ack'],
  ]) {
    const result = await run(...args, ...where);
    expect([args, result.code]).toEqual([args, 2]);
  }
  expect(await run('replay', 'env_1', '--payload', '/no/such/file', ...where)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Cannot read \/no\/such\/file: .* does not exist\.\n/),
  });
});
