// The container file and the compose file of a hub: what they pass to the program exists, and so does what they copy and wait for. They are
// not run here: there is no container engine.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { mooring } from '../support/agent-process.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(path.join(root, 'build/hub', name), 'utf8');

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly volumes?: readonly string[];
}

const compose = parse(read('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};

async function expectOptions(command: readonly string[]): Promise<void> {
  expect(command[0]).toBe('serve');
  const { stdout } = await mooring(['serve', '--help']);
  const options = command.filter((part) => part.startsWith('--'));
  expect(options.length).toBeGreaterThan(1);
  for (const option of options) expect(stdout).toContain(`${option} `);
}

it('the processes of the compose file get options and settings that the program has', async () => {
  const processes = Object.values(compose.services).filter(({ command }) => command !== undefined);
  expect(processes).toHaveLength(2);
  for (const { command = [], environment = {}, build } of processes) {
    await expectOptions(command);
    expect(Object.keys(environment)).toEqual(['MOORING_DATABASE', 'MOORING_MASTER_KEY_FILE']);
    expect(existsSync(path.join(root, build?.dockerfile ?? ''))).toBe(true);
    expect(path.resolve(root, 'build/hub', build?.context ?? '')).toBe(root);
  }
});

it('each service waits for services, and uses volumes, that the compose file has', () => {
  for (const { depends_on: waitsFor = [], volumes = [] } of Object.values(compose.services)) {
    const names = Array.isArray(waitsFor) ? waitsFor : Object.keys(waitsFor);
    for (const name of names) expect(compose.services).toHaveProperty([name as string]);
    for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
  }
});

it('the container file copies what exists, and starts the program with options that it has', async () => {
  const text = read('Containerfile');
  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(text) ?? [];
  await expectOptions(JSON.parse(command) as readonly string[]);
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'build/setup.mjs']) {
    expect(text).toContain(name);
    expect(existsSync(path.join(root, name))).toBe(true);
  }
});
