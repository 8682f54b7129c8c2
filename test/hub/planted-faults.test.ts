// Two processes on one database obey the rules of a hub, and a fault that breaks a rule is caught by the check of that rule: without
// that, the checks prove nothing.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import { noPostgres } from '../../build/postgres.ts';
import { hubDatabase } from '../support/hub-database.ts';
import { hubFaults, withFault } from '../support/hub-faults.ts';
import { scaled } from '../support/scale.ts';
import { tempFolder } from '../support/temp-folder.ts';

beforeEach(({ skip }) => skip(noPostgres !== null, noPostgres ?? ''));

const root = path.resolve(import.meta.dirname, '../..');
const faults = new URL('../support/hub-faults.ts', import.meta.url).href;
const rules = fileURLToPath(new URL('../support/hub-rules-process.ts', import.meta.url));
const run = promisify(execFile);

/** The rules that are broken, of all or of one. */
async function brokenRules(fault: string | null, ...only: readonly string[]): Promise<readonly string[]> {
  const database = await hubDatabase(tempFolder('mooring-faults'));
  const { stdout } = await run(process.execPath, ['--import', faults, rules, database, ...only], {
    cwd: root,
    timeout: 60_000,
    env: { ...process.env, ...(fault === null ? {} : { MOORING_TEST_FAULT: fault }) },
  });
  return stdout.split('\n').filter((line) => line !== '');
}

it('no rule is broken', async () => {
  expect(await brokenRules(null)).toEqual([]);
});

/** Each takes a process and a database: `npm test` has one, `npm run test:long` all. */
for (const fault of hubFaults.slice(0, scaled(1, hubFaults.length)))
  it(`"${fault.caughtBy}" catches: ${fault.name}`, async () => {
    const source = readFileSync(path.join(root, 'server', fault.file), 'utf8');
    expect(withFault(fault, source)).not.toBe(source);
    expect(await brokenRules(fault.name, fault.caughtBy)).toEqual([fault.caughtBy]);
  });
