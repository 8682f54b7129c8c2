// The version of this build, from its package.json.
import { readFileSync } from 'node:fs';
import { programFile } from './program-files.ts';

export const packageVersion: string = readVersion(programFile('package.json'));

function readVersion(packageFile: string | null): string {
  if (packageFile === null) throw new Error('The package.json of Mooring is missing. Install it again.');
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version?: unknown };
  if (typeof version !== 'string') throw new Error(`${packageFile} has no version`);
  return version;
}
