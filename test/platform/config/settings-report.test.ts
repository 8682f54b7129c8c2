import { expect, test } from 'vitest';
import { loadConfig } from '../../../server/platform/config/config.ts';
import { settingNames } from '../../../server/platform/config/settings.ts';
import { settingsReport, withoutPlaces } from '../../../server/platform/config/settings-report.ts';

function configOf(flags: Readonly<Record<string, unknown>>) {
  const environment = { env: {}, homeDir: '/root-of-somebody', platform: 'linux' as const };
  const loaded = loadConfig({
    flags: { dataDir: '/srv/mooring', ...flags },
    environment,
    readConfigFile: () => null,
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  return loaded.config;
}

test('every setting is reported once, as a default until it is given', () => {
  const report = settingsReport(configOf({}));
  expect(report.map(({ name }) => name)).toEqual(settingNames);
  expect(report.every(({ isDefault }) => isDefault)).toBe(true);
  expect(report[0]).toEqual({
    name: 'listen',
    value: '127.0.0.1:4417',
    isDefault: true,
    default: '127.0.0.1:4417',
    source: 'default',
    isEditable: false,
    flag: '--listen',
    variable: 'MOORING_LISTEN',
  });
});

test('what was given differs from the default, an IPv6 address keeps its brackets', () => {
  const report = settingsReport(configOf({ historyDays: '90', listen: '[::1]:4420' }));
  const changed = report.filter(({ isDefault }) => !isDefault).map(({ name, value }) => [name, value]);
  expect(changed).toEqual([
    ['listen', '[::1]:4420'],
    ['historyDays', 90],
  ]);
});

test('for other eyes, hosts and files are only set or not set', () => {
  const given = { allowHost: 'files.example.org', jwksUrl: 'https://keys.example/jwks', historyDays: '90' };
  const report = withoutPlaces(settingsReport(configOf(given)));
  expect(JSON.stringify(report)).not.toContain('example');
  expect(report.find(({ name }) => name === 'historyDays')?.value).toBe(90);
  expect(report.find(({ name }) => name === 'allowHost')?.value).toBe('set');
  expect(report.find(({ name }) => name === 'internalHmacSecretFile')?.value).toBeNull();
  const hub = loadConfig({
    flags: {
      database: 'postgres://mooring:s3cret@db.example.org/team',
      masterKeyFile: '/key',
      dataDir: '/data',
    },
    readConfigFile: () => null,
  });
  if (!hub.ok) throw new Error('the settings are valid');
  expect(JSON.stringify(settingsReport(hub.config))).not.toContain('s3cret');
});
