// `mooring run --sandbox` with the real bubblewrap: what a command can still write, and how it is refused where it cannot be confined.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MooringClient } from '../../sdk/index.ts';
import { AgentProcess, mooringProcess } from '../support/agent-process.ts';
import { ownerClient } from '../support/client-of.ts';
import { program } from '../support/program.ts';
import { removeFolder, tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const probe = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', '--', 'true'], {
  encoding: 'utf8',
});
const canConfine = probe.status === 0;
if (!canConfine)
  process.stderr.write(
    `run-sandbox: bubblewrap cannot be used here (${probe.error?.message ?? probe.stderr.trim()}); install the package bubblewrap\n`,
  );

// Not below a temporary folder, of which the sandbox has another one, as this checkout may be.
const checkout = path.join(import.meta.dirname, '../..');
const cache = path.join(/^(\/var)?\/tmp\//.test(checkout) ? homedir() : checkout, '.cache');
mkdirSync(cache, { recursive: true });
const home = mkdtempSync(path.join(cache, 'sandbox-'));
const agent = new AgentProcess(path.join(home, 'data'), {});
let client: MooringClient;
let workspaceId: string;
const live = path.join(home, 'live');

beforeAll(async () => {
  mkdirSync(live, { recursive: true });
  writeFileSync(path.join(live, 'a.md'), 'one\n');
  await agent.start();
  client = ownerClient(agent);
  ({ workspaceId } = await client.workspaces.create({ name: 'sandbox' }));
  await client.mirrors.add(workspaceId, live);
  await client.mirrors.waitUntilSynced({ workspaceId });
});
afterAll(async () => {
  await agent.kill9();
  removeFolder(home);
});

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  mooringProcess(['run', '--workspace', workspaceId, ...args], { dataDir: agent.dataDir, env });

describe.skipIf(!canConfine)('a command in a sandbox', () => {
  test('writes the folder of its run and a /tmp of its own, and nothing else', async () => {
    const secret = path.join(home, 'home.txt');
    writeFileSync(secret, 'mine\n');
    const refused = [
      secret,
      path.join(live, 'a.md'),
      path.join(live, 'new'),
      path.join(agent.dataDir, 'x'),
      '/etc/x',
      '/var/x',
    ];
    const script = [
      ...refused.map((file) => `(echo hacked > '${file}') 2>/dev/null && echo "wrote ${file}"`),
      `rm -rf '${live}' 2>/dev/null`,
      `cat '${secret}'`,
      'echo scratch > /tmp/mooring-sandbox-scratch && cat /tmp/mooring-sandbox-scratch',
      'touch .mooring/x 2>/dev/null && echo "wrote .mooring"',
      'echo two >> a.md',
      'exit 7',
    ].join('\n');
    const ran = await run(['--sandbox', '--commit', '--', 'sh', '-c', script]);
    expect([ran.code, ran.stdout]).toEqual([7, 'mine\nscratch\n']);
    expect(ran.stderr).not.toContain('bwrap');
    expect(existsSync('/tmp/mooring-sandbox-scratch')).toBe(false);
    const [failed] = (await client.runs.list(workspaceId)).runs;
    await client.runs.commit(workspaceId, failed?.runId ?? '');
    await client.mirrors.waitUntilSynced({ workspaceId });
    expect(readdirSync(live).sort()).toEqual(['.mooring', 'a.md']);
    expect(readFileSync(path.join(live, 'a.md'), 'utf8')).toBe('one\ntwo\n');
    expect(readFileSync(secret, 'utf8')).toBe('mine\n');
  });

  test('reaches the API with the token of its run', async () => {
    const script =
      'curl -sf "$MOORING_URL/v1/workspaces/$MOORING_WORKSPACE/fs/file?path=/a.md&forkId=$MOORING_FORK" -H "Authorization: Bearer $MOORING_TOKEN" -H "X-Correlation-Id: s"';
    const ran = await run(['--sandbox', '--', 'sh', '-c', script]);
    expect([ran.code, (JSON.parse(ran.stdout) as { path: string }).path]).toEqual([0, '/a.md']);
  });

  test('gets signals, and a program that does not exist is 127', async () => {
    const child = spawn(
      process.execPath,
      [
        ...[program, 'run', '--workspace', workspaceId, '--sandbox', '--discard', '--', 'sh', '-c'],
        'trap "echo ended > ended; exit 9" TERM; echo > ready; while :; do sleep 0.1; done',
      ],
      { env: { ...process.env, MOORING_DATA_DIR: agent.dataDir }, stdio: 'ignore' },
    );
    await waitFor('the command', async () => {
      const { runs } = await client.runs.list(workspaceId);
      return runs[0]?.state === 'open' && runs[0].writtenCount === 1;
    });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([9, null]);
    expect((await run(['--sandbox', '--', 'no-such-program'])).code).toBe(127);
  });
});

test('is refused before anything is created where bubblewrap is missing', async () => {
  const bin = tempFolder('mooring-bin');
  for (const name of ['sh', 'true']) symlinkSync(`/bin/${name}`, path.join(bin, name));
  const before = (await client.runs.list(workspaceId)).runs.length;
  const ran = await run(['--sandbox', '--', 'true'], { PATH: bin });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain('bubblewrap is not installed');
  expect(ran.stderr).toContain('apt install bubblewrap');
  expect((await client.runs.list(workspaceId)).runs).toHaveLength(before);
});
