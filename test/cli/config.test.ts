// mooring config against a running agent: what set each value, a change, and its effect after a restart.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace, ownerClient } from '../support/client-of.ts';

vi.setConfig({ testTimeout: 300_000 });

it('changes config.json, which holds after a restart; only the owner may', async () => {
  const agent = await startAgent();
  const run = async (...args: readonly string[]) =>
    await mooring(['config', ...args], { dataDir: agent.dataDir });
  const file = path.join(agent.dataDir, 'config.json');
  expect((await run('list')).stdout).toMatch(/^historyDays +30 +default/m);
  const made = await run('set', 'historyDays', '60');
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('60 after a restart of the agent') });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ historyDays: 60 });
  expect((await run('list')).stdout).toMatch(/^historyDays +30 +default +60$/m);
  expect(await run('set', 'historyDays', 'many')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Use a whole number from 1 to 36500 (400 bad_request).'),
  });
  expect(await run('set', 'jwksUrl', 'https://keys.example/')).toMatchObject({ code: 2 });
  expect(await run('set', 'histryDays', '5')).toMatchObject({
    code: 2,
    stderr:
      'histryDays is not a setting. Did you mean historyDays?\nList the settings with "mooring config list".\n',
  });

  const { client } = await freshWorkspace(agent);
  const body = { version: 'none', settings: { historyDays: 90 } };
  await expect(client.agent.changeSettings(body)).rejects.toMatchObject({ status: 403 });
  await expect(ownerClient(agent).agent.changeSettings(body)).rejects.toMatchObject({
    status: 409,
    code: 'invalid_state',
  });
  const logged = await mooring(['logs', '--json'], { dataDir: agent.dataDir });
  expect(logged.stdout).toContain('"settings were changed"');

  await agent.kill9();
  await agent.start();
  expect((await run('list')).stdout).toMatch(/^historyDays +60 +config\.json$/m);
  expect(await run('unset', 'historyDays')).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({});
  writeFileSync(file, '{"historyDays":');
  expect(await run('set', 'historyDays', '60')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not a JSON object'),
  });
  expect(readFileSync(file, 'utf8')).toBe('{"historyDays":');
});
