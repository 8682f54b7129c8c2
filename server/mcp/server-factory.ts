// Builds the MCP server of one caller: the tools and resources that its session may use. Cheap, because HTTP builds one for each request: schemas
// are compiled once.
import { randomBytes } from 'node:crypto';
import {
  CLIENT_INFO_META_KEY,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ToolSpec } from '../contract/mcp.ts';
import { mcpCallId, plainClientName } from '../contract/mcp-call-id.ts';
import { packageVersion } from '../platform/version.ts';
import { fileTemplate, readFileResource, readView, views, viewTemplate } from './resources.ts';
import type { McpSession, ToolCall } from './session.ts';
import { skills } from './skill.ts';
import { errorResult } from './tool-error.ts';
import { toolSchemas } from './tool-schemas.ts';
import { tools } from './tools/all.ts';
import type { Tool } from './tools/tool.ts';

const instructions = [
  'A shared, versioned workspace of files. People and other agents change it at the same time. Paths are absolute.',
  'Read a file before you write it, and pass its revision as baseRevision. edit_file changes a part of a file.',
  'An answer with truncated: true is continued with its nextCursor as cursor. dryRun shows the effect and changes nothing.',
  'To follow changes, call wait_for_changes with the cursor of its last answer.',
  'History keeps earlier states, for 30 days by default: restore brings one back. For work that a person reviews first, begin a run with the tool changes.',
].join('\n');

/** Lists depend on the token, so no other caller may share them. */
const cacheHints = {
  'tools/list': { ttlMs: 300_000, cacheScope: 'private' },
  'server/discover': { ttlMs: 300_000, cacheScope: 'private' },
} as const;

export interface ServerOptions {
  /** Updates of a resource can be pushed on this connection. */
  readonly canSubscribe: boolean;
  /** The name that the client gave when it connected, for requests without it. */
  readonly knownClientName?: () => string | undefined;
}

export function createMooringServer(session: McpSession, options: ServerOptions): McpServer {
  const server = new McpServer(
    { name: 'mooring', title: 'Mooring', version: packageVersion },
    {
      instructions,
      cacheHints,
      capabilities: { tools: {}, resources: { subscribe: options.canSubscribe } },
    },
  );
  const open: Open = async (context) => {
    const clientName = plainClientName(clientNameOf(server, context) ?? options.knownClientName?.());
    const correlationId = mcpCallId(session.tag, clientName, randomBytes(8).toString('hex'));
    return { ...(await session.connect(correlationId, clientName)), signal: context.mcpReq.signal };
  };
  for (const tool of tools) {
    if (tool.spec.effect === 'reads' || session.canWrite) registerTool(server, tool, open);
  }
  registerResources(server, open);
  skills.attach(server);
  return server;
}

type Context = Pick<ServerContext, 'mcpReq'>;
type Open = (context: Context) => Promise<ToolCall>;

function registerTool(server: McpServer, { spec, run }: Tool, open: Open): void {
  const { title, description } = spec;
  const { input, output } = toolSchemas(spec);
  server.registerTool(
    spec.name,
    { title, description, inputSchema: input, outputSchema: output, annotations: hintsOf(spec) },
    async (args: unknown, context) => {
      try {
        const result = (await run(args as never, await open(context))) as Record<string, unknown>;
        return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result };
      } catch (error) {
        return errorResult(error);
      }
    },
  );
}

function hintsOf({ effect }: Pick<ToolSpec, 'effect'>) {
  return {
    readOnlyHint: effect === 'reads',
    destructiveHint: effect !== 'reads',
    idempotentHint: effect !== 'replaces',
    openWorldHint: false,
  };
}

function registerResources(server: McpServer, open: Open): void {
  server.registerResource(
    'file',
    new ResourceTemplate(fileTemplate, { list: undefined }),
    { title: 'A file of the workspace', description: 'Path without its first slash, percent-encoded.' },
    async (uri, _variables, context) => ({
      contents: [contentOf(await readFileResource(await open(context), uri.href))],
    }),
  );
  server.registerResource(
    'view',
    new ResourceTemplate(viewTemplate, {
      list: async (context) => ({ resources: await listViews(open, context) }),
    }),
    { title: 'Status and recent changes', mimeType: 'application/json' },
    async (uri, { view }, context) => ({
      contents: [contentOf(await readView(await open(context), uri.href, String(view)))],
    }),
  );
}

/** Without an agent there is nothing to list. */
async function listViews(open: Open, context: Context) {
  const call = await open(context).catch(() => null);
  if (call === null) return [];
  const { workspaceId } = call.session;
  return views.map((view) => ({
    uri: `mooring://${encodeURIComponent(workspaceId)}/${view}`,
    name: view,
    mimeType: 'application/json',
  }));
}

function contentOf<Content extends { readonly text?: string; readonly blob?: string }>(content: Content) {
  return content as Content & { text: string };
}

/** In the newer era each request has it, in the older one the connection. */
function clientNameOf({ server }: McpServer, { mcpReq }: Context): string | undefined {
  const envelope = mcpReq.envelope as Readonly<Record<string, { readonly name?: string }>> | undefined;
  return (envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion())?.name;
}
