// The names of workspaces: how a workspace is displayed, and how it is passed to --workspace. An id is used only where a name is not unique.
import type { MooringClient, Workspace } from '../../../sdk/index.ts';
import { displayFolder, formatTime } from './display.ts';
import { failure, usageError } from './failure.ts';
import { plural } from './output.ts';
import { shellWord } from './shell-word.ts';

/** Maximum number of workspaces that an error lists. */
const listedMax = 20;

type Named = Pick<Workspace, 'workspaceId' | 'name'>;

export class WorkspaceNames {
  readonly #workspaces: readonly Named[];
  readonly #counts = new Map<string, number>();

  constructor(workspaces: readonly Named[]) {
    this.#workspaces = workspaces;
    for (const { name } of workspaces) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** `docs`, or `docs (rw_…)` if several have that name. An unknown workspace is its id. */
  display(workspaceId: string): string {
    const name = this.#workspaces.find((each) => each.workspaceId === workspaceId)?.name;
    if (name === undefined) return workspaceId;
    return this.#counts.get(name) === 1 ? name : `${name} (${workspaceId})`;
  }

  /** The value of --workspace, quoted if it has to be. */
  argument(workspaceId: string): string {
    const name = this.#workspaces.find((each) => each.workspaceId === workspaceId)?.name;
    if (name === undefined || this.#counts.get(name) !== 1) return workspaceId;
    return shellWord(name);
  }

  /** For an error: values of --workspace, the ids of equal names with what distinguishes them. */
  list(): string {
    const values = this.#workspaces.slice(0, listedMax).map(({ workspaceId, name }) => {
      const value = this.argument(workspaceId);
      return value === workspaceId ? `${workspaceId} (${name})` : value;
    });
    const more = this.#workspaces.length - values.length;
    return more === 0 ? values.join(', ') : `${values.join(', ')} and ${more} more`;
  }
}

export async function workspaceNames(client: MooringClient): Promise<WorkspaceNames> {
  return new WorkspaceNames(await client.workspaces.list());
}

/** By id, or by a name that only one workspace has. @throws CommandFailure: unknown, or an ambiguous name with its candidates. */
export function findByName(workspaces: readonly Workspace[], idOrName: string): Workspace {
  const byId = workspaces.find((workspace) => workspace.workspaceId === idOrName);
  if (byId !== undefined) return byId;
  const [named, ...others] = workspaces.filter((workspace) => workspace.name === idOrName);
  if (named !== undefined && others.length === 0) return named;
  if (named !== undefined) {
    const candidates = [named, ...others].map(describeCandidate);
    throw usageError(
      `${candidates.length} workspaces are named ${idOrName}.`,
      `Pass the id of one of them: ${candidates.slice(0, listedMax).join(', ')}.`,
    );
  }
  if (workspaces.length === 0) throw noWorkspace();
  throw failure(
    `Workspace ${idOrName} does not exist.`,
    `Pass the name or id of one of these: ${new WorkspaceNames(workspaces).list()}.`,
  );
}

function describeCandidate({ workspaceId, files, createdAt }: Workspace): string {
  return `${workspaceId} (${plural(files, 'file')}, created ${formatTime(createdAt)})`;
}

export function onlyOf(workspaces: readonly Workspace[]): Workspace {
  const [first, ...others] = workspaces;
  if (first === undefined) throw noWorkspace();
  if (others.length === 0) return first;
  throw usageError(
    `There are ${workspaces.length} workspaces.`,
    `Select one with --workspace: ${new WorkspaceNames(workspaces).list()}.`,
  );
}

function noWorkspace(): Error {
  return failure('No workspaces.', 'Create one with "mooring workspace create --name NAME".');
}

/** A folder as an argument that can be pasted. */
export function folderArgument(dir: string): string {
  const shown = displayFolder(dir);
  // A shell does not expand ~ in quotes.
  return shellWord(shown) === shown ? shown : shellWord(dir);
}
