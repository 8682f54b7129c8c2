// How a command names the workspace that it is about: by id or name, or not at all where there is only one.
import type { Command } from 'commander';
import type { MooringClient, Workspace } from '../../../sdk/index.ts';
import type { CommonOptions } from './arguments.ts';
import { connect } from './connect.ts';
import { CommandFailure, exitCodes } from './failure.ts';

/** Of so many the names stand in the error; who has more looks into the list. */
const namedMax = 20;

export interface WorkspaceOptions extends CommonOptions {
  readonly workspace?: string;
}

/** For every command about one workspace. A filter of a list over all workspaces is an option of its own. */
export function withWorkspace(command: Command): Command {
  return command.option('--workspace <workspace>', 'id or name; needed where there are several');
}

/** @throws CommandFailure, with exit code 2 where nothing says which of several is meant. */
export async function connectToWorkspace(
  options: WorkspaceOptions,
): Promise<{ readonly client: MooringClient; readonly workspaceId: string }> {
  const { client } = await connect(options);
  const { workspace } = options;
  const { workspaceId } =
    workspace === undefined ? await onlyWorkspace(client) : await findWorkspace(client, workspace);
  return { client, workspaceId };
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
  throw new CommandFailure(
    exitCodes.failed,
    named === undefined
      ? `There is no workspace ${idOrName}.`
      : `${others.length + 1} workspaces are named ${idOrName}.`,
    'See their ids with "mooring workspace list".',
  );
}

async function onlyWorkspace(client: MooringClient): Promise<Workspace> {
  const all = await client.workspaces.list();
  const [first, ...others] = all;
  if (first === undefined) {
    throw new CommandFailure(
      exitCodes.failed,
      'There is no workspace yet.',
      'Make one with "mooring workspace create --name NAME".',
    );
  }
  if (others.length === 0) return first;
  throw new CommandFailure(
    exitCodes.usage,
    `There are ${all.length} workspaces.`,
    `Name one of them with --workspace: ${namesOf(all)}.`,
  );
}

/** As each is to be written after --workspace: by its id where the name would not tell, or would not stay one word. */
function namesOf(workspaces: readonly Workspace[]): string {
  const times = new Map<string, number>();
  for (const { name } of workspaces) times.set(name, (times.get(name) ?? 0) + 1);
  const written = workspaces.slice(0, namedMax).map(({ workspaceId, name }) => {
    if (times.get(name) !== 1) return `${workspaceId} (${name})`;
    return /^[\w.-]+$/.test(name) ? name : JSON.stringify(name);
  });
  const more = workspaces.length - written.length;
  return more === 0 ? written.join(', ') : `${written.join(', ')} and ${more} more`;
}
