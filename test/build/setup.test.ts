// setup.mjs in a small checkout of its own, with stand-ins for npm and vite that leave behind what the real ones do.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

const agentBuild = 'build/vite.command.ts';
const uiBuild = 'build/vite.renderer.ts';

const lockfile = {
  packages: {
    '': {},
    'node_modules/one': { version: '1.0.0' },
    'node_modules/elsewhere': { version: '1.0.0', optional: true },
  },
};
const installed = { packages: { 'node_modules/one': { version: '1.0.0' } } };

const npm = `
const fs = require('node:fs');
fs.appendFileSync('calls.log', 'npm ' + process.argv[2] + '\\n');
if (fs.existsSync('offline')) { console.error('npm error network'); process.exit(1); }
fs.mkdirSync('node_modules/node/bin', { recursive: true });
fs.mkdirSync('node_modules/vite/bin', { recursive: true });
fs.writeFileSync('node_modules/.package-lock.json', ${JSON.stringify(JSON.stringify(installed))});
fs.symlinkSync(${JSON.stringify(process.execPath)}, 'node_modules/node/bin/node');
fs.writeFileSync('node_modules/vite/bin/vite.js', \`
const fs = require('node:fs');
const config = process.argv[process.argv.indexOf('--config') + 1];
fs.appendFileSync('calls.log', config + '\\\\n');
const isAgent = config.endsWith('command.ts');
const folder = isAgent ? process.argv[process.argv.indexOf('--outDir') + 1] : 'dist/renderer';
fs.mkdirSync(folder, { recursive: true });
fs.writeFileSync(folder + (isAgent ? '/cli.mjs' : '/index.html'), '');
\`);
`;

function checkout() {
  const folder = tempFolder('mooring-setup');
  mkdirSync(path.join(folder, 'build'));
  mkdirSync(path.join(folder, 'renderer'));
  mkdirSync(path.join(folder, 'server'));
  for (const file of ['setup.mjs', 'command.mjs', 'hashed-build.mjs'])
    copyFileSync(path.join(root, 'build', file), path.join(folder, 'build', file));
  const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text);
  write('package-lock.json', JSON.stringify(lockfile));
  write('renderer/main.tsx', 'page');
  write('server/cli.ts', 'program');
  write('npm.cjs', npm);
  write('calls.log', '');
  return {
    write,
    folder,
    remove: (file: string) => rmSync(path.join(folder, file), { recursive: true }),
    /** Runs the set-up; says how it ended and which tools it called. */
    setUp: () => {
      write('calls.log', '');
      const ran = spawnSync(process.execPath, ['build/setup.mjs'], {
        cwd: folder,
        env: { ...process.env, npm_execpath: path.join(folder, 'npm.cjs') },
        encoding: 'utf8',
      });
      const calls = readFileSync(path.join(folder, 'calls.log'), 'utf8').split('\n').filter(Boolean);
      return { code: ran.status, calls, said: ran.stderr };
    },
  };
}

describe.skipIf(process.platform === 'win32')('the set-up', () => {
  it('installs and builds in a fresh clone, and does nothing the second time', () => {
    const { setUp } = checkout();
    expect(setUp()).toMatchObject({ code: 0, calls: ['npm ci', agentBuild, uiBuild] });
    expect(setUp()).toEqual({ code: 0, calls: [], said: '' });
  });

  it('installs again when the lockfile asks for other versions', () => {
    const { setUp, write, remove } = checkout();
    setUp();
    remove('node_modules/node');
    write('package-lock.json', JSON.stringify(lockfile).replace('1.0.0', '1.0.1'));
    expect(setUp().calls[0]).toBe('npm ci');
  });

  it('does not repeat an install that was done by hand', () => {
    const { setUp, folder } = checkout();
    spawnSync(process.execPath, ['npm.cjs', 'ci'], { cwd: folder });
    expect(setUp().calls).toEqual([agentBuild, uiBuild]);
  });

  it('builds the UI again when a source of it has changed', () => {
    const { setUp, folder } = checkout();
    setUp();
    appendFileSync(path.join(folder, 'renderer/main.tsx'), ' changed');
    expect(setUp().calls).toEqual([uiBuild]);
  });

  it('builds the agent again when a source of it has changed, and leaves its last builds to agents that run', () => {
    const { setUp, folder } = checkout();
    const entry = () => readFileSync(path.join(folder, 'dist/mooring.mjs'), 'utf8');
    const builds = () => readdirSync(path.join(folder, 'dist')).filter((name) => name.startsWith('command-'));
    setUp();
    const first = entry();
    for (let change = 1; change <= 4; change += 1) {
      appendFileSync(path.join(folder, 'server/cli.ts'), ' changed');
      expect(setUp().calls).toEqual([agentBuild]);
      expect(builds()).toHaveLength(Math.min(change + 1, 4));
    }
    expect(entry()).not.toBe(first);
    expect(builds().some((name) => entry().includes(name))).toBe(true);
  });

  it('says what failed and what to do when npm cannot reach its registry, and starts over next time', () => {
    const { setUp, write, remove, folder } = checkout();
    write('offline', '');
    const failed = setUp();
    expect(failed.code).toBe(1);
    expect(failed.said).toContain('"npm ci" failed (exit code 1)');
    expect(failed.said).toContain('connect (or set a proxy) and try again');
    expect(existsSync(path.join(folder, 'dist'))).toBe(false);
    remove('offline');
    expect(setUp().code).toBe(0);
  });

  it('says so when the Node that it installed cannot be used', () => {
    const { setUp, remove } = checkout();
    setUp();
    remove('node_modules/node');
    const failed = setUp();
    expect(failed.code).toBe(1);
    expect(failed.said).toContain('npm ci --ignore-scripts=false');
  });
});
