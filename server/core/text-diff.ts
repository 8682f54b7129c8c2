// The difference of two texts for people, as a unified diff. What is too large or no text has none.
import { createTwoFilesPatch } from 'diff';

/** Of either side: beyond it a difference takes seconds. */
const diffBytesMax = 512 * 1024;
/** A comparison that finds no end is given up. */
const editsMax = 20_000;

/** null: one of them is too large, or they differ everywhere. Equal texts: an empty string. */
export function unifiedDiff(path: string, before: string | null, after: string | null): string | null {
  if ((before?.length ?? 0) > diffBytesMax || (after?.length ?? 0) > diffBytesMax) return null;
  if (before === after) return '';
  const patch = createTwoFilesPatch(
    before === null ? '/dev/null' : `a${path}`,
    after === null ? '/dev/null' : `b${path}`,
    before ?? '',
    after ?? '',
    undefined,
    undefined,
    { context: 3, maxEditLength: editsMax },
  );
  return patch === undefined ? null : patch.replace(/^=+\n/, '');
}

/** The hunks alone, without a head: what `git apply` takes below its own. null: too large, or they differ everywhere. */
export function unifiedHunks(before: string, after: string): string | null {
  const patch = unifiedDiff('/', before, after);
  if (patch === null) return null;
  const start = patch.indexOf('@@ ');
  return start === -1 ? '' : patch.slice(start);
}
