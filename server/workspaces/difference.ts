// The difference between two contents of a path, as a patch for `git apply`. It reads contents and changes nothing.
import { type Compute, isOverLimit } from '../compute/port.ts';
import { diffBytesMax, type TextDiff } from '../core/merge/text-diff.ts';
import type { ContentReader, RevisionRow } from '../store/port/store.ts';
import { isBinary, patchHead } from './git-patch.ts';

export type Difference =
  /** `too_different`: the line comparison exceeds its limit of work, time or memory; the patch replaces the whole text. */
  | { readonly kind: 'text' | 'too_different'; readonly patch: string }
  /** `binary`: at least one content is not text. `too_large`: a content exceeds the limit of a comparison. */
  | { readonly kind: 'binary' | 'too_large' };

/** Content of a revision or a file; a hash of null: no file existed. */
export type Content = Pick<RevisionRow, 'hash' | 'sizeBytes'>;

/** null: a content cannot be read at the moment. */
export async function differenceOf(
  files: ContentReader,
  compute: Compute,
  path: string,
  before: Content | null,
  after: Content | null,
): Promise<Difference | null> {
  // Checked before anything is read: contents over the limit are never in memory as a whole.
  if ([before, after].some((content) => (content?.sizeBytes ?? 0) > diffBytesMax)) {
    return { kind: 'too_large' };
  }
  const [old, current] = await Promise.all([bytesOf(files, before), bytesOf(files, after)]);
  if (old === 'gone' || current === 'gone') return null;
  return await differenceOfBytes(compute, path, old, current);
}

/** Of two contents of a path, of which neither has more than `diffBytesMax`; null: no file. */
export async function differenceOfBytes(
  compute: Compute,
  path: string,
  old: Buffer | null,
  current: Buffer | null,
): Promise<Difference> {
  if (isBinary(old ?? empty) || isBinary(current ?? empty)) return { kind: 'binary' };
  const { hunks, tooDifferent } = await diffOf(compute, textOf(old), textOf(current));
  if (hunks === '' && (old === null) === (current === null)) return { kind: 'text', patch: '' };
  const patch = patchHead(path, old, current, hunks !== '') + hunks;
  return { kind: tooDifferent ? 'too_different' : 'text', patch };
}

async function bytesOf(files: ContentReader, row: Content | null): Promise<Buffer | null | 'gone'> {
  if (row === null || row.hash === null) return null;
  const bytes = await files.read(row.hash);
  return bytes === null ? 'gone' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Where the comparison exceeds its time or memory, as on a machine under load, one hunk replaces the text. */
async function diffOf(compute: Compute, before: string, after: string): Promise<TextDiff> {
  try {
    return await compute.run('diff_lines', { before, after });
  } catch (error) {
    if (!isOverLimit(error)) throw error;
  }
  return { hunks: await compute.run('replace_text', { before, after }), tooDifferent: true };
}

const empty = Buffer.alloc(0);

function textOf(bytes: Buffer | null): string {
  return bytes === null ? '' : bytes.toString('utf8');
}
