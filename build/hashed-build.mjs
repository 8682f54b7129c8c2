// Builds that are repeated only when one of their sources has changed: each has a folder of its own in dist/, named after a hash over them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
export const dist = path.join(root, 'dist');
/** Builds of a kind that are kept: older processes may still run from them. */
const buildsMax = 4;

/**
 * What is built with Vite: its name for people, the start of its folders' names, the configuration, and the sources beside that file.
 * @typedef {{ title: string, prefix: string, config: string, sources: string[] }} BuildKind
 */

/** @param {BuildKind} kind @returns {string} the folder of the newest build, in dist/ */
export function buildName({ prefix, config, sources }) {
  return `${prefix}${sourceHash([...sources, config]).slice(0, 16)}`;
}

/**
 * Builds it unless it is there.
 * @param {string} node the Node that runs the build
 * @param {BuildKind} kind
 * @param {(text: string) => void} say
 * @returns {string | null} what went wrong
 */
export function buildOnce(node, kind, say) {
  const name = buildName(kind);
  if (existsSync(path.join(dist, name))) return null;
  say(`building ${kind.title}`);
  const startedAt = Date.now();
  const failure = buildInto(node, kind.config, name);
  if (failure !== null) return failure;
  say(`built ${kind.title} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  removeOldBuilds(kind.prefix, name);
  return null;
}

/** @param {string} node @param {string} config @param {string} name @returns {string | null} */
function buildInto(node, config, name) {
  // Two may build at the same time: each has its own folder, and the first to finish gives it the name.
  const unfinished = path.join(dist, `unfinished-${name}-${process.pid}`);
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--config', config, '--logLevel', 'warn', '--outDir', unfinished];
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

/** @param {string} prefix @param {string} newest */
function removeOldBuilds(prefix, newest) {
  const others = readdirSync(dist)
    .filter((name) => name.startsWith(prefix) && name !== newest)
    .map((name) => ({ name, builtAt: statSync(path.join(dist, name)).mtimeMs }))
    .sort((a, b) => b.builtAt - a.builtAt);
  for (const { name } of others.slice(buildsMax - 1)) {
    rmSync(path.join(dist, name), { recursive: true, force: true });
  }
}

/** @param {string[]} sources files and folders, relative to the root @returns {string} hexadecimal */
export function sourceHash(sources) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesBelow)) {
    const content = createHash('sha256')
      .update(readFileSync(path.join(root, file)))
      .digest('hex');
    hash.update(`${file}\0${content}\n`);
  }
  return hash.digest('hex');
}

/** @param {string} relative @returns {string[]} files below it, sorted, as paths relative to the root */
function filesBelow(relative) {
  const absolute = path.join(root, relative);
  if (!existsSync(absolute)) return [];
  if (!statSync(absolute).isDirectory()) return [relative];
  return readdirSync(absolute)
    .sort()
    .flatMap((name) => filesBelow(`${relative}/${name}`));
}
