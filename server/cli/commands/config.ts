// mooring config list|set|unset: the settings of the running agent, what set each, and changes of `config.json`.
import type { Command } from 'commander';
import type { AgentSetting, AgentSettings } from '../../../sdk/index.ts';
import { bytesText } from '../../platform/config/quantities.ts';
import { type CommonOptions, withJson } from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { usageError } from '../shared/failure.ts';
import { note, printJson, printTable } from '../shared/output.ts';
import { suggestionText } from '../shared/similar-words.ts';

export function registerConfig(program: Command): void {
  const config = program.command('config').description('list the settings of the agent and change them');
  withJson(config.command('list').description('list the settings with what set each')).action(list);
  withJson(
    config
      .command('set')
      .description('set a limit, retention or the log level in config.json')
      .argument('<NAME>', 'name from "config list", such as historyDays')
      .argument('<VALUE>', 'number, size or word'),
  ).action(set);
  withJson(
    config
      .command('unset')
      .description('remove a setting from config.json: the default holds')
      .argument('<NAME>', 'name from "config list"'),
  ).action(async (name: string, options: CommonOptions) => await set(name, null, options));
}

async function list(options: CommonOptions): Promise<void> {
  const { client } = await connect(options);
  const report = await client.agent.settings();
  if (options.json) return printJson(report);
  printTable(
    ['SETTING', 'VALUE', 'SET BY', 'AFTER RESTART'],
    report.settings.map((setting) => [
      setting.name,
      text(setting, setting.value),
      sourceOf(setting),
      setting.nextValue === undefined ? '' : text(setting, setting.nextValue),
    ]),
  );
  if (report.problem !== undefined) note(`${report.problem}. Correct ${report.configFile}.`);
}

async function set(name: string, value: string | null, options: CommonOptions): Promise<void> {
  const { client } = await connect(options);
  const { version, settings } = await client.agent.settings();
  const names = settings.map((setting) => setting.name);
  if (!names.includes(name))
    throw usageError(
      `${name} is not a setting.${suggestionText(name, names)}`,
      'List the settings with "mooring config list".',
    );
  const report = await client.agent.changeSettings({ version, settings: { [name]: value } });
  if (options.json) return printJson(report);
  note(`${value === null ? 'Removed' : 'Set'} ${name} in ${report.configFile}. ${effect(name, report)}`);
}

function effect(name: string, { settings }: AgentSettings): string {
  const setting = settings.find((each) => each.name === name);
  if (setting?.source === 'flag' || setting?.source === 'variable')
    return `No effect while ${sourceOf(setting)} sets it: that wins over the file.`;
  if (setting?.nextValue === undefined) return 'The agent uses this value.';
  return `${text(setting, setting.nextValue)} after a restart of the agent: it reads the file at its start.`;
}

function sourceOf({ source, flag, variable }: AgentSetting): string {
  if (source === 'flag') return flag;
  if (source === 'variable') return variable;
  return source === 'file' ? 'config.json' : 'default';
}

function text({ name }: AgentSetting, value: AgentSetting['value']): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  return typeof value === 'number' && name.endsWith('Bytes') ? bytesText(value) : String(value);
}
