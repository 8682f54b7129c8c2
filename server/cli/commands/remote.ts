// mooring remote add|list|pause|resume|remove: syncs a workspace with a workspace of another server.
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { MooringClient, Remote, Workspace } from '../../../sdk/index.ts';
import { parseBytes } from '../../platform/config/quantities.ts';
import {
  type CommonOptions,
  collect,
  defined,
  type ProgressOptions,
  parseFolder,
  withDataDir,
  withJson,
  withProgress,
} from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { failure, usageError } from '../shared/failure.ts';
import { followFirstSync } from '../shared/follow.ts';
import { note, print, printJson, printTable } from '../shared/output.ts';
import { describeRemotes, noRemotes, remoteHeadings, remoteRow } from '../shared/remote-text.ts';
import {
  chooseWorkspace,
  findWorkspace,
  inNewWorkspace,
  type WorkspaceOptions,
  withWorkspaceFilter,
} from '../shared/workspace-arguments.ts';
import { workspaceNames } from '../shared/workspace-names.ts';
import { addMirror, cloudFolderHelp } from './mirror-add.ts';

/** The agent's minimum. */
const bytesPerSecondMin = 1024;

interface AddOptions extends WorkspaceOptions, ProgressOptions {
  readonly new?: string;
  readonly mirror?: string;
  readonly yes?: true;
  readonly url: string;
  readonly remoteWorkspace?: string;
  readonly tokenFile: string;
  readonly insecureHttp?: true;
  readonly path?: string;
  readonly ignore?: readonly string[];
  readonly up?: number;
  readonly down?: number;
}

interface ResumeOptions extends CommonOptions {
  readonly restore?: true;
  readonly acceptDeletions?: true;
}

const remoteArgument = ['[WORKSPACE]', 'name or id of the workspace, or id of the remote'] as const;

export function registerRemote(program: Command): void {
  const remote = program
    .command('remote')
    .description('sync with another server: add, list, pause, resume, remove');
  registerAdd(remote);
  withJson(withWorkspaceFilter(remote.command('list').description('list remotes and their state'))).action(
    list,
  );
  withJson(
    remote
      .command('pause')
      .description('stop syncing until resumed')
      .argument(...remoteArgument),
  ).action(async (name: string | undefined, options: CommonOptions) => {
    await change(name, options, 'Paused', (client, { workspaceId, remoteId }) =>
      client.remotes.pause(workspaceId, remoteId),
    );
  });
  withJson(
    remote
      .command('resume')
      .description('sync again, or resolve a halt')
      .argument(...remoteArgument)
      .option('--restore', 'give deleted files back to the side that lost them')
      .option('--accept-deletions', 'delete the files on the other side as well'),
  ).action(resume);
  withDataDir(
    remote
      .command('remove')
      .description('stop syncing, both workspaces keep their files')
      .argument('<WORKSPACE>', remoteArgument[1]),
  ).action(remove);
}

function registerAdd(remote: Command): void {
  withJson(
    withProgress(remote.command('add'))
      .description('sync a workspace with a workspace of another server')
      .option('--workspace <WORKSPACE>', 'local workspace, name or id')
      .option('--new <NAME>', 'create the local workspace with this name')
      .option('--mirror <DIR>', 'mirror the new workspace to this folder', parseFolder)
      .option('--yes', cloudFolderHelp)
      .requiredOption('--url <URL>', 'address of the server')
      .option('--remote-workspace <ID>', "workspace on the server (default: the token's)")
      .requiredOption('--token-file <FILE>', 'file with the token, readable by you alone', parseFolder)
      .option('--insecure-http', 'allow an address without encryption beyond this machine')
      .option('--path <PATH>', 'sync only this directory')
      .option('--ignore <RULE>', 'rule in gitignore syntax of files to leave out (repeatable)', collect)
      .option('--up <RATE>', 'maximum bytes per second of sending, for example 1MiB', parseRate)
      .option('--down <RATE>', 'maximum bytes per second of receiving', parseRate),
  )
    .addHelpText('after', '\nThe first sync only adds files, on both sides.')
    .action(add);
}

async function add(options: AddOptions): Promise<void> {
  if (options.mirror !== undefined && options.new === undefined)
    throw usageError('--mirror needs --new. Mirror an existing workspace with "mooring mirror add".');
  if (options.workspace !== undefined && options.new !== undefined)
    throw usageError('Use either --workspace or --new.');
  const { client } = await connect(options);
  const added =
    options.new === undefined
      ? await addTo(client, await chooseWorkspace(client, options.workspace), options)
      : await inNewWorkspace(
          client,
          options.new,
          async (workspace) => await addTo(client, workspace, options),
        );
  if (options.json) return printJson(added);
  print(added.remoteId);
  note(`Syncing with ${added.remoteWorkspaceId} on ${added.url}. Wait with "mooring sync --wait".`);
  await followFirstSync(client, added, options.progress === true);
}

async function addTo(
  client: MooringClient,
  { workspaceId }: Workspace,
  options: AddOptions,
): Promise<Remote> {
  const added = await client.remotes.add(workspaceId, {
    url: options.url,
    tokenFile: options.tokenFile,
    insecureHttp: options.insecureHttp === true,
    ...defined({
      remoteWorkspaceId: options.remoteWorkspace,
      path: options.path,
      ignoreRules: options.ignore?.join('\n'),
      upBytesPerSecond: options.up,
      downBytesPerSecond: options.down,
    }),
  });
  if (options.mirror !== undefined)
    await addMirror(client, workspaceId, options.mirror, { acceptCloudFolder: options.yes === true });
  return added;
}

async function list(options: WorkspaceOptions): Promise<void> {
  const { client } = await connect(options);
  const all = (await client.agent.status()).remotes;
  const workspaceId =
    options.workspace === undefined ? null : (await findWorkspace(client, options.workspace)).workspaceId;
  const remotes = all.filter((remote) => workspaceId === null || remote.workspaceId === workspaceId);
  if (options.json) return printJson({ remotes });
  const names = await workspaceNames(client);
  printTable(
    remoteHeadings,
    remotes.map((remote) => remoteRow(remote, names)),
  );
  for (const line of describeRemotes(remotes)) note(line);
  if (remotes.length === 0) note(noRemotes);
}

async function resume(name: string | undefined, options: ResumeOptions): Promise<void> {
  const { restore, acceptDeletions } = options;
  if (restore === true && acceptDeletions === true)
    throw usageError('Use either --restore or --accept-deletions.');
  const answer = restore === true ? 'restore' : acceptDeletions === true ? 'delete' : undefined;
  await change(name, options, 'Resumed', (client, { workspaceId, remoteId, halt }) => {
    if (halt !== null && answer === undefined)
      throw failure(halt.cause, 'Choose what to do: --restore or --accept-deletions.');
    return client.remotes.resume(workspaceId, remoteId, defined({ answer }));
  });
}

async function remove(name: string, options: CommonOptions): Promise<void> {
  const { client } = await connect(options);
  const { workspaceId, remoteId, url } = await findRemote(client, name);
  await client.remotes.remove(workspaceId, remoteId);
  note(`Stopped syncing with ${url}. Both workspaces keep their files.`);
}

async function change(
  name: string | undefined,
  options: CommonOptions,
  done: string,
  act: (client: MooringClient, remote: Remote) => Promise<Remote>,
): Promise<void> {
  const { client } = await connect(options);
  const changed = await act(client, await findRemote(client, name));
  if (options.json) return printJson(changed);
  note(`${done} the remote ${changed.url}.`);
}

/** By the id of the remote, by its workspace, or (undefined) the only one. */
async function findRemote(client: MooringClient, name: string | undefined): Promise<Remote> {
  const { remotes } = await client.agent.status();
  const [first, ...others] = remotes;
  if (first === undefined) throw failure('There are no remotes.', 'Add one with "mooring remote add".');
  if (name === undefined) {
    if (others.length > 0) throw usageError('There are several remotes. Name the workspace of one.');
    return first;
  }
  const byId = remotes.find(({ remoteId }) => remoteId === name);
  if (byId !== undefined) return byId;
  const { workspaceId } = await findWorkspace(client, name);
  const ofWorkspace = remotes.find((remote) => remote.workspaceId === workspaceId);
  if (ofWorkspace === undefined)
    throw failure(`${name} has no remote.`, 'List the remotes with "mooring remote list".');
  return ofWorkspace;
}

function parseRate(text: string): number {
  const bytes = parseBytes(text.replace(/\/s$/, ''));
  if (bytes === null || bytes < bytesPerSecondMin)
    throw new InvalidArgumentError('Enter a rate of at least 1KiB, for example 500KiB or 2MiB.');
  return bytes;
}
