import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../server/platform/config/config.ts';
import { ConfigFile } from '../../../server/platform/config/config-file.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function made(
  text: string | null,
  flags: Readonly<Record<string, unknown>> = {},
  env: NodeJS.ProcessEnv = {},
) {
  const dataDir = tempFolder('mooring-config');
  const file = path.join(dataDir, 'config.json');
  if (text !== null) writeFileSync(file, text);
  const loaded = loadConfig({
    flags: { dataDir, ...flags },
    environment: { env, homeDir: '/root-of-ana', platform: 'linux' },
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  const config = new ConfigFile(loaded.config, file);
  const setting = async (name: string) => (await config.report()).settings.find((each) => each.name === name);
  const write = async (settings: Record<string, string | number | null>) =>
    await config.change({ version: (await config.report()).version, settings });
  return { dataDir, file, config, setting, write, read: () => readFileSync(file, 'utf8') };
}

test('the source of each value is named, and a change holds after a restart', async () => {
  const agent = made(
    '{"historyDays": 40, "writebackAttempts": 7}',
    { writebackAttempts: '9' },
    {
      MOORING_LOG_LEVEL: 'debug',
    },
  );
  expect(await agent.setting('historyDays')).toMatchObject({ value: 40, default: 30, source: 'file' });
  expect(await agent.setting('writebackAttempts')).toMatchObject({ value: 9, source: 'flag' });
  expect(await agent.setting('logLevel')).toMatchObject({ value: 'debug', source: 'variable' });
  await agent.write({ historyDays: '60', historyBytes: '40GiB', writebackAttempts: 8 });
  expect(JSON.parse(agent.read())).toEqual({
    historyDays: 60,
    writebackAttempts: 8,
    historyBytes: 40 * 1024 ** 3,
  });
  expect(await agent.setting('historyDays')).toMatchObject({ value: 40, nextValue: 60 });
  expect(await agent.setting('writebackAttempts')).not.toHaveProperty('nextValue');
  await agent.write({ historyDays: null });
  expect(await agent.setting('historyDays')).toMatchObject({ value: 40, nextValue: 30 });
});

test('unknown keys stay, and the file is private and replaced whole', async () => {
  const agent = made(null);
  writeFileSync(agent.file, '{"ofAnotherVersion": {"a": [1]}, "ui": false}');
  await agent.write({ historyDays: 60 });
  expect(JSON.parse(agent.read())).toEqual({ ofAnotherVersion: { a: [1] }, ui: false, historyDays: 60 });
  if (process.platform !== 'win32') expect(statSync(agent.file).mode & 0o777).toBe(0o600);
  expect(readdirSync(agent.dataDir)).toEqual(['config.json']);
});

test.each([
  ['{"historyDays": ', 'not a JSON object'],
  ['[]', 'not a JSON object'],
  ['{"historyDays": 0}', 'historyDays in the configuration file is not valid'],
])('an invalid file %s is not touched', async (text, cause) => {
  const agent = made(null);
  writeFileSync(agent.file, text);
  expect((await agent.config.report()).problem).toContain(cause);
  await expect(agent.write({ historyDays: 60 })).rejects.toThrow(cause);
  expect(agent.read()).toBe(text);
});

test('a file that was changed meanwhile is not replaced, also by two changes at once', async () => {
  const agent = made('{"historyDays": 40}');
  const { version } = await agent.config.report();
  const changes = [50, 60].map((historyDays) => agent.config.change({ version, settings: { historyDays } }));
  const results = await Promise.allSettled(changes);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(JSON.parse(agent.read())).toEqual({ historyDays: 50 });
  writeFileSync(agent.file, '{"historyDays": 70}');
  await expect(agent.config.change({ version, settings: { historyDays: 1 } })).rejects.toThrow(
    'changed meanwhile',
  );
  expect(agent.read()).toBe('{"historyDays": 70}');
});

test('values and names are checked before anything is written', async () => {
  const agent = made('{}');
  for (const [settings, cause] of [
    [{ historyDays: 0 }, 'historyDays: 0 is not valid. Use a whole number from 1 to 36500.'],
    [{ historyRevisionsMin: 5, historyDays: '1.5' }, 'historyDays: "1.5" is not valid'],
    [{ jwksUrl: 'https://keys.example/' }, 'decides who reaches the agent'],
    [{ listen: null }, 'decides who reaches the agent'],
    [{ historyDay: 1 }, 'historyDay is not a setting'],
  ] as const)
    await expect(agent.write(settings)).rejects.toThrow(cause);
  expect(agent.read()).toBe('{}');
});
