// The --workspace option: an id or a name, optional when there is only one workspace.
import type { Command } from 'commander';
import type { MooringClient, Workspace } from '../../../sdk/index.ts';
import type { CommonOptions } from './arguments.ts';
import { connect } from './connect.ts';
import { failure, usageError } from './failure.ts';

/** Maximum number of workspaces that an error lists. */
const listedMax = 20;

export interface WorkspaceOptions extends CommonOptions {
  readonly workspace?: string;
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
  return command.option('--workspace <WORKSPACE>', 'id or name (required if there are several)');
}

/** For lists over all workspaces. */
export function withWorkspaceFilter(command: Command): Command {
  return command.option('--workspace <WORKSPACE>', 'only this workspace (id or name)');
}

/** @throws CommandFailure with exit code 2 when there are several workspaces and none is named. */
export async function connectToWorkspace(
  options: WorkspaceOptions,
): Promise<{ readonly client: MooringClient; readonly workspaceId: string }> {
  const { client } = await connect(options);
  const { workspaceId } = await chooseWorkspace(client, options.workspace);
  return { client, workspaceId };
}

/** The named workspace, or the only one. */
export async function chooseWorkspace(
  client: MooringClient,
  idOrName: string | undefined,
): Promise<Workspace> {
  return idOrName === undefined ? await onlyWorkspace(client) : await findWorkspace(client, idOrName);
}

/** By id, or by a name that only one workspace has. */
export async function findWorkspace(
  client: MooringClient,
  idOrName: string,
  options: { readonly includeDeleted?: true } = {},
): Promise<Workspace> {
  const all = await client.workspaces.list(options);
  const byId = all.find((workspace) => workspace.workspaceId === idOrName);
  if (byId !== undefined) return byId;
  const [named, ...others] = all.filter((workspace) => workspace.name === idOrName);
  if (named !== undefined && others.length === 0) return named;
  throw failure(
    named === undefined
      ? `Workspace ${idOrName} does not exist.`
      : `${others.length + 1} workspaces are named ${idOrName}.`,
    'List workspace ids with "mooring workspace list".',
  );
}

async function onlyWorkspace(client: MooringClient): Promise<Workspace> {
  const all = await client.workspaces.list();
  const [first, ...others] = all;
  if (first === undefined) {
    throw failure('No workspaces.', 'Create one with "mooring workspace create --name NAME".');
  }
  if (others.length === 0) return first;
  throw usageError(`There are ${all.length} workspaces.`, `Select one with --workspace: ${namesOf(all)}.`);
}

/** The value of --workspace for each: its id if the name is not unique, and a quoted name if it has spaces. */
function namesOf(workspaces: readonly Workspace[]): string {
  const nameCounts = new Map<string, number>();
  for (const { name } of workspaces) nameCounts.set(name, (nameCounts.get(name) ?? 0) + 1);
  const values = workspaces.slice(0, listedMax).map(({ workspaceId, name }) => {
    if (nameCounts.get(name) !== 1) return `${workspaceId} (${name})`;
    return /^[\w.-]+$/.test(name) ? name : JSON.stringify(name);
  });
  const more = workspaces.length - values.length;
  return more === 0 ? values.join(', ') : `${values.join(', ')} and ${more} more`;
}
