// What a command did to ignored files in the folder of its run, for people: counted always, listed with --include-ignored.

import type { MooringClient } from '../../../sdk/index.ts';
import { type IgnoredChange, type IgnoredChanges, MooringError, type Run } from '../../../sdk/index.ts';
import { note, print } from './output.ts';

const listedPerPage = 1_000;

/** null: nothing was copied into the folder of the run, or it has none. */
export async function countIgnored(
  client: MooringClient,
  { workspaceId, runId }: Run,
): Promise<IgnoredChanges | null> {
  return await client.runs.ignoredPage(workspaceId, runId, { limit: 1 }).catch((error: unknown) => {
    // Only the owner may see the folder.
    if (error instanceof MooringError && (error.status === 404 || error.status === 403)) return null;
    throw error;
  });
}

/** Nothing where nothing changed. */
export function ignoredLines(counts: IgnoredChanges, isListed: boolean): readonly string[] {
  const { createdCount, updatedCount, deletedCount } = counts;
  if (createdCount + updatedCount + deletedCount === 0) return [];
  const text = `Ignored files, not part of the changes: ${createdCount} created, ${updatedCount} updated, ${deletedCount} deleted.`;
  return [
    isListed ? text : `${text} --include-ignored lists them.`,
    'A commit deletes them with the folder. With --keep-folder it stays for 7 days.',
  ];
}

export async function ignoredChanges(
  client: MooringClient,
  { workspaceId, runId }: Run,
  { hasPatches }: { readonly hasPatches: boolean },
): Promise<readonly IgnoredChange[]> {
  const changes: IgnoredChange[] = [];
  const query = hasPatches ? { patch: true } : { limit: listedPerPage };
  for await (const change of client.runs.ignored(workspaceId, runId, query)) changes.push(change);
  return changes;
}

export function printIgnored(changes: readonly IgnoredChange[], hasPatches: boolean): void {
  for (const change of changes) {
    const { path, type, diff } = change;
    if (!hasPatches) print(`${type.padEnd(8)}ignored  ${path}${modeText(change)}`);
    else if (diff?.patch !== undefined) print(diff.patch.replace(/\n$/, ''));
    else
      note(
        `ignored ${type} ${path}: no patch (${diff?.kind ?? 'the mirrored folder has changed it since'}).`,
      );
  }
}

function modeText({ modeBefore, mode }: IgnoredChange): string {
  return mode !== null && modeBefore !== null && mode !== modeBefore ? ` (${modeBefore} -> ${mode})` : '';
}
