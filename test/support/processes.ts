// The programs that tests start as processes of their own, to be started with `process.execPath`. The first test that needs one builds them.
import path from 'node:path';
import { type ProcessName, testProcesses } from '../../build/test-processes.ts';

let folder: string | null = null;

/** The absolute path of a bundle that is up to date. */
export function processFile(name: ProcessName): string {
  folder ??= testProcesses();
  return path.join(folder, `${name}.mjs`);
}
