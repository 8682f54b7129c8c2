// `npm run bench [-- NAME ...] [--large]`: runs each *.bench.ts in a process of its own and prints its table; `--large` is for
// those that have a larger form. A bench measures; it never fails a test. Ratios are taken within one run on one machine;
// absolute figures only stand beside what the machine itself does.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const folder = import.meta.dirname;
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const flags = process.argv.slice(2).filter((word) => word.startsWith('--'));
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.bench.ts'))
  .filter((name) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)))
  .sort();

if (files.length === 0) {
  console.error(`no bench matches ${wanted.join(', ')}; there are: ${readdirSync(folder).join(', ')}`);
  process.exit(2);
}

let failed = 0;
for (const file of files) {
  console.log(`\n== ${file.replace('.bench.ts', '')}`);
  const run = spawnSync(process.execPath, [path.join(folder, file), ...flags], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (run.status !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
