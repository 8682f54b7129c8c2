// What a command did to files of its folder that no mirror syncs, a page with patches. They are compared on the disk (disk/copy) and change with no
// commit.
import type { Compute } from '../compute/port.ts';
import type { IgnoredChange, IgnoredChanges } from '../mirror/manager/port.ts';
import { type Difference, differenceOfBytes } from '../workspaces/difference.ts';
import { ignoredPatchesCharactersMax } from './limits.ts';

export interface PageQuery {
  /** In the order of paths; '': from the beginning. */
  readonly after: string;
  readonly limit: number;
  /** With the patches of the page. */
  readonly hasTexts: boolean;
}

export interface IgnoredPage {
  readonly counts: IgnoredChanges['counts'];
  readonly changes: readonly (Omit<IgnoredChange, 'texts'> & { readonly diff: Difference | null })[];
  /** null: there are no more. */
  readonly nextAfter: string | null;
}

export async function ignoredPage(
  compute: Compute,
  { counts, page, hasMore }: IgnoredChanges,
): Promise<IgnoredPage> {
  const changes: IgnoredPage['changes'][number][] = [];
  let characters = 0;
  for (const { texts, ...change } of page) {
    const diff = texts === null ? null : await diffOf(compute, change.path, texts);
    changes.push({ ...change, diff });
    characters += diff !== null && 'patch' in diff ? diff.patch.length : 0;
    if (characters >= ignoredPatchesCharactersMax) break;
  }
  const isLast = !hasMore && changes.length === page.length;
  return { counts, changes, nextAfter: isLast ? null : (changes.at(-1)?.path ?? null) };
}

async function diffOf(
  compute: Compute,
  path: string,
  { isTooLarge, before, now }: NonNullable<IgnoredChange['texts']>,
): Promise<Difference> {
  if (isTooLarge) return { kind: 'too_large' };
  return await differenceOfBytes(compute, path, asBuffer(before), asBuffer(now));
}

function asBuffer(bytes: Uint8Array | null): Buffer | null {
  return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
