// The agent's configuration: settings from flags, `MOORING_*` and `<data-dir>/config.json`, in this order of precedence. Nothing
// else in the agent reads the environment. What is wrong is named, never guessed around.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { dataPaths, resolveDataDir, type Surroundings, systemSurroundings } from '../files/paths.ts';
import { isMissing } from '../files/private-files.ts';
import type { LogLevel } from '../observe/logger.ts';
import { isLoopback, type SettingName, type SettingValue, settingNames, settings } from './settings.ts';

export interface AgentConfig {
  readonly dataDir: string;
  readonly listenHost: string;
  /** 0 = any free port. */
  readonly listenPort: number;
  /** true: when the port is taken, the next free one is used (only `mooring start`). */
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
  /** Envelopes that may wait, over all workspaces. */
  readonly envelopeQueueSize: number;
  /** Largest content of a delivery, decoded. */
  readonly envelopeContentBytes: number;
  readonly writebackAttempts: number;
  /** Larger files stay where they are, in the folder or in the workspace. */
  readonly mirrorFileBytes: number;
  readonly metrics: 'open' | 'token';
  readonly logLevel: LogLevel;
  /** History: kept at least this long and at least this many revisions of a path. */
  readonly historyDays: number;
  readonly historyRevisionsMin: number;
  /** More than this of what stands nowhere any more is not kept: the oldest goes first, whatever the two above say. */
  readonly historyBytes: number;
}

export interface ConfigSources {
  /** By setting name, as commander gives them (`dataDir`, `maxBodyBytes`, `ui: false`); undefined = not given. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Default: the process's. */
  readonly surroundings?: Surroundings;
  /** Text of a configuration file, null when there is none. Default: reads it. */
  readonly readConfigFile?: (file: string) => string | null;
  readonly portFallback?: boolean;
}

export interface ConfigError {
  /** As the user wrote it: `--max-body-bytes`, `MOORING_MAX_BODY_BYTES`, `maxBodyBytes in /.../config.json`. */
  readonly setting: string;
  readonly message: string;
  readonly remedy: string;
}

export type LoadedConfig =
  | { readonly ok: true; readonly config: AgentConfig }
  | { readonly ok: false; readonly errors: readonly ConfigError[] };

export function loadConfig(sources: ConfigSources): LoadedConfig {
  const surroundings = sources.surroundings ?? systemSurroundings();
  const errors: ConfigError[] = [];
  const dataDir = readDataDir(sources.flags.dataDir, surroundings, errors);
  const { configFile } = dataPaths(dataDir);
  const values = new Map<SettingName, unknown>();
  // From the weakest to the strongest: a later one replaces an earlier one, and every one is checked.
  readFileSettings(configFile, sources.readConfigFile ?? readText, values, errors);
  readVariables(surroundings.env, values, errors);
  readFlags(sources.flags, values, errors);
  const config = assemble(dataDir, sources.portFallback ?? false, values);
  if (!isLoopback(config.listenHost) && !config.allowRemote) {
    errors.push({
      setting: '--listen',
      message: `${config.listenHost} can be reached by other machines`,
      remedy: 'Add --allow-remote if that is meant, or listen on 127.0.0.1.',
    });
  }
  return errors.length === 0 ? { ok: true, config } : { ok: false, errors };
}

/** For a terminal: one line for each error. */
export function describeConfigErrors(errors: readonly ConfigError[]): string {
  return errors.map(({ setting, message, remedy }) => `${setting}: ${message}. ${remedy}`).join('\n');
}

function assemble(
  dataDir: string,
  portFallback: boolean,
  values: ReadonlyMap<SettingName, unknown>,
): AgentConfig {
  // The map holds under each name only what that setting's reader made.
  const value = <K extends SettingName>(name: K): SettingValue<K> =>
    (values.has(name) ? values.get(name) : settings[name].fallback) as SettingValue<K>;
  const listen = value('listen');
  return {
    dataDir,
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

/** Not the home directory or a root: the agent takes its data directory from everybody else. */
function readDataDir(flag: unknown, surroundings: Surroundings, errors: ConfigError[]): string {
  const dataDir = resolveDataDir(typeof flag === 'string' ? flag : undefined, surroundings);
  const setting = typeof flag === 'string' ? '--data-dir' : 'MOORING_DATA_DIR';
  if (dataDir === path.resolve(surroundings.homeDir) || dataDir === path.parse(dataDir).root) {
    const message = `${dataDir} cannot be a data directory`;
    errors.push({ setting, message, remedy: 'Name a directory of its own, such as ~/.local/share/mooring.' });
  } else if (flag !== undefined && (typeof flag !== 'string' || flag === '')) {
    errors.push({ setting: '--data-dir', message: 'it names no directory', remedy: 'Name a directory.' });
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
    readOne(name, raw, flagName(name), flagName, values, errors);
  }
}

/** Variables of the tests and benches of Mooring itself. */
const foreignVariables = /^MOORING_(TEST|BENCH|PART)_/;

function readVariables(
  env: Surroundings['env'],
  values: Map<SettingName, unknown>,
  errors: ConfigError[],
): void {
  const names = new Map<string, SettingName>(settingNames.map((name) => [variableName(name), name]));
  for (const [variable, raw] of Object.entries(env)) {
    if (!variable.startsWith('MOORING_') || foreignVariables.test(variable)) continue;
    // An empty variable is how a shell says "not set".
    if (variable === 'MOORING_DATA_DIR' || raw === undefined || raw === '') continue;
    readOne(names.get(variable) ?? variable, raw, variable, variableName, values, errors);
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
  const parsed = parseObject(text);
  if (parsed === null) {
    errors.push({
      setting: file,
      message: 'it is not a JSON object',
      remedy: 'Correct the file or remove it.',
    });
    return;
  }
  const inFile = (name: string) => `${name} in ${file}`;
  for (const [name, raw] of Object.entries(parsed)) {
    if (name === 'dataDir') {
      const remedy = 'Use --data-dir or MOORING_DATA_DIR.';
      errors.push({ setting: inFile(name), message: 'the file already lies in the data directory', remedy });
    } else readOne(name, raw, inFile(name), (known) => known, values, errors);
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // ENOTDIR: whoever makes the data directory says what stands in its place.
    if (isMissing(error) || (error instanceof Error && 'code' in error && error.code === 'ENOTDIR'))
      return null;
    throw error;
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}

/** Reads one value into the map, or says what is wrong with it. `spell` writes a known name as this source does. */
function readOne(
  name: string,
  raw: unknown,
  setting: string,
  spell: (name: string) => string,
  values: Map<SettingName, unknown>,
  errors: ConfigError[],
): void {
  const known = settingNames.find((one) => one === name);
  if (known === undefined) {
    const remedy = `Did you mean ${spell(nearestName(name))}?`;
    errors.push({ setting, message: 'there is no such setting', remedy });
    return;
  }
  const reading = settings[known].read(raw);
  if (reading.ok) values.set(known, reading.value);
  else
    errors.push({ setting, message: `${shown(raw)} is not valid`, remedy: `It takes ${reading.expected}.` });
}

/** What was given, short enough for a line. */
function shown(raw: unknown): string {
  const text = JSON.stringify(raw) ?? String(raw);
  return text.length <= 80 ? text : `${text.slice(0, 80)}...`;
}

// ---- names

/** As it is written on the command line. */
export function flagName(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** As the environment has it. */
export function variableName(name: string): string {
  return `MOORING_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** The known name that is fewest edits away, however it is spelled. */
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

/** Levenshtein's distance; names are short. */
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
