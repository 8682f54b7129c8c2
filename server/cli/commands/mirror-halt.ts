// mooring mirror deletion-limit|pending-deletions|restore|delete-missing: the limit above which a mirror halts, and the two ways to
// resolve the halt.
import { type Command, InvalidArgumentError } from 'commander';
import { InvalidStateError, type Mirror, type MooringClient } from '../../../sdk/index.ts';
import { parseWholeNumber } from '../../platform/config/quantities.ts';
import { parseCount, withJson } from '../shared/arguments.ts';
import { failure } from '../shared/failure.ts';
import {
  findMirror,
  type MirrorOptions,
  withFolder,
  withOptionalFolder,
} from '../shared/mirror-arguments.ts';
import { formatBytes, note, plural, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace } from '../shared/workspace-arguments.ts';
import { folderArgument } from '../shared/workspace-names.ts';

/** The agent's maximum. */
const deletionLimitMax = 1_000_000;
const listedDefault = 50;

/** null: the default limit. */
export type DeletionLimit = number | null;

export function registerMirrorHalt(mirror: Command): void {
  withJson(
    withOptionalFolder(
      mirror
        .command('deletion-limit')
        .description('set the deletions per minute above which the mirror halts')
        .argument('<N>', 'whole number or "default" (1000)', parseDeletionLimit),
    ),
  ).action(setDeletionLimit);
  withJson(
    withOptionalFolder(
      mirror
        .command('pending-deletions')
        .description('list deletions and truncations that wait for a decision')
        .option('--limit <N>', `maximum number of files (default: ${listedDefault})`, parseCount),
    ),
  ).action(listPendingDeletions);
  withJson(
    withOptionalFolder(
      mirror.command('restore').description('restore missing and truncated files in the folder'),
    ),
  ).action(async (options: MirrorOptions) => await resolveHalt(options, { answer: 'restore' }));
  withJson(
    withFolder(
      mirror.command('delete-missing').description('apply the deletions and truncations to the workspace'),
    ).requiredOption('--deletes <N>', 'number of files, as in "mirror pending-deletions"', parseCount),
  ).action(
    async (options: MirrorOptions & { deletes: number }) =>
      await resolveHalt(options, { answer: 'delete', deletes: options.deletes }),
  );
}

export function parseDeletionLimit(text: string): DeletionLimit {
  if (text === 'default') return null;
  const limit = parseWholeNumber(text);
  if (limit === null || limit < 1 || limit > deletionLimitMax)
    throw new InvalidArgumentError(`Enter a whole number from 1 to ${deletionLimitMax}, or "default".`);
  return limit;
}

/** Returns the mirror with the limit. undefined: the limit stays. */
export async function withDeletionLimit(
  client: MooringClient,
  mirror: Mirror,
  limit: DeletionLimit | undefined,
): Promise<Mirror> {
  if (limit === undefined) return mirror;
  return await client.mirrors.setDeletionLimit(mirror.workspaceId, mirror.mirrorId, limit);
}

async function setDeletionLimit(limit: DeletionLimit, options: MirrorOptions): Promise<void> {
  const connected = await connectToWorkspace(options);
  const { client } = connected;
  const mirror = await findMirror(connected, options.dir);
  const changed = await withDeletionLimit(client, mirror, limit);
  if (options.json) return printJson(changed);
  const { dir, deletesPerMinuteMax } = changed;
  note(
    `${dir} halts above ${plural(deletesPerMinuteMax, 'deletion or truncation', 'deletions and truncations')} per minute.`,
  );
}

async function listPendingDeletions(options: MirrorOptions & { limit?: number }): Promise<void> {
  const connected = await connectToWorkspace(options);
  const { client, workspaceId } = connected;
  const { mirrorId, dir } = await findMirror(connected, options.dir);
  const limit = options.limit ?? listedDefault;
  const pending = await client.mirrors.pendingDeletions(workspaceId, mirrorId, { limit });
  if (options.json) return printJson(pending);
  printTable(
    ['PATH', 'REVISION', 'CHANGE', 'SIZE BEFORE', 'SIZE AFTER'],
    pending.items.map(({ path, revision, change, size, sizeAfter }) => [
      path,
      revision,
      change,
      formatBytes(size),
      sizeAfter === null ? '' : formatBytes(sizeAfter),
    ]),
  );
  if (pending.halt === null) return note(`${dir} is not halted.`);
  const { cause, deletes, truncations, answers, next } = pending.halt;
  note(cause);
  note(`${pendingText(deletes, truncations)} in the workspace. Nothing was changed there.`);
  if (answers.length === 0) return note(next);
  const which = `--workspace ${connected.workspaceArgument} --dir ${folderArgument(dir)}`;
  note(`To restore the files: mooring mirror restore ${which}`);
  note(`To apply the changes to the workspace: mooring mirror delete-missing ${which} --deletes ${deletes}`);
}

/** `8 files would be deleted and 4 truncated` */
function pendingText(deletes: number, truncations: number): string {
  const deletions = deletes - truncations;
  if (truncations === 0) return `${plural(deletions, 'file')} would be deleted`;
  if (deletions === 0) return `${plural(truncations, 'file')} would be truncated`;
  return `${plural(deletions, 'file')} would be deleted and ${truncations} truncated`;
}

async function resolveHalt(
  options: MirrorOptions,
  resolution: { answer: 'restore' | 'delete'; deletes?: number },
): Promise<void> {
  const connected = await connectToWorkspace(options);
  const { client, workspaceId } = connected;
  const { mirrorId, dir } = await findMirror(connected, options.dir);
  const mirror = await client.mirrors
    .resolveHalt(workspaceId, mirrorId, resolution)
    .catch((error: unknown) => {
      if (!(error instanceof InvalidStateError)) throw error;
      throw failure(
        `${dir}: ${error.message}.`,
        'List the pending changes with "mooring mirror pending-deletions".',
      );
    });
  if (options.json) return printJson(mirror);
  note(
    resolution.answer === 'restore'
      ? `Restored the missing and truncated files in ${dir}.`
      : `Applied ${plural(resolution.deletes ?? 0, 'change')} of ${dir} to the workspace. The contents stay in its history.`,
  );
}
