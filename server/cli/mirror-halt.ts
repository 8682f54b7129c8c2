// mooring mirror deletions|restore|accept: what a halted mirror holds back, and the two answers to it.
import type { Command } from 'commander';
import { InvalidStateError } from '../../sdk/index.ts';
import { parseCount, withJson } from './arguments.ts';
import { CommandFailure, exitCodes } from './failure.ts';
import { findMirror, type MirrorOptions, withFolder, withOnlyFolder } from './mirror-arguments.ts';
import { counted, formatBytes, note, printJson, printTable } from './output.ts';
import { connectToWorkspace } from './workspace-arguments.ts';

/** What is printed without being asked for all. */
const shownDefault = 50;

export function registerMirrorHalt(mirror: Command): void {
  withJson(
    withOnlyFolder(
      mirror
        .command('deletions')
        .description('what a halted mirror would delete in the workspace')
        .option('--limit <n>', `at most this many (default ${shownDefault})`, parseCount),
    ),
  ).action(deletions);
  withJson(
    withOnlyFolder(
      mirror.command('restore').description('of a halted mirror: bring back what is missing in the folder'),
    ),
  ).action(async (options: MirrorOptions) => await answer(options, { answer: 'restore' }));
  withJson(
    withFolder(
      mirror
        .command('accept')
        .description('of a halted mirror: yes, delete in the workspace what is missing in the folder'),
    ).requiredOption('--deletes <n>', 'how many files that are, as "mirror deletions" says', parseCount),
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
    ['PATH', 'REVISION', 'SIZE'],
    held.items.map(({ path, revision, size }) => [path, revision, formatBytes(size)]),
  );
  if (held.halt === null) return note(`${dir} is not halted.`);
  note(held.halt.cause);
  note(`${counted(held.halt.deletes, 'file')} would be deleted in the workspace. Nothing was deleted.`);
  if (held.halt.answers.length === 0) return note(held.halt.next);
  note('Bring them back with "mooring mirror restore",');
  note(`or delete them with "mooring mirror accept --deletes ${held.halt.deletes}".`);
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
      ? `${dir}: the missing files are brought back.`
      : `${dir}: ${counted(input.deletes ?? 0, 'file is', 'files are')} deleted in the workspace; the history keeps what they held.`,
  );
}
