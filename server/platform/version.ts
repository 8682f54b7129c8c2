// The version of this build, from its package.json.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const packageFile = path.join(import.meta.dirname, '../../package.json');

export const packageVersion: string = readVersion(readFileSync(packageFile, 'utf8'));

function readVersion(text: string): string {
  const { version } = JSON.parse(text) as { version?: unknown };
  if (typeof version !== 'string') throw new Error(`${packageFile} has no version`);
  return version;
}
