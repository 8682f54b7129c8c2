// How the author of a change is shown to people: in the command line, in tools of MCP, and in the UI. Pure.

interface ShownActor {
  readonly kind: string;
  readonly name: string;
  readonly client?: string | undefined;
}

/** Author of a folder's changes where the user of the machine has no name, and of those from before names were recorded. */
const folderActorName = 'Folder';

/**
 * `docs-agent`, `docs-agent (Claude Code)` for an MCP client, `maria (folder)` for changes from a mirrored folder, `anna (laptop)` for a
 * personal token of a user of a hub, which the API names `anna/laptop`.
 */
export function actorLabel({ kind, name, client = name }: ShownActor): string {
  if (kind === 'mirror') return name === folderActorName ? name : `${name} (folder)`;
  const [actor = name, ...agent] = name.split('/');
  const programs = [...agent, ...(client === name ? [] : [client])];
  return programs.length === 0 ? actor : `${actor} (${programs.join(', ')})`;
}
