// What a build was made from: a hash over its sources, so that it is repeated only when one of them has changed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

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
