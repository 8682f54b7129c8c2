// `mooring mcp install`: prints or writes the configuration of a client, and keeps what is in the file.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../support/program.ts';
import { tempFolder } from '../support/temp-folder.ts';

function install(folder: string, ...args: readonly string[]): string {
  return installWith(folder, {}, ...args);
}

function installWith(folder: string, env: Record<string, string>, ...args: readonly string[]): string {
  return execFileSync(process.execPath, [program, 'mcp', 'install', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: '', CODEX_HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const entry = { command: process.execPath, args: [program, 'mcp', '--workspace', 'notes', '--read-only'] };
const options = ['--workspace', 'notes', '--read-only'];

test.each([
  ['claude-code', '.mcp.json', { mcpServers: { mooring: entry } }],
  ['cursor', '.cursor/mcp.json', { mcpServers: { mooring: entry } }],
  ['vscode', '.vscode/mcp.json', { servers: { mooring: { type: 'stdio', ...entry } } }],
] as const)('%s: printed, and written beside other servers', (client, file, expected) => {
  const folder = tempFolder('mooring-install');
  expect(JSON.parse(install(folder, client, ...options))).toEqual(expected);
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  const [member] = Object.keys(expected);
  writeFileSync(target, JSON.stringify({ kept: 1, [member ?? '']: { other: { command: 'x' } } }));
  install(folder, client, ...options, '--write');
  install(folder, client, ...options, '--write');
  const written = JSON.parse(readFileSync(target, 'utf8'));
  expect(written).toMatchObject({ kept: 1, ...expected, [member ?? '']: { other: { command: 'x' } } });
  writeFileSync(target, '{ // a comment\n}');
  expect(() => install(folder, client, '--write')).toThrow(/cannot be parsed/);
  expect(readFileSync(target, 'utf8')).toBe('{ // a comment\n}');
});

test.each([
  ['claude-code', 'Claude Code', '.mcp.json'],
  ['codex', 'Codex', 'config.toml'],
  ['cursor', 'Cursor', '.cursor/mcp.json'],
  ['vscode', 'Visual Studio Code', '.vscode/mcp.json'],
] as const)('%s: the guide has its command and names the file that --write writes', (client, title, file) => {
  const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/agents.md'), 'utf8');
  const section = guide.split(`### ${title}\n`)[1]?.split('\n## ')[0]?.split('\n### ')[0] ?? '';
  expect(section).toContain(`\`${file}\``);
  expect(section).toContain(`mooring mcp install ${client} `);
  expect(section).toContain('To check: ');
  expect(guide).toContain(`\`mooring mcp install ${client} --workspace NAME --write\``);
  const folder = tempFolder('mooring-install');
  install(folder, client, ...options, '--write');
  expect(readFileSync(path.join(folder, file), 'utf8')).toContain('notes');
});

test('codex: all other content of the file is kept, byte by byte', () => {
  const folder = tempFolder('mooring-install');
  const target = path.join(folder, 'config.toml');
  const before = [
    '# mine\r\nmodel = "x"   # why',
    'notify = ["a", "b"]',
    '[mcp_servers.other]\ncommand = "y"\nenv = { A = "[mcp_servers.mooring]" }',
    '[mcp_servers.other.tools]\nlist = [\n  "one",\n]',
    "[profiles.\"a.b\"]\ntext = '''\nseveral\nlines'''",
    '[[array]]\nname = "☃"',
  ].join('\n\n');
  writeFileSync(target, before, { mode: 0o600 });
  chmodSync(target, 0o640);
  install(folder, 'codex', ...options, '--write');
  const after = readFileSync(target, 'utf8');
  expect(after.slice(0, before.length)).toBe(before);
  expect(after.slice(before.length)).toMatch(
    /^\n\n\[mcp_servers\.mooring\]\ncommand = "[^\n]*"\nargs = \[[^\n]*\]\n$/,
  );
  expect(statSync(target).mode & 0o777).toBe(0o640);
  expect(readdirSync(folder)).toEqual(['config.toml']);
});

test('codex: a table at the end of the file, once', () => {
  const folder = tempFolder('mooring-install');
  const target = path.join(folder, 'config.toml');
  writeFileSync(target, 'model = "x"\n');
  install(folder, 'codex', ...options, '--write');
  const text = readFileSync(target, 'utf8');
  expect(text).toContain('model = "x"\n\n[mcp_servers.mooring]\ncommand = ');
  expect(text).toContain('"--workspace", "notes", "--read-only"]');
  expect(() => install(folder, 'codex', '--write')).toThrow(/by hand/);
  writeFileSync(target, 'text = """open');
  expect(() => install(folder, 'codex', '--write')).toThrow(/cannot be parsed/);
  expect(readFileSync(target, 'utf8')).toBe('text = """open');
});

test.each([
  ['claude-code', '.mcp.json'],
  ['codex', 'config.toml'],
] as const)('%s: a file that is a link stays one, and its target is written', (client, name) => {
  const [folder, settings] = [tempFolder('mooring-install'), tempFolder('mooring-settings')];
  const target = path.join(settings, 'shared');
  writeFileSync(target, '');
  symlinkSync(target, path.join(folder, name));
  install(folder, client, ...options, '--write');
  expect(lstatSync(path.join(folder, name)).isSymbolicLink()).toBe(true);
  expect(readFileSync(target, 'utf8')).toContain('mooring');
  expect(readdirSync(settings)).toEqual(['shared']);
});

test('through `npm run mooring` it writes into the folder in which npm was called', () => {
  const [checkout, project] = [tempFolder('mooring-checkout'), tempFolder('mooring-project')];
  const called = { INIT_CWD: project, npm_lifecycle_event: 'mooring' };
  installWith(checkout, called, 'claude-code', ...options, '--write');
  expect([readdirSync(checkout), readdirSync(project)]).toEqual([[], ['.mcp.json']]);
  // Below another script, such as `npm test`, the folder is its own.
  installWith(checkout, { ...called, npm_lifecycle_event: 'test' }, 'claude-code', ...options, '--write');
  expect(readdirSync(checkout)).toEqual(['.mcp.json']);
});
