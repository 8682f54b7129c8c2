// mooring mirror deletions|restore|accept: the deletions and truncations that a halted mirror holds back, and the two answers to it.
import type { Command } from 'commander';
import { InvalidStateError } from '../../../sdk/index.ts';
import { parseCount, withJson } from '../shared/arguments.ts';
import { CommandFailure, exitCodes } from '../shared/failure.ts';
import { findMirror, type MirrorOptions, withFolder, withOnlyFolder } from '../shared/mirror-arguments.ts';
import { counted, formatBytes, note, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace } from '../shared/workspace-arguments.ts';

/** What is printed without being asked for all. */
const shownDefault = 50;

export function registerMirrorHalt(mirror: Command): void {
  withJson(
    withOnlyFolder(
      mirror
        .command('deletions')
        .description('list the changes that a halted mirror holds back')
        .option('--limit <n>', `at most this many (default ${shownDefault})`, parseCount),
    ),
  ).action(deletions);
  withJson(
    withOnlyFolder(
      mirror.command('restore').description('restore missing files and truncated contents in the folder'),
    ),
  ).action(async (options: MirrorOptions) => await answer(options, { answer: 'restore' }));
  withJson(
    withFolder(
      mirror.command('accept').description('carry the deletions and truncations to the workspace'),
    ).requiredOption('--deletes <n>', 'number of files that "mirror deletions" lists', parseCount),
  ).action(
    async (options: MirrorOptions & { deletes: number }) =>
      await answer(options, { answer: 'delete', deletes: options.deletes }),
  );
}

async function deletions(options: MirrorOptions & { limit?: number }): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { mirrorId, dir } = await findMirror(client, workspaceId, options.dir);
  const limit = options.limit ?? shownDefault;
  const held = await client.halts.show(workspaceId, mirrorId, { limit });
  if (options.json) return printJson(held);
  printTable(
    ['PATH', 'REVISION', 'CHANGE', 'SIZE BEFORE', 'SIZE AFTER'],
    held.items.map(({ path, revision, change, size, sizeAfter }) => [
      path,
      revision,
      change,
      formatBytes(size),
      sizeAfter === null ? '' : formatBytes(sizeAfter),
    ]),
  );
  if (held.halt === null) return note(`${dir} is not halted.`);
  const { cause, deletes, truncations } = held.halt;
  note(cause);
  note(`${pendingText(deletes, truncations)} in the workspace. Nothing was changed there.`);
  if (held.halt.answers.length === 0) return note(held.halt.next);
  note('Restore them with "mooring mirror restore",');
  note(`or carry the changes with "mooring mirror accept --deletes ${deletes}".`);
}

/** `8 files would be deleted and 4 truncated` */
function pendingText(deletes: number, truncations: number): string {
  const deletions = deletes - truncations;
  if (truncations === 0) return `${counted(deletions, 'file')} would be deleted`;
  if (deletions === 0) return `${counted(truncations, 'file')} would be truncated`;
  return `${counted(deletions, 'file')} would be deleted and ${truncations} truncated`;
}

async function answer(
  options: MirrorOptions,
  input: { answer: 'restore' | 'delete'; deletes?: number },
): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { mirrorId, dir } = await findMirror(client, workspaceId, options.dir);
  const mirror = await client.halts.answer(workspaceId, mirrorId, input).catch((error: unknown) => {
    if (!(error instanceof InvalidStateError)) throw error;
    throw new CommandFailure(
      exitCodes.failed,
      `${dir}: ${error.message}.`,
      'See what is held back with "mooring mirror deletions".',
    );
  });
  if (options.json) return printJson(mirror);
  note(
    input.answer === 'restore'
      ? `${dir}: missing files and truncated contents are restored.`
      : `${dir}: ${counted(input.deletes ?? 0, 'change is', 'changes are')} carried to the workspace; its history keeps the contents.`,
  );
}
