import { appendFileSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logFiles } from '../../../server/platform/observe/log-file.ts';
import { type LogPosition, linesBackwards } from '../../../server/platform/observe/log-history.ts';
import { countLogMinutes, parseLogId, readLogSlice } from '../../../server/platform/observe/log-search.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function emptyLog() {
  const dataDir = tempFolder('mooring-log');
  const files = logFiles(dataDir);
  mkdirSync(path.dirname(files.current));
  return files;
}

async function textsOf(files: ReturnType<typeof logFiles>, before: LogPosition | null = null) {
  const texts: string[] = [];
  for await (const { text } of linesBackwards(files, before)) texts.push(text);
  return texts;
}

const any = { level: null, source: null, text: null, correlationId: null, sinceMs: null, untilMs: null };
const all = { before: null, after: null, limit: 500 };
const entry = (atMs: number, level: string, msg: string, rest: object = {}) =>
  `${JSON.stringify({ level, time: new Date(atMs).toISOString(), pid: 1, ...rest, msg })}\n`;

describe('the log, read backwards', () => {
  it('is every whole line of both files, newest first, whatever their lengths', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.integer({ min: 60_000, max: 140_000 }).map((length) => 'ä'.repeat(length)),
      fc.constantFrom(65_535, 65_536, 65_537, 131_072).map((length) => 'x'.repeat(length - 1)),
    );
    const lines = fc.array(
      line.filter((text) => !text.includes('\n')),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(lines, lines, async (older, current) => {
        const files = emptyLog();
        const textOf = (texts: readonly string[]) => texts.map((text) => `${text}\n`).join('');
        writeFileSync(files.older, textOf(older));
        // The last one is being written.
        writeFileSync(files.current, `${textOf(current)}begun`);
        const expected = [...older, ...current].reverse();
        expect(await textsOf(files)).toEqual(expected);
        let seen = 0;
        for await (const position of linesBackwards(files)) {
          seen += 1;
          if (seen % 4 === 1) expect(await textsOf(files, position)).toEqual(expected.slice(seen));
        }
      }),
      { numRuns: 20 },
    );
  });

  it('is empty without a file, and beyond a deleted one', async () => {
    const files = emptyLog();
    expect(await textsOf(files)).toEqual([]);
    writeFileSync(files.current, 'one\ntwo\n');
    expect(await textsOf(files, { inode: '1', offset: 4 })).toEqual([]);
    expect(await textsOf(files, { inode: String(statSync(files.current).ino), offset: 4 })).toEqual(['one']);
  });

  it('continues at its place after the file was turned over', async () => {
    const files = emptyLog();
    writeFileSync(files.current, 'one\ntwo\nthree\n');
    const { next } = await readLogSlice(files, any, { ...all, limit: 1 });
    renameSync(files.current, files.older);
    writeFileSync(files.current, 'four\n');
    const rest = await readLogSlice(files, any, { ...all, before: parseLogId(next ?? '') });
    expect(rest.records.map(({ message }) => message)).toEqual(['two', 'one']);
  });
});

describe('entries of the log', () => {
  const noon = Date.parse('2026-03-01T12:00:30.000Z');

  it('are those that match, in pages, and then the newer ones', async () => {
    const files = emptyLog();
    for (let index = 0; index < 5; index += 1)
      appendFileSync(
        files.current,
        entry(noon + index, index % 2 === 0 ? 'warn' : 'info', `line ${index}`, {
          source: 'mirror',
          path: '/Ä',
        }),
      );
    const filter = { ...any, level: 'warn' };
    const first = await readLogSlice(files, filter, { ...all, limit: 2 });
    expect(first.records.map(({ message }) => message)).toEqual(['line 4', 'line 2']);
    expect(first.records[0]).toMatchObject({ atMs: noon + 4, source: 'mirror', fields: { path: '/Ä' } });
    const rest = await readLogSlice(files, filter, { ...all, before: parseLogId(first.next ?? '') });
    expect([rest.records.map(({ message }) => message), rest.next]).toEqual([['line 0'], null]);
    const after = parseLogId(first.newest ?? '');
    expect((await readLogSlice(files, any, { ...all, after })).records).toEqual([]);
    appendFileSync(files.current, `${entry(noon + 9, 'error', 'later', { correlationId: 'c-1' })}torn`);
    const newer = await readLogSlice(files, any, { ...all, after });
    expect([newer.records.map(({ correlationId }) => correlationId), newer.isComplete]).toEqual([
      ['c-1'],
      true,
    ]);
    const most = await readLogSlice(files, any, { ...all, after: { inode: '1', offset: 0 }, limit: 2 });
    expect([most.records.length, most.isComplete]).toEqual([2, false]);
    for (const part of [
      { text: 'LATER' },
      { correlationId: 'c-1' },
      { sinceMs: noon + 5 },
      { level: 'error' },
    ])
      expect((await readLogSlice(files, { ...any, ...part }, all)).records).toHaveLength(1);
    expect((await readLogSlice(files, { ...any, untilMs: noon + 1 }, all)).records).toHaveLength(1);
    expect((await readLogSlice(files, { ...any, source: 'store' }, all)).records).toEqual([]);
  });

  it('are counted by minutes', async () => {
    const files = emptyLog();
    const lines = [
      entry(noon - 7_200_000, 'info', 'two hours ago'),
      entry(noon - 61_000, 'info', 'a'),
      entry(noon - 60_000, 'error', 'b'),
      'not an entry\n',
      entry(noon, 'fatal', 'c'),
    ];
    writeFileSync(files.current, lines.join(''));
    const counts = await countLogMinutes(files, any, { nowMs: noon, minutes: 3 });
    expect(counts.map(({ fromMs, count, errors }) => [noon - fromMs, count, errors])).toEqual([
      [150_000, 0, 0],
      [90_000, 2, 1],
      [30_000, 1, 1],
    ]);
  });
});
