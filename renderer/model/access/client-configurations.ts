// What a program needs to use a new token: a line for its environment, a request, a client of the SDK, the entry of an MCP client
// (docs/agents.md#mcp-over-http). Pure.

export const configurationKinds = ['curl', 'SDK', 'MCP', '.env'] as const;
export type ConfigurationKind = (typeof configurationKinds)[number];

export const mcpClientNames = ['Claude Code', 'Codex', 'Cursor', 'Visual Studio Code'] as const;
export type McpClientName = (typeof mcpClientNames)[number];

export interface ClientAccess {
  /** Of the agent, without `/` at its end. */
  readonly url: string;
  readonly workspaceId: string;
  readonly token: string;
  /** Directory or file that the token is limited to; `/`: all files. */
  readonly path: string;
}

export interface ClientConfiguration {
  readonly text: string;
  /** Where the text belongs. */
  readonly place: string;
}

/** `client` decides for `MCP` alone. */
export function clientConfiguration(
  kind: ConfigurationKind,
  client: McpClientName,
  access: ClientAccess,
): ClientConfiguration {
  switch (kind) {
    case 'curl':
      return { text: curl(access), place: 'For a terminal: lists the files that the token may read.' };
    case 'SDK':
      return {
        text: typeScript(access),
        place: 'For Node.js 22 or later, beside the folder sdk of Mooring.',
      };
    case 'MCP':
      return mcp(client, access);
    case '.env':
      return { text: environment(access), place: 'For the file .env of a program.' };
  }
}

function curl({ url, workspaceId, token, path }: ClientAccess): string {
  const query = `path=${encodeURIComponent(path)}&depth=1`.replaceAll('%2F', '/');
  return `curl -s '${url}/v1/workspaces/${workspaceId}/fs/tree?${query.replaceAll("'", '%27')}' \\
  -H 'Authorization: Bearer ${token}' -H 'X-Correlation-Id: first-try'`;
}

function typeScript({ url, workspaceId, token, path }: ClientAccess): string {
  return `import { MooringClient } from './sdk/index.ts';

const client = new MooringClient({ baseUrl: '${url}', token: '${token}' });
const tree = await client.listTree('${workspaceId}', { path: ${JSON.stringify(path)}, depth: 1 });
console.log(tree.entries.map((entry) => entry.path));`;
}

function environment({ url, workspaceId, token }: ClientAccess): string {
  return `MOORING_URL=${url}\nMOORING_WORKSPACE=${workspaceId}\nMOORING_TOKEN=${token}`;
}

function mcp(client: McpClientName, { url, token }: ClientAccess): ClientConfiguration {
  const server = { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${token}` } };
  const json = (member: string): string => JSON.stringify({ [member]: { mooring: server } }, null, 2);
  switch (client) {
    case 'Claude Code':
      return { text: json('mcpServers'), place: 'For the file .mcp.json of a project.' };
    case 'Cursor':
      return {
        text: json('mcpServers'),
        place: 'For the file .cursor/mcp.json of a project.',
      };
    case 'Visual Studio Code':
      return {
        text: json('servers'),
        place: 'For the file .vscode/mcp.json of a project.',
      };
    case 'Codex':
      return {
        text: `[mcp_servers.mooring]\nurl = "${url}/mcp"\nbearer_token_env_var = "MOORING_TOKEN"`,
        place: 'For the file ~/.codex/config.toml. Codex reads the token from the variable MOORING_TOKEN.',
      };
  }
}
