// The bundle of the agent and its commands: `dist/mooring.mjs` starts the newest one. Each build has a folder of its own, named after its
// sources, so that an agent that runs keeps its files while a newer one is built. Plain JavaScript: setup.mjs uses it.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceHash } from './hashed-build.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const dist = path.join(root, 'dist');
/** What `npm run mooring`, `npm start` and the tests run. */
export const commandFile = path.join(dist, 'mooring.mjs');
const sources = [
  'server',
  'sdk',
  'build/vite.command.ts',
  'build/ascii-chunks.ts',
  'build/worker-files.ts',
  'package-lock.json',
];
const folderPrefix = 'command-';
/** Builds that are kept: older agents may still run from them. */
const buildsMax = 4;

/**
 * Builds it unless it is there.
 * @param {string} node the Node that runs the build
 * @param {(text: string) => void} say
 * @returns {string | null} what went wrong
 */
export function buildCommand(node, say) {
  const name = `${folderPrefix}${sourceHash(sources).slice(0, 16)}`;
  const entry = `// The newest build of the agent and its commands; build/command.mjs writes this file.\nawait import('./${name}/cli.mjs');\n`;
  if (existsSync(path.join(dist, name)) && readIfThere(commandFile) === entry) return null;
  if (!existsSync(path.join(dist, name))) {
    say('building the agent');
    const startedAt = Date.now();
    const failure = buildInto(node, name);
    if (failure !== null) return failure;
    say(`agent built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  }
  replaceFile(commandFile, entry);
  removeOldBuilds(name);
  return null;
}

/** @param {string} node @param {string} name @returns {string | null} */
function buildInto(node, name) {
  // Two may build at the same time: each has its own folder, and the first to finish gives it the name.
  const unfinished = path.join(dist, `unfinished-${name}-${process.pid}`);
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const args = [
    vite,
    'build',
    '--config',
    'build/vite.command.ts',
    '--logLevel',
    'warn',
    '--outDir',
    unfinished,
  ];
  const result = spawnSync(node, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    return result.signal ?? `exit code ${result.status}`;
  }
  try {
    renameSync(unfinished, path.join(dist, name));
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(path.join(dist, name))) throw error;
  }
  return null;
}

/** @param {string} file @param {string} text */
function replaceFile(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

/** @param {string} newest */
function removeOldBuilds(newest) {
  const others = readdirSync(dist)
    .filter((name) => name.startsWith(folderPrefix) && name !== newest)
    .map((name) => ({ name, builtAt: statSync(path.join(dist, name)).mtimeMs }))
    .sort((a, b) => b.builtAt - a.builtAt);
  for (const { name } of others.slice(buildsMax - 1)) {
    rmSync(path.join(dist, name), { recursive: true, force: true });
  }
}

/** @param {string} file */
function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
