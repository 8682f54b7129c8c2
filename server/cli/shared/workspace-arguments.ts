// The --workspace option: an id or a name, optional when there is only one workspace.
import type { Command } from 'commander';
import type { MooringClient, Workspace } from '../../../sdk/index.ts';
import type { CommonOptions } from './arguments.ts';
import { connect } from './connect.ts';
import { findByName, onlyOf, WorkspaceNames } from './workspace-names.ts';

export interface WorkspaceOptions extends CommonOptions {
  readonly workspace?: string;
}

export interface ConnectedWorkspace {
  readonly client: MooringClient;
  /** Of the agent. */
  readonly url: string;
  readonly workspaceId: string;
  /** For messages. */
  readonly workspaceName: string;
  /** The value of --workspace in a command that a message suggests. */
  readonly workspaceArgument: string;
}

export const noWorkspaces = 'No workspaces. Create one with "mooring workspace create --name NAME".';

/** A verb on one workspace. `argument`: its placeholder and description. */
export function workspaceVerb(
  parent: Command,
  name: string,
  description: string,
  argument?: readonly [placeholder: string, description?: string],
): Command {
  const command = parent.command(name).description(description);
  if (argument !== undefined) command.argument(...argument);
  return withWorkspace(command);
}

export function withWorkspace(command: Command): Command {
  return command.option('--workspace <WORKSPACE>', 'name or id (required if there are several)');
}

/** For lists over all workspaces. */
export function withWorkspaceFilter(command: Command): Command {
  return command.option('--workspace <WORKSPACE>', 'only this workspace (name or id)');
}

/** @throws CommandFailure with exit code 2 when there are several workspaces and none is named. */
export async function connectToWorkspace(options: WorkspaceOptions): Promise<ConnectedWorkspace> {
  const { client, url } = await connect(options);
  const all = await client.workspaces.list();
  const { workspaceId } = options.workspace === undefined ? onlyOf(all) : findByName(all, options.workspace);
  const names = new WorkspaceNames(all);
  const workspaceArgument = names.argument(workspaceId);
  return { client, url, workspaceId, workspaceName: names.display(workspaceId), workspaceArgument };
}

/** The named workspace, or the only one. */
export async function chooseWorkspace(
  client: MooringClient,
  idOrName: string | undefined,
): Promise<Workspace> {
  const all = await client.workspaces.list();
  return idOrName === undefined ? onlyOf(all) : findByName(all, idOrName);
}

/** By id, or by a name that only one workspace has. */
export async function findWorkspace(
  client: MooringClient,
  idOrName: string,
  options: { readonly includeDeleted?: true } = {},
): Promise<Workspace> {
  return findByName(await client.workspaces.list(options), idOrName);
}

/** A workspace that does not remain when `work` fails, so that a second attempt makes no second one. */
export async function inNewWorkspace<Result>(
  client: MooringClient,
  name: string,
  work: (workspace: Workspace) => Promise<Result>,
): Promise<Result> {
  const workspace = await client.workspaces.create({ name });
  try {
    return await work(workspace);
  } catch (error) {
    await client.workspaces.remove(workspace.workspaceId);
    throw error;
  }
}
