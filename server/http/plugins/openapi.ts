// The OpenAPI document, read off the routes: every route carries its schemas, this names the shared ones and adds what
// belongs to the whole.
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import * as admin from '../../contract/admin.ts';
import * as agent from '../../contract/agent.ts';
import * as changes from '../../contract/changes.ts';
import * as conflicts from '../../contract/conflicts.ts';
import * as control from '../../contract/control.ts';
import { ErrorBody } from '../../contract/errors.ts';
import * as events from '../../contract/events.ts';
import * as explain from '../../contract/explain.ts';
import * as files from '../../contract/files.ts';
import * as forks from '../../contract/forks.ts';
import * as history from '../../contract/history.ts';
import * as imports from '../../contract/imports.ts';
import * as merge from '../../contract/merge.ts';
import * as operations from '../../contract/operations.ts';
import * as pathStates from '../../contract/path-states.ts';
import * as proof from '../../contract/proof.ts';
import * as providers from '../../contract/providers.ts';
import * as subscriptions from '../../contract/subscriptions.ts';
import * as sync from '../../contract/sync.ts';
import * as webhooks from '../../contract/webhooks.ts';
import * as workspaces from '../../contract/workspaces.ts';

const tags = [
  { name: 'Files', description: 'The filesystem of a workspace.' },
  { name: 'Forks', description: 'A view of a workspace with changes of its own, committed as one.' },
  { name: 'History', description: 'What was, what differs, and bringing it back.' },
  { name: 'Events', description: 'What changed: the feed and the live stream.' },
  { name: 'Operations', description: 'What was queued for providers.' },
  { name: 'Writeback', description: 'Outbound items for external consumers.' },
  { name: 'Providers', description: 'Who carries changes to the outside, by the owner.' },
  { name: 'Sync', description: 'What comes in from providers: webhooks, their queue, dead letters.' },
  { name: 'Webhooks', description: 'Addresses that are told of changes.' },
  { name: 'Subscriptions', description: 'Events of one resource that wait until they are accepted.' },
  { name: 'Admin', description: 'Figures and repairs over all workspaces.' },
  { name: 'Workspaces', description: 'Management of workspaces, by the owner.' },
  { name: 'Tokens', description: 'Access tokens of a workspace, by the owner.' },
  { name: 'Mirrors', description: 'Folders that show a workspace, by the owner.' },
  { name: 'Conflicts', description: 'Two versions of one file, and which is wanted, by the owner.' },
  {
    name: 'Control plane',
    description:
      'How a client of the reference’s control plane comes to a workspace and its token. Here alone `X-Correlation-Id` may be absent. Not offered: the routes below `/api/v1/workspaces/{workspaceId}/integrations` (they answer 404; providers are registered by the owner instead) and the browser login.',
  },
  { name: 'Sign-in', description: 'How a browser page comes to its token.' },
  { name: 'Agent', description: 'The agent itself.' },
];

const description = `One agent on this machine serves the files of its workspaces.

**Access.** Requests carry \`Authorization: Bearer <token>\` and \`X-Correlation-Id\`, a free text that comes back in errors, events and operations. A token belongs to one workspace and carries scopes, which may be confined to paths. The owner token (in the data directory) may do everything.

**Errors** are \`{code, message, correlationId}\`. What is wrong is looked for in this order: route, token, workspace, scope, access rules of the file, correlation id, rate, body.

**Times** are RFC 3339 in UTC. **Revisions** are \`rev_<n>\` and grow with every change of any workspace.`;

type Node = Record<string, unknown>;

export async function registerOpenApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    exposeHeadRoutes: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Mooring',
        version,
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } as { name: string },
      },
      servers: [{ url: 'http://127.0.0.1:4417', description: 'The agent on this machine.' }],
      tags,
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'An access token, or the owner token.',
          },
          token: {
            type: 'apiKey',
            in: 'query',
            name: 'token',
            description: 'The access token of a WebSocket stream.',
          },
        },
      },
    },
    convertConstToEnum: false,
    refResolver: { buildLocalReference: (schema) => String(schema.$id) },
    transformObject: (document) =>
      finish('openapiObject' in document ? (document.openapiObject as Node) : {}),
  });
  for (const schema of sharedSchemas()) app.addSchema(schema);
}

/** Every schema of the contract that has a name, in the order of the names, with references where it holds another one. */
function sharedSchemas(): Node[] {
  const named = [
    admin,
    agent,
    changes,
    conflicts,
    control,
    events,
    explain,
    files,
    forks,
    history,
    imports,
    merge,
    operations,
    pathStates,
    proof,
    providers,
    subscriptions,
    sync,
    webhooks,
    workspaces,
  ].flatMap((words) => (Object.values(words) as unknown[]).filter(isNamed));
  return [ErrorBody as unknown as Node, ...named]
    .sort((one, other) => (String(one.$id) < String(other.$id) ? -1 : 1))
    .map((schema) => ({ ...(withReferences(schema, true) as Node), $id: schema.$id }));
}

function isNamed(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && '$id' in value;
}

function withReferences(value: unknown, top: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, false));
  if (typeof value !== 'object' || value === null) return value;
  if (!top && isNamed(value)) return { $ref: `${String(value.$id)}#` };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withReferences(inner, false)]));
}

/** What the generator cannot say: which bodies may be left out. */
function finish(document: Node): Node {
  for (const path of Object.values((document.paths ?? {}) as Record<string, Record<string, Node>>)) {
    for (const operation of Object.values(path)) {
      const body = operation.requestBody as
        | { required?: boolean; content: Record<string, { schema: Node }> }
        | undefined;
      for (const media of Object.values(body?.content ?? {})) {
        delete media.schema['x-body-described'];
        if (body === undefined || !('x-body-optional' in media.schema)) continue;
        body.required = false;
        delete media.schema['x-body-optional'];
      }
    }
  }
  return document;
}

/** The document of an app that is ready. */
export function openApiDocument(app: FastifyInstance): Readonly<Record<string, unknown>> {
  return app.swagger() as unknown as Record<string, unknown>;
}
