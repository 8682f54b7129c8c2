// The bundle of the agent and its commands: `dist/mooring.mjs` starts the newest one. Each build has a folder of its own, named after its
// sources, so that an agent that runs keeps its files while a newer one is built. Plain JavaScript: setup.mjs uses it.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildName, buildOnce, dist } from './hashed-build.mjs';

/** What `npm run mooring`, `npm start` and the tests run. */
export const commandFile = path.join(dist, 'mooring.mjs');
const kind = {
  title: 'the agent',
  prefix: 'command-',
  config: 'build/vite.command.ts',
  sources: ['server', 'sdk', 'build/ascii-chunks.ts', 'build/worker-files.ts', 'package-lock.json'],
};

/**
 * Builds it unless it is there.
 * @param {string} node the Node that runs the build
 * @param {(text: string) => void} say
 * @returns {string | null} what went wrong
 */
export function buildCommand(node, say) {
  const name = buildName(kind);
  const entry = `// The newest build of the agent and its commands; build/command.mjs writes this file.\nawait import('./${name}/cli.mjs');\n`;
  if (existsSync(path.join(dist, name)) && readIfThere(commandFile) === entry) return null;
  const failure = buildOnce(node, kind, say);
  if (failure !== null) return failure;
  replaceFile(commandFile, entry);
  return null;
}

/** @param {string} file @param {string} text */
function replaceFile(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

/** @param {string} file */
function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
