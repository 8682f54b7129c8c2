// Lists the settings of the running agent: name, value, flag and variable. It reports the loaded configuration and never reads the
// environment or a file.
import type { AgentSetting } from '../../contract/agent.ts';
import { type AgentConfig, flagName, variableName } from './config.ts';
import { type SettingName, settingNames, settings } from './settings.ts';

/** Settings whose value contains a host or a file name: a diagnostics bundle only reports that they are set. */
const privateSettings: ReadonlySet<string> = new Set<SettingName>([
  'database',
  'masterKeyFile',
  'listen',
  'allowHost',
  'jwksUrl',
  'internalHmacSecretFile',
]);

/** Settings that the API changes: limits, retention and the log. Who reaches the agent, and which tokens it accepts, is only changed
 * by a person with access to its files: a UI token of hours must not become lasting access. */
const editableSettings: ReadonlySet<string> = new Set<SettingName>([
  'maxBodyBytes',
  'envelopeAttempts',
  'envelopeQueueSize',
  'envelopeContentBytes',
  'writebackAttempts',
  'mirrorFileBytes',
  'logLevel',
  'historyDays',
  'historyRevisionsMin',
  'historyBytes',
]);

export function isEditable(name: string): name is SettingName {
  return editableSettings.has(name);
}

/** Every setting, in the order of the table. No value is a secret: secrets are in files that only the agent reads. */
export function settingsReport(config: AgentConfig): readonly AgentSetting[] {
  return settingNames.map((name) => {
    const value = currentOf(config, name);
    const fallback = fallbackOf(name);
    return {
      name,
      value,
      isDefault: JSON.stringify(value) === JSON.stringify(fallback),
      default: fallback,
      source: config.origins.get(name) ?? 'default',
      isEditable: isEditable(name),
      ...(isEditable(name) ? { expected: expectedOf(name) } : {}),
      flag: flagName(name),
      variable: variableName(name),
    };
  });
}

/** What a valid value is: the reader of each setting refuses an object. */
function expectedOf(name: SettingName): string {
  const reading = settings[name].read({});
  return reading.ok ? '' : reading.expected;
}

/** The report for a diagnostics bundle. */
export function withoutPlaces(report: readonly AgentSetting[]): readonly AgentSetting[] {
  return report.map((setting) =>
    privateSettings.has(setting.name) && !setting.isDefault
      ? { ...setting, value: 'set', default: null }
      : setting,
  );
}

function currentOf(config: AgentConfig, name: SettingName): AgentSetting['value'] {
  if (name === 'listen') return address(config.listenHost, config.listenPort);
  if (name === 'database') return withoutPassword(config.database);
  if (name === 'allowHost') return [...config.allowHosts];
  if (name === 'importHost') return [...config.importHosts];
  return config[name];
}

function fallbackOf(name: SettingName): AgentSetting['value'] {
  if (name === 'listen') return address(settings.listen.fallback.host, settings.listen.fallback.port);
  if (name === 'allowHost' || name === 'importHost') return [...settings[name].fallback];
  return settings[name].fallback;
}

/** The report is shown and stored; who reads it needs no access to the database. */
function withoutPassword(database: string | null): string | null {
  const url = database === null ? null : URL.parse(database);
  if (url === null) return database;
  if (url.password !== '') url.password = '***';
  return url.href;
}

function address(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
