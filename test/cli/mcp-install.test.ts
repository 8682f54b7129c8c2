// `mooring mcp install`: prints or writes the configuration of a client, and keeps what is in the file.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

const program = path.resolve(import.meta.dirname, '../../server/cli.ts');

function install(folder: string, ...args: readonly string[]): string {
  return execFileSync(process.execPath, [program, 'mcp', 'install', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: '', CODEX_HOME: folder },
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
