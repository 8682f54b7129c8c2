// The MCPB bundle as a host application uses it: unpacked, started with its settings, and asked by the official client on stdio.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getMcpConfigForManifest, unpackExtension, validateManifest } from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { tools } from '../../server/mcp/tools/all.ts';
import { call, refusal } from '../mcp/mcp-client.ts';
import { startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { program } from '../support/program.ts';
import { makeTempFolder, tempFolder } from '../support/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = makeTempFolder('mooring-mcpb');
const unpacked = path.join(folder, 'unpacked');

beforeAll(async () => {
  const bundle = path.join(folder, 'mooring.mcpb');
  execFileSync(process.execPath, [path.join(root, 'build/mcpb.ts'), bundle], { cwd: root });
  expect(await unpackExtension({ mcpbPath: bundle, outputDir: unpacked, silent: true })).toBe(true);
  return () => rmSync(folder, { recursive: true, force: true });
});

type Settings = Record<string, string | boolean>;

/** What the host would start, as the package of the format computes it. */
async function startedBy(extension: string, userConfig: Settings) {
  const manifest = JSON.parse(readFileSync(path.join(extension, 'manifest.json'), 'utf8'));
  const config = await getMcpConfigForManifest({
    manifest,
    extensionPath: extension,
    systemDirs: {},
    userConfig,
    pathSeparator: path.sep,
  });
  if (config === undefined) throw new Error('the manifest starts nothing');
  return { args: config.args ?? [], env: config.env ?? {} };
}

async function connect(settings: Settings, env: Record<string, string>, extension = unpacked) {
  const started = await startedBy(extension, settings);
  const client = new Client({ name: 'claude-ai', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...started.args],
    env: { PATH: '', HOME: folder, ...env, ...started.env },
    stderr: 'ignore',
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport };
}

test('the manifest is valid and names the tools', () => {
  expect(validateManifest(path.join(unpacked, 'manifest.json'))).toBe(true);
  const manifest = JSON.parse(readFileSync(path.join(unpacked, 'manifest.json'), 'utf8'));
  expect(manifest.tools.map(({ name }: { name: string }) => name)).toEqual(
    tools.map(({ spec }) => spec.name),
  );
  expect(Object.keys(manifest.user_config).sort()).toEqual(['path', 'program', 'read_only', 'workspace']);
});

test('with the settings of a user it works in the workspace, within the path, and ends with its host', async () => {
  const agent = await startAgent();
  const { client: api, workspaceId } = await freshWorkspace(agent);
  await api.writeFile(workspaceId, '/secret.txt', 'hidden');
  const settings = { workspace: workspaceId, path: '/docs/**' };
  const { client, transport } = await connect(settings, { MOORING_DATA_DIR: agent.dataDir });
  await call(client, 'write_file', { path: '/docs/a.md', content: 'x' });
  expect((await call(client, 'list_files')).entries).toMatchObject([{ path: '/docs/a.md' }]);
  expect((await refusal(client, 'read_file', { path: '/secret.txt' })).code).toBe('forbidden');
  const [entry] = (await api.history.page(workspaceId, '/docs/a.md')).entries;
  expect(entry?.actor).toMatchObject({ name: 'claude-ai', client: 'claude-ai' });
  const { pid } = transport;
  await client.close();
  expect(pid !== null && existsSync(`/proc/${pid}`)).toBe(false);
});

test('read only offers no writing tool', async () => {
  const agent = await startAgent();
  await freshWorkspace(agent);
  const { client } = await connect({ read_only: true }, { MOORING_DATA_DIR: agent.dataDir });
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('write_file');
  expect((await call(client, 'status')).readOnly).toBe(true);
});

test('elsewhere than in its checkout it uses the chosen or the installed program, and ends where there is none', async () => {
  const agent = await startAgent();
  await freshWorkspace(agent);
  const extension = tempFolder('mooring-mcpb');
  cpSync(unpacked, extension, { recursive: true });
  rmSync(path.join(extension, 'server/checkout.json'));
  const env = { MOORING_DATA_DIR: agent.dataDir };
  const chosen = await connect({ program }, env, extension);
  expect((await call(chosen.client, 'list_files')).entries).toEqual([]);
  const bin = tempFolder('mooring-bin');
  writeFileSync(path.join(bin, 'mooring'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(path.join(bin, 'mooring'), 0o755);
  const installed = await connect({}, { ...env, PATH: bin }, extension);
  expect((await call(installed.client, 'list_files')).entries).toEqual([]);
  await expect(connect({ program: path.join(bin, 'none') }, env, extension)).rejects.toThrow();
});
