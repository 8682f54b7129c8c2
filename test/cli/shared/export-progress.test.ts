import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import { ExportProgress, progressText } from '../../../server/cli/shared/export-progress.ts';

const at = { passedBytes: 50 * 1024, unpackedBytes: 250 * 1024, tarBytes: 1000 * 1024, elapsedMs: 2000 };

it('says how much passed, the share, the rate and the time left', () => {
  expect(progressText(at)).toBe('Exporting 50.0 KiB, 25 %, 125.0 KiB/s, about 6 s left');
});

it('says nothing that it does not know', () => {
  expect(progressText({ ...at, tarBytes: null })).toBe('Exporting 50.0 KiB, 125.0 KiB/s');
  expect(progressText({ ...at, elapsedMs: 500 })).toBe('Exporting 50.0 KiB, 25 %');
  expect(progressText({ ...at, tarBytes: 0, unpackedBytes: 0 })).toBe('Exporting 50.0 KiB');
});

it('is never at its end before the end', () => {
  expect(progressText({ ...at, unpackedBytes: 1100 * 1024 })).toContain('99 %');
});

it.each([
  ['a gzip', gzipSync(Buffer.alloc(3_000_000, 'text '))],
  ['a gzip that is cut off', gzipSync(Buffer.alloc(3_000_000, 'text ')).subarray(0, 2000)],
  ['no gzip', Buffer.alloc(300_000, 'text ')],
  [
    'what begins like a gzip and is none',
    Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(300_000, 1)]),
  ],
  ['nothing', Buffer.alloc(0)],
])('passes %s unchanged', async (_name, bytes) => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const progress = new ExportProgress({ tarBytes: 3_000_000, always: true });
    const pieces = Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, n) =>
      bytes.subarray(n * 1000, (n + 1) * 1000),
    );
    expect((await buffer(Readable.from(pieces).pipe(progress))).equals(bytes)).toBe(true);
    expect(progress.bytes).toBe(bytes.length);
  } finally {
    written.mockRestore();
  }
});
