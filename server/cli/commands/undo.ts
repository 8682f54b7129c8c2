// mooring undo --since TIME: takes back all changes of a period as one change, of the whole workspace or below a path.
import type { Command } from 'commander';
import { defined, parseSince, withJson } from '../shared/arguments.ts';
import { note, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, withWorkspace } from '../shared/workspace-arguments.ts';

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
  const restored = await client.history.restore(workspaceId, { at: since, dryRun, ...defined({ path }) });
  if (options.json) return printJson(restored);
  printTable(
    ['ACTION', 'PATH', 'FROM REVISION'],
    restored.files.map((file) => [file.action, file.path, file.fromRevision ?? '']),
  );
  const { created, updated, deleted, batch } = restored;
  const more = created + updated + deleted - restored.files.length;
  if (more > 0) note(`${more} more files.`);
  const counts = `${created} created, ${updated} updated, ${deleted} deleted`;
  if (dryRun) note(`Dry run: ${counts}. Nothing was changed.`);
  else if (batch === undefined) note('No changes since then.');
  else
    note(
      `Undone: ${counts}. Repeat the changes with "mooring restore --workspace ${workspaceArgument} --batch ${batch}".`,
    );
}
