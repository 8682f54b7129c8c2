// Loads the agent's configuration from flags, `MOORING_*` variables and `<data-dir>/config.json`, in this order of precedence. No other
// module reads the environment. Every invalid value is reported.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { dataPaths, type Environment, resolveDataDir, systemEnvironment } from '../files/paths.ts';
import { isMissing } from '../files/private-files.ts';
import { parseRecord } from '../json/json.ts';
import type { LogLevel } from '../observe/logger.ts';
import { isLoopback, type SettingName, type SettingValue, settingNames, settings } from './settings.ts';

export interface AgentConfig {
  readonly dataDir: string;
  /** URL of the PostgreSQL database of a hub; null: the store is in the data directory. */
  readonly database: string | null;
  /** With the key that seals the secrets of a hub; needed with `database`. */
  readonly masterKeyFile: string | null;
  /** Origin of the server as browsers reach it, for links and the return from an OpenID provider; null: that of each request. */
  readonly publicUrl: string | null;
  /** OpenID provider at which users of a hub sign in; null: none. Needs the two below, `publicUrl` and `database`. */
  readonly oidcIssuer: string | null;
  readonly oidcClientId: string | null;
  readonly oidcClientSecretFile: string | null;
  readonly listenHost: string;
  /** 0: any free port. */
  readonly listenPort: number;
  /** true: uses the next free port when the port is taken (only `mooring start`). */
  readonly portFallback: boolean;
  readonly allowRemote: boolean;
  readonly allowHosts: readonly string[];
  /** Hosts from which archives may be fetched. */
  readonly importHosts: readonly string[];
  readonly ui: boolean;
  readonly jwksUrl: string | null;
  readonly autoProvision: boolean;
  readonly externalWriteback: 'auto' | 'all' | 'off';
  readonly internalHmacSecretFile: string | null;
  readonly maxBodyBytes: number;
  readonly envelopeAttempts: number;
  /** Maximum number of pending envelopes of all workspaces. */
  readonly envelopeQueueSize: number;
  /** Maximum size of an envelope's content, decoded. */
  readonly envelopeContentBytes: number;
  readonly writebackAttempts: number;
  /** Larger files are not synced. */
  readonly mirrorFileBytes: number;
  readonly metrics: 'open' | 'token';
  readonly logLevel: LogLevel;
  /** History is retained for at least this many days, and at least this many revisions of a path. */
  readonly historyDays: number;
  readonly historyRevisionsMin: number;
  /** Maximum size of content that only history references; the oldest is deleted first, regardless of the two settings above. */
  readonly historyBytes: number;
  /** Where the value of each setting that is not a default comes from. */
  readonly origins: ReadonlyMap<SettingName, SettingOrigin>;
}

export type SettingOrigin = 'file' | 'variable' | 'flag';

export interface ConfigSources {
  /** By setting name, in commander's form (`dataDir`, `maxBodyBytes`, `ui: false`); undefined: not set. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Default: the process's. */
  readonly environment?: Environment;
  /** Returns the text of the configuration file, null when it does not exist. Default: reads the file. */
  readonly readConfigFile?: (file: string) => string | null;
  readonly portFallback?: boolean;
}

export interface ConfigError {
  /** In the spelling of its source: `--max-body-bytes`, `MOORING_MAX_BODY_BYTES`, `maxBodyBytes in /.../config.json`. */
  readonly setting: string;
  readonly message: string;
  readonly remedy: string;
}

export type LoadedConfig =
  | { readonly ok: true; readonly config: AgentConfig }
  | { readonly ok: false; readonly errors: readonly ConfigError[] };

export function loadConfig(sources: ConfigSources): LoadedConfig {
  const environment = sources.environment ?? systemEnvironment();
  const errors: ConfigError[] = [];
  const dataDir = readDataDir(sources.flags.dataDir, environment, errors);
  const { configFile } = dataPaths(dataDir);
  const bySource = {
    file: new Map<SettingName, unknown>(),
    variable: new Map<SettingName, unknown>(),
    flag: new Map<SettingName, unknown>(),
  };
  // In rising precedence: a later source replaces the value of an earlier one, and every value is checked.
  readFileSettings(configFile, sources.readConfigFile ?? readText, bySource.file, errors);
  readVariables(environment.env, bySource.variable, errors);
  readFlags(sources.flags, bySource.flag, errors);
  const values = new Map([...bySource.file, ...bySource.variable, ...bySource.flag]);
  const origins = new Map<SettingName, SettingOrigin>();
  for (const origin of ['file', 'variable', 'flag'] as const)
    for (const name of bySource[origin].keys()) origins.set(name, origin);
  const config = { ...assemble(dataDir, sources.portFallback ?? false, values), origins };
  errors.push(...errorsTogether(config));
  return errors.length === 0 ? { ok: true, config } : { ok: false, errors };
}

/** Of values that are valid by themselves. */
function errorsTogether(config: AgentConfig): readonly ConfigError[] {
  const errors: ConfigError[] = [];
  if (!isLoopback(config.listenHost) && !config.allowRemote) {
    errors.push({
      setting: '--listen',
      message: `other machines can reach ${config.listenHost}`,
      remedy: 'Add --allow-remote to permit this, or listen on 127.0.0.1.',
    });
  }
  if (config.database !== null && config.masterKeyFile === null) {
    errors.push({
      setting: '--database',
      message: 'the secrets of a hub are sealed with a key that is not in its database',
      remedy:
        'Add --master-key-file FILE: 32 random bytes as base64, made with "mooring hub key FILE", the same file for every process.',
    });
  }
  if (config.oidcIssuer === null) return errors;
  const missing = (['oidcClientId', 'oidcClientSecretFile', 'publicUrl', 'database'] as const).filter(
    (name) => config[name] === null,
  );
  if (missing.length > 0)
    errors.push({
      setting: '--oidc-issuer',
      message: `a sign-in at a provider needs ${missing.map(flagName).join(', ')} as well`,
      remedy:
        'Users belong to a hub (--database). Register the hub at the provider with the redirect URI PUBLIC-URL/, and add what the provider names.',
    });
  return errors;
}

/** One line per error, for a terminal. */
export function describeConfigErrors(errors: readonly ConfigError[]): string {
  return errors.map(({ setting, message, remedy }) => `${setting}: ${message}. ${remedy}`).join('\n');
}

function assemble(
  dataDir: string,
  portFallback: boolean,
  values: ReadonlyMap<SettingName, unknown>,
): Omit<AgentConfig, 'origins'> {
  // Each value in the map was returned by the reader of its setting.
  const value = <K extends SettingName>(name: K): SettingValue<K> =>
    (values.has(name) ? values.get(name) : settings[name].fallback) as SettingValue<K>;
  const listen = value('listen');
  return {
    dataDir,
    database: value('database'),
    masterKeyFile: value('masterKeyFile'),
    publicUrl: value('publicUrl'),
    oidcIssuer: value('oidcIssuer'),
    oidcClientId: value('oidcClientId'),
    oidcClientSecretFile: value('oidcClientSecretFile'),
    listenHost: listen.host,
    listenPort: listen.port,
    portFallback,
    allowRemote: value('allowRemote'),
    allowHosts: value('allowHost'),
    importHosts: value('importHost'),
    ui: value('ui'),
    jwksUrl: value('jwksUrl'),
    autoProvision: value('autoProvision'),
    externalWriteback: value('externalWriteback'),
    internalHmacSecretFile: value('internalHmacSecretFile'),
    maxBodyBytes: value('maxBodyBytes'),
    envelopeAttempts: value('envelopeAttempts'),
    envelopeQueueSize: value('envelopeQueueSize'),
    envelopeContentBytes: value('envelopeContentBytes'),
    writebackAttempts: value('writebackAttempts'),
    mirrorFileBytes: value('mirrorFileBytes'),
    metrics: value('metrics'),
    logLevel: value('logLevel'),
    historyDays: value('historyDays'),
    historyRevisionsMin: value('historyRevisionsMin'),
    historyBytes: value('historyBytes'),
  };
}

// ---- sources

/** Rejects the home directory and a root: the agent removes the access of other users to its data directory. */
function readDataDir(flag: unknown, environment: Environment, errors: ConfigError[]): string {
  const dataDir = resolveDataDir(typeof flag === 'string' ? flag : undefined, environment);
  const setting = typeof flag === 'string' ? '--data-dir' : 'MOORING_DATA_DIR';
  if (dataDir === path.resolve(environment.homeDir) || dataDir === path.parse(dataDir).root) {
    const message = `${dataDir} cannot be a data directory`;
    errors.push({ setting, message, remedy: 'Use a separate directory, such as ~/.local/share/mooring.' });
  } else if (flag !== undefined && (typeof flag !== 'string' || flag === '')) {
    errors.push({ setting: '--data-dir', message: 'the value is empty', remedy: 'Enter a directory.' });
  }
  return dataDir;
}

function readFlags(
  flags: Readonly<Record<string, unknown>>,
  values: Map<SettingName, unknown>,
  errors: ConfigError[],
): void {
  for (const [name, raw] of Object.entries(flags)) {
    if (raw === undefined || name === 'dataDir') continue;
    readSetting(name, raw, flagName(name), flagName, values, errors);
  }
}

/** Variables of the tests and benches of Mooring itself. */
const foreignVariables = /^MOORING_(TEST|BENCH|PART)_/;

function readVariables(
  env: Environment['env'],
  values: Map<SettingName, unknown>,
  errors: ConfigError[],
): void {
  const names = new Map<string, SettingName>(settingNames.map((name) => [variableName(name), name]));
  for (const [variable, raw] of Object.entries(env)) {
    if (!variable.startsWith('MOORING_') || foreignVariables.test(variable)) continue;
    // Shells use an empty variable as "not set".
    if (variable === 'MOORING_DATA_DIR' || raw === undefined || raw === '') continue;
    readSetting(names.get(variable) ?? variable, raw, variable, variableName, values, errors);
  }
}

function readFileSettings(
  file: string,
  read: (file: string) => string | null,
  values: Map<SettingName, unknown>,
  errors: ConfigError[],
): void {
  const text = read(file);
  if (text === null) return;
  const parsed = parseRecord(text);
  if (parsed === null) {
    errors.push({
      setting: file,
      message: 'the file is not a JSON object',
      remedy: 'Correct the file or remove it.',
    });
    return;
  }
  const inFile = (name: string) => `${name} in ${file}`;
  for (const [name, raw] of Object.entries(parsed)) {
    if (name === 'dataDir') {
      const remedy = 'Use --data-dir or MOORING_DATA_DIR.';
      errors.push({
        setting: inFile(name),
        message: 'the configuration file is already in the data directory',
        remedy,
      });
    } else readSetting(name, raw, inFile(name), (known) => known, values, errors);
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // ENOTDIR: creating the data directory reports the file in its place.
    if (isMissing(error) || (error instanceof Error && 'code' in error && error.code === 'ENOTDIR'))
      return null;
    throw error;
  }
}

/** Reads one value into the map, or records an error. `spell` writes a known name in the form of this source. */
function readSetting(
  name: string,
  raw: unknown,
  setting: string,
  spell: (name: string) => string,
  values: Map<SettingName, unknown>,
  errors: ConfigError[],
): void {
  const known = settingNames.find((setting) => setting === name);
  if (known === undefined) {
    const remedy = `Did you mean ${spell(nearestName(name))}?`;
    errors.push({ setting, message: 'unknown setting', remedy });
    return;
  }
  const reading = settings[known].read(raw);
  if (reading.ok) values.set(known, reading.value);
  else errors.push({ setting, message: `${shown(raw)} is not valid`, remedy: `Use ${reading.expected}.` });
}

/** The value, shortened to one line. */
function shown(raw: unknown): string {
  const text = JSON.stringify(raw) ?? String(raw);
  return text.length <= 80 ? text : `${text.slice(0, 80)}...`;
}

// ---- names

/** The name of the command-line flag. */
export function flagName(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The name of the environment variable. */
export function variableName(name: string): string {
  return `MOORING_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** The known name with the smallest edit distance, ignoring case and separators. */
function nearestName(unknown: string): string {
  const plain = (name: string) =>
    name
      .replace(/^MOORING_/, '')
      .replaceAll(/[-_]/g, '')
      .toLowerCase();
  const distances = [...settingNames, 'dataDir'].map((name) => ({
    name,
    edits: editDistance(plain(name), plain(unknown)),
  }));
  distances.sort((left, right) => left.edits - right.edits);
  const [nearest] = distances;
  if (nearest === undefined) throw new Error('there are no settings');
  return nearest.name;
}

/** Levenshtein distance. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 0; i < left.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < right.length; j += 1) {
      const replaced = (row[j] ?? 0) + (left[i] === right[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
