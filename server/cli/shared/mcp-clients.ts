// The configuration files of MCP clients: what Mooring's entry is, and how it is added to a file without changing anything else.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { failure } from './failure.ts';

export const mcpClients = ['claude-code', 'codex', 'cursor', 'vscode'] as const;
export type McpClientName = (typeof mcpClients)[number];

export interface McpConfiguration {
  readonly file: string;
  /** The entry alone, as the file would have it. */
  readonly text: string;
  /** Member of the file that has the servers; null: TOML. */
  readonly member: 'mcpServers' | 'servers' | null;
  readonly entry: object;
}

/** `args`: the arguments of `mooring`. */
export function mcpConfiguration(client: McpClientName, args: readonly string[]): McpConfiguration {
  const [command, ...before] = programWords();
  const entry = { command, args: [...before, ...args] };
  switch (client) {
    case 'claude-code':
      return json(path.resolve('.mcp.json'), 'mcpServers', entry);
    case 'cursor':
      return json(path.resolve('.cursor/mcp.json'), 'mcpServers', entry);
    case 'vscode':
      return json(path.resolve('.vscode/mcp.json'), 'servers', { type: 'stdio', ...entry });
    case 'codex':
      return {
        file: path.join(process.env.CODEX_HOME ?? path.join(homedir(), '.codex'), 'config.toml'),
        text: toml(entry),
        member: null,
        entry,
      };
  }
}

/** `mooring` where it is installed, otherwise this program by its path. */
function programWords(): readonly string[] {
  const names = process.platform === 'win32' ? ['mooring.exe', 'mooring.cmd'] : ['mooring'];
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const isInstalled = folders.some((folder) => names.some((name) => existsSync(path.join(folder, name))));
  return isInstalled ? ['mooring'] : [process.execPath, path.resolve(process.argv[1] ?? '')];
}

function json(file: string, member: 'mcpServers' | 'servers', entry: object): McpConfiguration {
  return { file, text: JSON.stringify({ [member]: { mooring: entry } }, null, 2), member, entry };
}

/** Strings of JSON are strings of TOML. */
function toml({ command, args }: { readonly command: string | undefined; readonly args: readonly string[] }) {
  return `[mcp_servers.mooring]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`;
}

/** Adds or replaces the entry. Fails without a change when the file cannot be parsed. */
export function writeConfiguration(configuration: McpConfiguration): void {
  const { member } = configuration;
  // A link, as of a folder with the settings of several machines, stays one.
  const file = existsSync(configuration.file) ? realpathSync(configuration.file) : configuration.file;
  const before = existsSync(file) ? readFileSync(file, 'utf8') : null;
  const after = member === null ? tomlWith(configuration, before) : jsonWith(configuration, member, before);
  mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.mooring-tmp`;
  writeFileSync(temporary, after, { mode: before === null ? 0o600 : statSync(file).mode & 0o777 });
  renameSync(temporary, file);
}

function jsonWith({ file, entry }: McpConfiguration, member: string, before: string | null): string {
  const content = before === null || before.trim() === '' ? {} : parsedObject(file, before);
  const servers = content[member] ?? {};
  if (!isObject(servers)) throw notParsable(file, `"${member}" is not an object`);
  return `${JSON.stringify({ ...content, [member]: { ...servers, mooring: entry } }, null, 2)}\n`;
}

function parsedObject(file: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw notParsable(file, (error as Error).message);
  }
  if (!isObject(value)) throw notParsable(file, 'it is not an object');
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A table at the end changes no other one. */
function tomlWith({ file, text }: McpConfiguration, before: string | null): string {
  const content = before ?? '';
  if (
    /^\s*\[\s*mcp_servers\s*\.\s*"?mooring"?\s*[\].]/m.test(content) ||
    /^\s*mcp_servers\s*[.=]/m.test(content)
  )
    throw failure(`${file} has an entry for Mooring or an inline table of servers.`, 'Edit it by hand.');
  const isOpen = ['"""', "'''"].some((quotes) => content.split(quotes).length % 2 === 0);
  if (isOpen || content.includes('\0') || content.includes('\uFFFD'))
    throw notParsable(file, 'it is not valid TOML');
  const separator = content === '' ? '' : content.endsWith('\n') ? '\n' : '\n\n';
  return `${content}${separator}${text}\n`;
}

function notParsable(file: string, why: string) {
  return failure(`${file} cannot be parsed: ${why}.`, 'Nothing was changed. Add the printed entry by hand.');
}
