import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type ConfigSources,
  describeConfigErrors,
  loadConfig,
} from '../../../server/platform/config/config.ts';
import { defaultDataDir, type Environment, resolveDataDir } from '../../../server/platform/files/paths.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const home = path.resolve('/home/ann');
const dataDir = path.resolve('/data/mooring');

function load(options: {
  flags?: ConfigSources['flags'];
  env?: Environment['env'];
  file?: unknown;
  portFallback?: boolean;
}) {
  return loadConfig({
    flags: { dataDir, ...options.flags },
    environment: { platform: 'linux', env: options.env ?? {}, homeDir: home },
    readConfigFile: () => (options.file === undefined ? null : JSON.stringify(options.file)),
    ...(options.portFallback === undefined ? {} : { portFallback: options.portFallback }),
  });
}

/** The settings that are refused. */
function refused(options: Parameters<typeof load>[0]): readonly string[] {
  const loaded = load(options);
  return loaded.ok ? [] : loaded.errors.map((error) => error.setting);
}

const defaults = {
  dataDir,
  listenHost: '127.0.0.1',
  listenPort: 4417,
  portFallback: false,
  allowRemote: false,
  allowHosts: [],
  importHosts: [],
  ui: true,
  jwksUrl: null,
  autoProvision: false,
  externalWriteback: 'auto',
  internalHmacSecretFile: null,
  database: null,
  masterKeyFile: null,
  publicUrl: null,
  oidcIssuer: null,
  oidcClientId: null,
  oidcClientSecretFile: null,
  maxBodyBytes: 100_663_296,
  envelopeAttempts: 5,
  envelopeQueueSize: 10_000,
  envelopeContentBytes: 67_108_864,
  writebackAttempts: 3,
  mirrorFileBytes: 67_108_864,
  metrics: 'token',
  logLevel: 'info',
  historyDays: 30,
  historyRevisionsMin: 20,
  historyBytes: 21_474_836_480,
  origins: expect.any(Map),
};

describe('the configuration', () => {
  it('has a default for everything', () => {
    expect(load({})).toEqual({ ok: true, config: defaults });
  });

  const secret = path.resolve('/run/secret');
  it.each<[string, Parameters<typeof load>[0]]>([
    [
      'flags',
      {
        flags: {
          listen: '[::1]:0',
          allowRemote: true,
          allowHost: ['Files.example.org', '10.0.0.7'],
          ui: false,
          jwksUrl: 'https://issuer.example.org/jwks',
          autoProvision: true,
          externalWriteback: 'off',
          internalHmacSecretFile: secret,
          database: 'postgres://mooring@db.example.org/team',
          masterKeyFile: secret,
          publicUrl: 'https://hub.example.org/',
          oidcIssuer: 'https://login.example.org',
          oidcClientId: 'mooring',
          oidcClientSecretFile: secret,
          maxBodyBytes: '2MiB',
          envelopeAttempts: '7',
          envelopeQueueSize: '9',
          envelopeContentBytes: '1MiB',
          writebackAttempts: '8',
          mirrorFileBytes: '3MiB',
          metrics: 'open',
          logLevel: 'debug',
          historyDays: '90',
          historyRevisionsMin: '5',
          unset: undefined,
        },
      },
    ],
    [
      'variables',
      {
        env: {
          MOORING_LISTEN: '[::1]:0',
          MOORING_ALLOW_REMOTE: 'true',
          MOORING_ALLOW_HOST: 'files.example.org, 10.0.0.7',
          MOORING_UI: '0',
          MOORING_JWKS_URL: 'https://issuer.example.org/jwks',
          MOORING_AUTO_PROVISION: '1',
          MOORING_EXTERNAL_WRITEBACK: 'off',
          MOORING_INTERNAL_HMAC_SECRET_FILE: secret,
          MOORING_DATABASE: 'postgres://mooring@db.example.org/team',
          MOORING_MASTER_KEY_FILE: secret,
          MOORING_PUBLIC_URL: 'https://hub.example.org/',
          MOORING_OIDC_ISSUER: 'https://login.example.org',
          MOORING_OIDC_CLIENT_ID: 'mooring',
          MOORING_OIDC_CLIENT_SECRET_FILE: secret,
          MOORING_MAX_BODY_BYTES: '2097152',
          MOORING_ENVELOPE_ATTEMPTS: '7',
          MOORING_ENVELOPE_QUEUE_SIZE: '9',
          MOORING_ENVELOPE_CONTENT_BYTES: '1048576',
          MOORING_WRITEBACK_ATTEMPTS: '8',
          MOORING_MIRROR_FILE_BYTES: '3MiB',
          MOORING_METRICS: 'open',
          MOORING_LOG_LEVEL: 'debug',
          MOORING_HISTORY_DAYS: '90',
          MOORING_HISTORY_REVISIONS_MIN: '5',
          MOORING_TEST_LONG: '1',
          OTHER: 'x',
        },
      },
    ],
    [
      'the file',
      {
        file: {
          listen: '[::1]:0',
          allowRemote: true,
          allowHost: ['files.example.org', '10.0.0.7'],
          ui: false,
          jwksUrl: 'https://issuer.example.org/jwks',
          autoProvision: true,
          externalWriteback: 'off',
          internalHmacSecretFile: secret,
          database: 'postgres://mooring@db.example.org/team',
          masterKeyFile: secret,
          publicUrl: 'https://hub.example.org/',
          oidcIssuer: 'https://login.example.org',
          oidcClientId: 'mooring',
          oidcClientSecretFile: secret,
          maxBodyBytes: 2_097_152,
          envelopeAttempts: 7,
          envelopeQueueSize: 9,
          envelopeContentBytes: 1_048_576,
          writebackAttempts: 8,
          mirrorFileBytes: 3_145_728,
          metrics: 'open',
          logLevel: 'debug',
          historyDays: 90,
          historyRevisionsMin: 5,
        },
      },
    ],
  ])('takes every setting from %s', (_, options) => {
    expect(load(options)).toEqual({
      ok: true,
      config: {
        ...defaults,
        listenHost: '::1',
        listenPort: 0,
        allowRemote: true,
        allowHosts: ['files.example.org', '10.0.0.7'],
        ui: false,
        jwksUrl: 'https://issuer.example.org/jwks',
        autoProvision: true,
        externalWriteback: 'off',
        internalHmacSecretFile: secret,
        database: 'postgres://mooring@db.example.org/team',
        masterKeyFile: secret,
        publicUrl: 'https://hub.example.org',
        oidcIssuer: 'https://login.example.org',
        oidcClientId: 'mooring',
        oidcClientSecretFile: secret,
        maxBodyBytes: 2_097_152,
        envelopeAttempts: 7,
        envelopeQueueSize: 9,
        envelopeContentBytes: 1_048_576,
        writebackAttempts: 8,
        mirrorFileBytes: 3_145_728,
        metrics: 'open',
        logLevel: 'debug',
        historyDays: 90,
        historyRevisionsMin: 5,
      },
    });
  });

  it('prefers flags to variables, and variables to the file; an empty variable is not set', () => {
    const loaded = load({
      flags: { envelopeAttempts: '1' },
      env: { MOORING_ENVELOPE_ATTEMPTS: '2', MOORING_WRITEBACK_ATTEMPTS: '2', MOORING_UI: '' },
      file: { envelopeAttempts: 3, writebackAttempts: 3, ui: false },
    });
    expect(loaded).toMatchObject({
      ok: true,
      config: { envelopeAttempts: 1, writebackAttempts: 2, ui: false },
    });
  });

  it('falls back to another port only where that was asked for', () => {
    expect(load({ portFallback: true })).toMatchObject({ ok: true, config: { portFallback: true } });
  });

  it('is read from the file in the data directory', () => {
    const dir = tempFolder();
    const environment: Environment = { platform: 'linux', env: { MOORING_DATA_DIR: dir }, homeDir: home };
    expect(loadConfig({ flags: {}, environment })).toMatchObject({
      ok: true,
      config: { dataDir: dir, ui: true },
    });
    writeFileSync(path.join(dir, 'config.json'), '{"ui":false}');
    expect(loadConfig({ flags: {}, environment })).toMatchObject({
      ok: true,
      config: { dataDir: dir, ui: false },
    });
  });
});

describe('a bad setting', () => {
  it.each<[string, unknown]>([
    ['listen', '127.0.0.1'],
    ['listen', ':4417'],
    ['listen', '4417'],
    ['listen', '127.0.0.1:65536'],
    ['listen', '127.0.0.1:080'],
    ['listen', '::1:4417'],
    ['listen', '[127.0.0.1]:1'],
    ['listen', 'http://127.0.0.1:1'],
    ['listen', 4417],
    ['allowRemote', 'yes'],
    ['allowHost', 'files.example.org:80'],
    ['allowHost', 'http://x'],
    ['allowHost', ['']],
    ['allowHost', [1]],
    ['allowHost', Array.from({ length: 101 }, () => 'a')],
    ['ui', 1],
    ['jwksUrl', 'issuer'],
    ['jwksUrl', 'http://issuer.example.org/jwks'],
    ['jwksUrl', 'https://user:pass@issuer.example.org/jwks'],
    ['jwksUrl', 'file:///etc/keys'],
    ['externalWriteback', 'sometimes'],
    ['internalHmacSecretFile', ''],
    ['database', 'mysql://db.example.org/team'],
    ['maxBodyBytes', '96MB'],
    ['maxBodyBytes', '96 MiB'],
    ['maxBodyBytes', '1e9'],
    ['maxBodyBytes', '-1'],
    ['maxBodyBytes', 1023],
    ['maxBodyBytes', '513MiB'],
    ['maxBodyBytes', 2048.5],
    ['envelopeAttempts', 0],
    ['envelopeAttempts', '101'],
    ['envelopeAttempts', '05'],
    ['envelopeQueueSize', 0],
    ['envelopeContentBytes', '1'],
    ['writebackAttempts', null],
    ['mirrorFileBytes', '513MiB'],
    ['metrics', 'Open'],
    ['logLevel', 'verbose'],
    ['historyDays', Number.POSITIVE_INFINITY],
    ['historyRevisionsMin', '20x'],
  ])('%s %j is refused by its name', (name, value) => {
    expect(refused({ flags: { [name]: value } })).toEqual([
      `--${name.replaceAll(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`,
    ]);
  });

  it('is named as it was written, with the nearest that exists', () => {
    const loaded = load({
      flags: { maxBodySize: '1' },
      env: { MOORING_ALOW_HOST: 'x', MOORING_METRICS: 'no', MOORING_DATADIR: '/x' },
      file: { 'log-level': 'info', dataDir: '/x' },
    });
    const file = path.join(dataDir, 'config.json');
    expect(loaded.ok ? '' : describeConfigErrors(loaded.errors)).toBe(
      [
        `log-level in ${file}: unknown setting. Did you mean logLevel?`,
        `dataDir in ${file}: the configuration file is already in the data directory. Use --data-dir or MOORING_DATA_DIR.`,
        'MOORING_ALOW_HOST: unknown setting. Did you mean MOORING_ALLOW_HOST?',
        'MOORING_METRICS: "no" is not valid. Use one of open, token.',
        'MOORING_DATADIR: unknown setting. Did you mean MOORING_DATA_DIR?',
        '--max-body-size: unknown setting. Did you mean --max-body-bytes?',
      ].join('\n'),
    );
  });

  it('is not a file in the place of the data directory: that is for whoever makes the directory to say', () => {
    const file = path.join(tempFolder(), 'file');
    writeFileSync(file, '');
    const environment: Environment = { platform: 'linux', env: {}, homeDir: home };
    expect(loadConfig({ flags: { dataDir: file }, environment })).toMatchObject({ ok: true });
  });

  it('is refused where a stronger source would have replaced it', () => {
    expect(refused({ flags: { metrics: 'open' }, env: { MOORING_METRICS: 'x' } })).toEqual([
      'MOORING_METRICS',
    ]);
  });

  it.each([[[]], ['text'], [null], [7]])('a file that holds %j is refused', (file) => {
    expect(refused({ file })).toEqual([path.join(dataDir, 'config.json')]);
  });

  it.each(['0.0.0.0:4417', '[::]:4417', '192.168.1.5:0', 'files.example.org:80'])(
    '%s needs --allow-remote',
    (listen) => {
      expect(refused({ flags: { listen } })).toEqual(['--listen']);
      expect(refused({ flags: { listen, allowRemote: true } })).toEqual([]);
    },
  );

  it.each(['127.0.0.1:1', '127.1.2.3:1', '[::1]:1', 'localhost:1', 'LOCALHOST:1'])(
    '%s does not',
    (listen) => {
      expect(refused({ flags: { listen } })).toEqual([]);
    },
  );

  it.each([home, path.parse(home).root, ''])('the data directory cannot be %j', (dir) => {
    expect(refused({ flags: { dataDir: dir } })).toEqual(['--data-dir']);
  });

  it.each(['http://127.0.0.1:1/jwks', 'http://localhost/jwks', 'http://[::1]:1/jwks'])(
    'the key set may come from %s',
    (jwksUrl) => {
      expect(load({ flags: { jwksUrl } })).toMatchObject({ ok: true, config: { jwksUrl } });
    },
  );
});

describe('the data directory', () => {
  const at = (platform: NodeJS.Platform, env: Environment['env'], homeDir: string) => ({
    platform,
    env,
    homeDir,
  });
  it.each<[Environment, string]>([
    [at('linux', {}, '/home/ann'), '/home/ann/.local/share/mooring'],
    [at('linux', { XDG_DATA_HOME: '/xdg' }, '/home/ann'), '/xdg/mooring'],
    [at('linux', { XDG_DATA_HOME: 'relative' }, '/home/ann'), '/home/ann/.local/share/mooring'],
    [at('linux', { XDG_DATA_HOME: '' }, '/home/ann'), '/home/ann/.local/share/mooring'],
    [at('darwin', { XDG_DATA_HOME: '/xdg' }, '/Users/ann'), '/Users/ann/Library/Application Support/Mooring'],
    [at('win32', { LOCALAPPDATA: 'C:\\Local' }, 'C:\\Users\\ann'), 'C:\\Local\\Mooring'],
    [at('win32', {}, 'C:\\Users\\ann'), 'C:\\Users\\ann\\AppData\\Local\\Mooring'],
  ])('of %j is %s', (environment, expected) => {
    expect(defaultDataDir(environment)).toBe(expected);
  });

  it('is the flag, else the variable, always absolute', () => {
    const environment = at('linux', { MOORING_DATA_DIR: '/env' }, '/home/ann');
    expect(resolveDataDir('flag', environment)).toBe(path.resolve('flag'));
    expect(resolveDataDir(undefined, environment)).toBe(path.resolve('/env'));
  });

  it('a sign-in at an OpenID provider needs a hub, its address and its identity there', () => {
    const issuer = { oidcIssuer: 'https://login.example.org' };
    const alone = load({ flags: issuer });
    expect(alone).toMatchObject({
      ok: false,
      errors: [
        {
          setting: '--oidc-issuer',
          message:
            'a sign-in at a provider needs --oidc-client-id, --oidc-client-secret-file, --public-url, --database as well',
        },
      ],
    });
    for (const oidcIssuer of [
      'http://login.example.org',
      'https://a@b.example.org',
      'https://b.example.org/?x',
      7,
    ])
      expect(load({ flags: { oidcIssuer } }).ok, String(oidcIssuer)).toBe(false);
  });
});
