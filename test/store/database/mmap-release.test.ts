import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { MmapRelease } from '../../../server/store/database/mmap-release.ts';
import { databaseFileName, openForReading, openForWriting } from '../../../server/store/database/sqlite.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const rows = 4_000;
const rowBytes = 4_000;

// Only Linux says which part of its memory a process has from which file.
it.runIf(process.platform === 'linux')(
  'pages that were read are given back, and read again when they are needed',
  () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const file = path.join(tempFolder(), databaseFileName);
    const writing = openForWriting(file);
    writing.exec('CREATE TABLE pages (id INTEGER PRIMARY KEY, bytes BLOB)');
    writing.transaction(() => {
      for (let row = 0; row < rows; row += 1)
        writing.run(`INSERT INTO pages (bytes) VALUES (zeroblob(${rowBytes}))`);
    });
    writing.close();
    const connection = openForReading(file);
    onTestFinished(() => void connection.close());
    const mapped = new MmapRelease(connection);
    const read = () => {
      const sum = connection.get('SELECT sum(length(bytes)) + sum(unicode(bytes) IS NULL) AS sum FROM pages');
      mapped.touched();
      return sum;
    };
    const all = read();
    expect(residentKiB(file)).toBeGreaterThan((rows * rowBytes) / 1024 / 2);
    vi.advanceTimersByTime(2_000);
    expect(residentKiB(file)).toBeGreaterThan((rows * rowBytes) / 1024 / 2);
    vi.advanceTimersByTime(1_000);
    expect(residentKiB(file)).toBe(0);
    expect(read()).toEqual(all);
    expect(residentKiB(file)).toBeGreaterThan((rows * rowBytes) / 1024 / 2);
  },
);

/** What this process has in memory of a file that is mapped. */
function residentKiB(file: string): number {
  let isOfFile = false;
  let sum = 0;
  for (const line of readFileSync('/proc/self/smaps', 'utf8').split('\n')) {
    if (/^[0-9a-f]+-[0-9a-f]+ /.test(line)) isOfFile = line.endsWith(file);
    else if (isOfFile && line.startsWith('Rss:')) sum += Number(/\d+/.exec(line)?.[0]);
  }
  return sum;
}
