// Changes `config.json` while the agent runs. The agent reads the file at its start only. Keys that are not changed stay as they are,
// unknown ones too. A change is refused if the file is invalid or is no longer the one that the caller has seen.
import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import type { AgentSetting, AgentSettings, AgentSettingsBody } from '../../contract/agent.ts';
import { isMissing, replacePrivateFile } from '../files/private-files.ts';
import { parseRecord } from '../json/json.ts';
import type { AgentConfig } from './config.ts';
import { type SettingName, settingNames, settings } from './settings.ts';
import { isEditable, settingsReport } from './settings-report.ts';

/** A change of `config.json` that is refused; the file is unchanged. `isValue`: a value of the caller is the reason. */
export class ConfigChangeError extends Error {
  override readonly name = 'ConfigChangeError';
  readonly isValue: boolean;

  constructor(message: string, isValue: boolean) {
    super(message);
    this.isValue = isValue;
  }
}

interface ReadFile {
  readonly version: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly problem: string | null;
}

export class ConfigFile {
  readonly #config: AgentConfig;
  readonly #file: string;
  /** Changes follow one another: each compares the version and writes before the next one reads. */
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(config: AgentConfig, file: string) {
    this.#config = config;
    this.#file = file;
  }

  /** The settings in use, and those of the next start. */
  async report(): Promise<AgentSettings> {
    const read = await this.#read();
    return {
      configFile: this.#file,
      version: read.version,
      ...(read.problem === null ? {} : { problem: read.problem }),
      settings: settingsReport(this.#config).map((setting) => withNext(setting, read)),
    };
  }

  /** Throws `ConfigChangeError`. */
  async change(body: AgentSettingsBody): Promise<AgentSettings> {
    const change = this.#lastChange.then(() => this.#change(body));
    this.#lastChange = change.catch(() => undefined);
    return await change;
  }

  async #change({ version, settings: changes }: AgentSettingsBody): Promise<AgentSettings> {
    const read = await this.#read();
    if (read.problem !== null)
      throw new ConfigChangeError(`${read.problem}. Correct ${this.#file}; nothing was changed.`, false);
    if (read.version !== version)
      throw new ConfigChangeError(
        `${this.#file} was changed meanwhile. Read the settings again; nothing was changed.`,
        false,
      );
    const next: Record<string, unknown> = { ...read.values };
    for (const [name, raw] of Object.entries(changes)) {
      if (raw === null && isKnownEditable(name)) delete next[name];
      else next[name] = checkedValue(name, raw);
    }
    await replacePrivateFile(await this.#target(), `${JSON.stringify(next, null, 2)}\n`);
    return await this.report();
  }

  async #read(): Promise<ReadFile> {
    const text = await readFile(this.#file, 'utf8').catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (text === null) return { version: 'none', values: {}, problem: null };
    const version = createHash('sha256').update(text).digest('hex');
    const values = parseRecord(text);
    if (values === null)
      return { version, values: {}, problem: 'The configuration file is not a JSON object' };
    return { version, values, problem: problemOf(values) };
  }

  /** A symbolic link stays one: the file that it names is replaced. */
  async #target(): Promise<string> {
    return await realpath(this.#file).catch((error: unknown) => {
      if (isMissing(error)) return this.#file;
      throw error;
    });
  }
}

/** Throws for a setting that the API does not change. */
function isKnownEditable(name: string): name is SettingName {
  if (isEditable(name)) return true;
  if (settingNames.some((known) => known === name)) {
    const reason = 'decides who reaches the agent or what it serves';
    throw new ConfigChangeError(`${name} ${reason}: change it in config.json or with its flag`, true);
  }
  throw new ConfigChangeError(`${name} is not a setting`, true);
}

/** As `config.json` has it: a number or text. */
function checkedValue(name: string, raw: unknown): unknown {
  if (!isKnownEditable(name)) return undefined;
  const reading = settings[name].read(raw);
  if (reading.ok) return reading.value;
  throw new ConfigChangeError(`${name}: ${JSON.stringify(raw)} is not valid. Use ${reading.expected}.`, true);
}

/** Why the next start would refuse a known setting. An unknown one may be of another version, and is no reason to refuse a change. */
function problemOf(values: Readonly<Record<string, unknown>>): string | null {
  for (const name of settingNames) {
    if (!Object.hasOwn(values, name)) continue;
    const reading = settings[name].read(values[name]);
    if (!reading.ok) return `${name} in the configuration file is not valid: use ${reading.expected}`;
  }
  return null;
}

function withNext(setting: AgentSetting, { values, problem }: ReadFile): AgentSetting {
  const { name, source } = setting;
  if (problem !== null || source === 'flag' || source === 'variable' || !isEditable(name)) return setting;
  const reading = Object.hasOwn(values, name) ? settings[name].read(values[name]) : null;
  const next = reading?.ok === true ? (reading.value as AgentSetting['value']) : setting.default;
  return next === setting.value ? setting : { ...setting, nextValue: next };
}
