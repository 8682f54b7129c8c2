// mooring workspace create|list|rename|delete|restore
import type { Command } from 'commander';
import { parseFolder, withDataDir, withJson } from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { CommandFailure, exitCodes } from '../shared/failure.ts';
import { note, print, printJson, printTable } from '../shared/output.ts';
import { findWorkspace } from '../shared/workspace-arguments.ts';
import { addMirror, cloudFolderHelp } from './mirror-add.ts';

interface CreateOptions {
  readonly name: string;
  readonly mirror?: string;
  readonly yes?: true;
  readonly json?: true;
  readonly dataDir?: string;
}

export function registerWorkspace(program: Command): void {
  const workspace = program
    .command('workspace')
    .description('workspaces: make, list, rename, delete, restore');
  withJson(
    workspace
      .command('create')
      .description('make a workspace, and with --mirror keep a folder equal to it')
      .requiredOption('--name <name>', 'what people call it')
      .option(
        '--mirror <dir>',
        'a folder; it is created when missing, and at first only added to',
        parseFolder,
      )
      .option('--yes', cloudFolderHelp),
  ).action(create);
  withJson(
    workspace
      .command('list')
      .description('all workspaces')
      .option('--deleted', 'also those that can still be restored'),
  ).action(list);
  withDataDir(
    workspace
      .command('rename')
      .description('give a workspace another name')
      .argument('<workspace>', 'id or name')
      .argument('<name>', 'the new name'),
  ).action(rename);
  withDataDir(
    workspace
      .command('delete')
      .description(
        'delete a workspace; mirrored folders keep their files, contents can be restored for 30 days',
      )
      .argument('<workspace>', 'id or name')
      .option('--yes', 'really'),
  ).action(remove);
  withDataDir(
    workspace
      .command('restore')
      .description('bring a deleted workspace back')
      .argument('<workspace>', 'its id'),
  ).action(restore);
}

async function create(options: CreateOptions): Promise<void> {
  const { client } = await connect(options);
  const { workspaceId, name } = await client.workspaces.create({ name: options.name });
  let mirrorDir: string | null = null;
  if (options.mirror !== undefined) {
    try {
      const acceptCloudFolder = options.yes === true;
      mirrorDir = (await addMirror(client, workspaceId, options.mirror, { acceptCloudFolder })).dir;
    } catch (error) {
      // Whoever tries again with another folder must not find a second, empty workspace.
      await client.workspaces.remove(workspaceId);
      throw error;
    }
  }
  if (options.json) return printJson({ workspaceId, name, mirrorDir });
  print(workspaceId);
  if (mirrorDir !== null) note(`${name} is mirrored at ${mirrorDir}.`);
}

async function list(options: { json?: true; dataDir?: string; deleted?: true }): Promise<void> {
  const { client } = await connect(options);
  const workspaces = await client.workspaces.list({ includeDeleted: options.deleted === true });
  if (options.json) return printJson({ workspaces });
  printTable(
    ['WORKSPACE', 'NAME', 'FILES', 'CREATED', ...(options.deleted ? ['DELETED'] : [])],
    workspaces.map(({ workspaceId, name, files, createdAt, deletedAt }) => [
      workspaceId,
      name,
      String(files),
      createdAt,
      deletedAt ?? '',
    ]),
  );
  if (workspaces.length === 0)
    note('No workspace yet. Make one with "mooring workspace create --name NAME".');
}

async function rename(idOrName: string, name: string, options: { dataDir?: string }): Promise<void> {
  const { client } = await connect(options);
  const { workspaceId } = await findWorkspace(client, idOrName);
  await client.workspaces.rename(workspaceId, name);
  note(`${workspaceId} is now named ${name}.`);
}

async function remove(idOrName: string, options: { dataDir?: string; yes?: true }): Promise<void> {
  if (!options.yes) {
    throw new CommandFailure(
      exitCodes.usage,
      `Deleting ${idOrName} needs --yes.`,
      'Mirrored folders keep their files; the contents can be restored for 30 days.',
    );
  }
  const { client } = await connect(options);
  const { workspaceId, name } = await findWorkspace(client, idOrName);
  await client.workspaces.remove(workspaceId);
  note(`${name} is deleted. Within 30 days "mooring workspace restore ${workspaceId}" brings it back.`);
}

async function restore(idOrName: string, options: { dataDir?: string }): Promise<void> {
  const { client } = await connect(options);
  const { workspaceId } = await findWorkspace(client, idOrName, { includeDeleted: true });
  const { name } = await client.workspaces.restore(workspaceId);
  note(`${name} (${workspaceId}) is restored.`);
}
