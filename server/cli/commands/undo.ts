// mooring undo --since TIME: takes back all changes of a period as one change, of the whole workspace or below a path.
import type { Command } from 'commander';
import type { Conflict, MooringClient } from '../../../sdk/index.ts';
import { defined, parseSince, withJson } from '../shared/arguments.ts';
import { note, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, withWorkspace } from '../shared/workspace-arguments.ts';

/** Wait for mirrored folders, before the undo and after it. */
const syncTimeoutMs = 30_000;

interface UndoOptions extends WorkspaceOptions {
  readonly since: Date;
  readonly path?: string;
  readonly dryRun?: boolean;
}

export function registerUndo(program: Command): void {
  withJson(
    withWorkspace(program.command('undo').description('take back all changes since a time as one change'))
      .requiredOption('--since <TIME>', 'a time, or 30s, 10m, 2h, 1d ago', parseSince)
      .option('--path <PATH>', 'only this file or directory')
      .option('--dry-run', 'only list the changes'),
  ).action(undo);
}

async function undo({ since, path, dryRun = false, ...options }: UndoOptions): Promise<void> {
  const { client, workspaceId, workspaceArgument } = await connectToWorkspace(options);
  await readFolders(client, workspaceId);
  const before = await client.conflicts.list(workspaceId);
  const restored = await client.history.restore(workspaceId, { at: since, dryRun, ...defined({ path }) });
  const { created, updated, deleted, batch } = restored;
  const conflicts = batch === undefined ? [] : await writeFolders(client, workspaceId, before);
  if (options.json) return printJson({ ...restored, conflicts });
  printTable(
    ['ACTION', 'PATH', 'FROM REVISION'],
    restored.files.map((file) => [file.action, file.path, file.fromRevision ?? '']),
  );
  const more = created + updated + deleted - restored.files.length;
  if (more > 0) note(`${more} more files.`);
  const counts = `${created} created, ${updated} updated, ${deleted} deleted`;
  if (dryRun) note(`Dry run: ${counts}. Nothing was changed.`);
  else if (batch === undefined) note('No changes since then.');
  else
    note(
      `Undone: ${counts}. Repeat the changes with "mooring restore --workspace ${workspaceArgument} --batch ${batch}".`,
    );
  for (const { path: at, copyPath } of conflicts) note(`Conflict: ${at} (your version: ${copyPath}).`);
  if (conflicts.length > 0) note('Decide with "mooring conflicts list" and "mooring conflicts resolve".');
}

/** Changes that were just made in a mirrored folder are changes of the period as well. */
async function readFolders(client: MooringClient, workspaceId: string): Promise<void> {
  const { settled } = await client.mirrors.waitUntilSynced({ workspaceId, timeoutMs: syncTimeoutMs });
  if (!settled)
    note(
      'A mirrored folder is not in sync: its latest changes are not taken back. They are merged with the undo, or become conflicts. See "mooring status".',
    );
}

/** The conflicts that the undo made. */
async function writeFolders(
  client: MooringClient,
  workspaceId: string,
  before: readonly Conflict[],
): Promise<readonly Conflict[]> {
  const { settled } = await client.mirrors.waitUntilSynced({ workspaceId, timeoutMs: syncTimeoutMs });
  if (!settled) note('The undo is not yet in every mirrored folder. See "mooring status".');
  const known = new Set(before.map(({ conflictId }) => conflictId));
  return (await client.conflicts.list(workspaceId)).filter(({ conflictId }) => !known.has(conflictId));
}
