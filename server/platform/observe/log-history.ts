// Reads the log files backwards, newest line first, in slices: no slice holds up the thread, and a search ends where its caller has
// enough. The files may grow and be turned over meanwhile.
import { type FileHandle, open } from 'node:fs/promises';
import { isMissing } from '../files/private-files.ts';
import type { LogFiles } from './log-file.ts';

/** Where a line starts. It stays valid until its file is deleted. */
export interface LogPosition {
  readonly inode: string;
  readonly offset: number;
}

export interface LogLine extends LogPosition {
  readonly text: string;
}

const sliceBytes = 64 * 1024;
const lineEnd = 0x0a;

/** Lines before a position, or all, newest first. A position in a deleted file: none. A line that is not yet complete is left out. */
export async function* linesBackwards(
  files: LogFiles,
  before: LogPosition | null = null,
): AsyncGenerator<LogLine, void, undefined> {
  const current = await openIfThere(files.current);
  try {
    const older = await openIfThere(files.older);
    try {
      // Turned over between the two: one file under both names.
      const opened = [current, older?.inode === current?.inode ? null : older].filter(
        (file) => file !== null,
      );
      const first = before === null ? 0 : opened.findIndex(({ inode }) => inode === before.inode);
      if (first === -1) return;
      for (const [index, file] of opened.slice(first).entries()) {
        const isFirst = index === 0 && before !== null;
        yield* linesOf(file, isFirst ? Math.min(before.offset, file.bytes) : file.bytes);
      }
    } finally {
      await older?.handle.close();
    }
  } finally {
    await current?.handle.close();
  }
}

interface OpenedFile {
  readonly handle: FileHandle;
  readonly inode: string;
  readonly bytes: number;
}

async function openIfThere(file: string): Promise<OpenedFile | null> {
  try {
    const handle = await open(file, 'r');
    const { ino, size } = await handle.stat({ bigint: true });
    return { handle, inode: String(ino), bytes: Number(size) };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function* linesOf(
  { handle, inode }: OpenedFile,
  bytes: number,
): AsyncGenerator<LogLine, void, undefined> {
  /** The end of a line whose start is in an earlier slice; null: nothing was read yet. */
  let rest: Buffer | null = null;
  for (let position = bytes; position > 0; ) {
    const size = Math.min(sliceBytes, position);
    position -= size;
    const slice: Buffer = Buffer.alloc(size + (rest?.length ?? 0));
    await handle.read(slice, 0, size, position);
    rest?.copy(slice, size);
    // Behind the last line end is a line that is being written.
    let end: number = rest === null ? slice.lastIndexOf(lineEnd) : slice.length - 1;
    for (;;) {
      const start: number = end <= 0 ? 0 : slice.lastIndexOf(lineEnd, end - 1) + 1;
      if (start === 0) break;
      yield { inode, offset: position + start, text: slice.toString('utf8', start, end) };
      end = start - 1;
    }
    if (end === -1) continue;
    rest = slice.subarray(0, end + 1);
    if (position === 0) yield { inode, offset: 0, text: slice.toString('utf8', 0, end) };
  }
}
