// mooring workspace create|list|rename|delete|restore: manages workspaces.
import type { Command } from 'commander';
import {
  type CommonOptions,
  type ProgressOptions,
  parseFolder,
  withDataDir,
  withJson,
  withProgress,
} from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { formatTime } from '../shared/display.ts';
import { usageError } from '../shared/failure.ts';
import { followFirstSync } from '../shared/follow.ts';
import { formatCount, note, print, printJson, printTable } from '../shared/output.ts';
import { findWorkspace, inNewWorkspace, noWorkspaces } from '../shared/workspace-arguments.ts';
import { addMirror, cloudFolderHelp } from './mirror-add.ts';

interface CreateOptions extends CommonOptions, ProgressOptions {
  readonly name: string;
  readonly mirror?: string;
  readonly yes?: true;
}

export function registerWorkspace(program: Command): void {
  const workspace = program
    .command('workspace')
    .description('create, list, rename, delete and restore workspaces');
  withJson(
    withProgress(workspace.command('create'))
      .description('create a workspace and optionally mirror it')
      .requiredOption('--name <NAME>', 'display name')
      .option('--mirror <DIR>', 'folder to mirror (created if missing)', parseFolder)
      .option('--yes', cloudFolderHelp),
  )
    .addHelpText('after', '\nThe first sync only adds files.')
    .action(create);
  withJson(
    workspace
      .command('list')
      .description('list workspaces')
      .option('--deleted', 'include deleted workspaces that can be restored'),
  ).action(list);
  const named = (verb: string, description: string) =>
    workspace.command(verb).description(description).argument('<WORKSPACE>', 'name or id');
  withDataDir(named('rename', 'rename a workspace').argument('<NAME>', 'new name')).action(rename);
  withDataDir(
    named('delete', 'delete a workspace (can be restored for 30 days)').option(
      '--yes',
      'confirm the deletion',
    ),
  )
    .addHelpText('after', '\nMirrored folders keep their files.')
    .action(remove);
  withDataDir(named('restore', 'restore a deleted workspace')).action(restore);
}

async function create(options: CreateOptions): Promise<void> {
  const { client } = await connect(options);
  const acceptCloudFolder = options.yes === true;
  const { workspaceId, name, mirror } = await inNewWorkspace(client, options.name, async (created) => ({
    ...created,
    mirror:
      options.mirror === undefined
        ? null
        : await addMirror(client, created.workspaceId, options.mirror, { acceptCloudFolder }),
  }));
  if (options.json) return printJson({ workspaceId, name, mirrorDir: mirror?.dir ?? null });
  print(workspaceId);
  if (mirror === null) return;
  note(`Mirroring ${name} to ${mirror.dir}.`);
  await followFirstSync(client, mirror, options.progress === true);
}

async function list(options: CommonOptions & { deleted?: true }): Promise<void> {
  const { client } = await connect(options);
  const workspaces = await client.workspaces.list({ includeDeleted: options.deleted === true });
  if (options.json) return printJson({ workspaces });
  printTable(
    ['NAME', 'FILES', 'CREATED', 'DELETED', 'ID'],
    workspaces.map(({ workspaceId, name, files, createdAt, deletedAt }) => [
      name,
      formatCount(files),
      formatTime(createdAt),
      deletedAt === undefined ? '' : formatTime(deletedAt),
      workspaceId,
    ]),
  );
  if (workspaces.length === 0) note(noWorkspaces);
}

async function rename(idOrName: string, name: string, options: CommonOptions): Promise<void> {
  const { client } = await connect(options);
  const before = await findWorkspace(client, idOrName);
  await client.workspaces.rename(before.workspaceId, name);
  note(`Renamed ${before.name} to ${name}.`);
}

async function remove(idOrName: string, options: CommonOptions & { yes?: true }): Promise<void> {
  if (!options.yes) {
    throw usageError(
      `Deleting ${idOrName} requires --yes.`,
      'Mirrored folders keep their files. The workspace can be restored for 30 days.',
    );
  }
  const { client } = await connect(options);
  const { workspaceId, name } = await findWorkspace(client, idOrName);
  await client.workspaces.remove(workspaceId);
  note(`Deleted ${name}. Restore it within 30 days with "mooring workspace restore ${workspaceId}".`);
}

async function restore(idOrName: string, options: CommonOptions): Promise<void> {
  const { client } = await connect(options);
  const { workspaceId } = await findWorkspace(client, idOrName, { includeDeleted: true });
  const { name } = await client.workspaces.restore(workspaceId);
  note(`Restored ${name}.`);
}
