// Reading the log files while the agent writes them: whole lines once each, over a turn of the files.
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LogReader } from '../../../server/cli/shared/log-entries.ts';
import { LogFile, logFiles } from '../../../server/platform/observe/log-file.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('reads each line once, also when the files turn over while it follows', () => {
  const dataDir = tempFolder('mooring-data');
  const file = new LogFile(dataDir, 200);
  const reader = new LogReader(logFiles(dataDir));
  const seen: unknown[] = reader.readAll().map(({ fields }) => fields.n);
  expect(reader.found).toBe(false);
  for (let n = 0; n < 40; n += 1) {
    file.write(`${JSON.stringify({ level: 'info', n })}\n`);
    if (n % 3 === 0) seen.push(...reader.readNew().map(({ fields }) => fields.n));
  }
  seen.push(...reader.readNew().map(({ fields }) => fields.n));
  expect(seen).toEqual(Array.from({ length: 40 }, (_, n) => n));
  file.close();
  reader.close();
  const { current, older } = logFiles(dataDir);
  expect(statSync(older).size).toBeLessThan(300);
  expect(statSync(current).size).toBeLessThan(300);
  expect(readFileSync(older, 'utf8')).toContain('\n');
});

it('waits for the end of a line', () => {
  const dataDir = tempFolder('mooring-data');
  new LogFile(dataDir).write('{"n":1}\n');
  const reader = new LogReader(logFiles(dataDir));
  expect(reader.readAll()).toHaveLength(1);
  appendFileSync(logFiles(dataDir).current, '{"n"');
  expect(reader.readNew()).toEqual([]);
  appendFileSync(logFiles(dataDir).current, ':2}\n');
  expect(reader.readNew().map(({ fields }) => fields)).toEqual([{ n: 2 }]);
  reader.close();
});

it('drops lines that cannot be written', () => {
  const file = new LogFile('/dev/null/nowhere');
  expect(() => file.write('{}\n')).not.toThrow();
});
