// Generates the OpenAPI document from the schemas of the routes, and adds the shared schemas, tags and general description.
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
import * as fileMirrors from '../../contract/file-mirrors.ts';
import * as files from '../../contract/files.ts';
import * as forks from '../../contract/forks.ts';
import * as history from '../../contract/history.ts';
import * as imports from '../../contract/imports.ts';
import * as logs from '../../contract/logs.ts';
import * as merge from '../../contract/merge.ts';
import * as newFolders from '../../contract/new-folders.ts';
import * as operations from '../../contract/operations.ts';
import * as pathStates from '../../contract/path-states.ts';
import * as proof from '../../contract/proof.ts';
import * as providers from '../../contract/providers.ts';
import * as remotes from '../../contract/remotes.ts';
import * as runs from '../../contract/runs.ts';
import * as search from '../../contract/search.ts';
import * as subscriptions from '../../contract/subscriptions.ts';
import * as sync from '../../contract/sync.ts';
import * as users from '../../contract/users.ts';
import * as webhooks from '../../contract/webhooks.ts';
import * as workspaces from '../../contract/workspaces.ts';

const tags = [
  { name: 'Files', description: 'The filesystem of a workspace.' },
  { name: 'Forks', description: 'Staged changes over a workspace, committed atomically.' },
  { name: 'Runs', description: 'Changes that are reviewed, committed wholly or in part, or undone as one.' },
  { name: 'History', description: 'Past revisions, diffs and restores.' },
  { name: 'Events', description: 'The event feed and the live stream.' },
  { name: 'Operations', description: 'Changes for providers, with their states.' },
  { name: 'Writeback', description: 'Pending operations, for external consumers.' },
  { name: 'Providers', description: 'External systems that receive changes. Managed by the owner.' },
  { name: 'Sync', description: 'Inbound events of providers, their queue and dead letters.' },
  { name: 'Webhooks', description: 'Endpoints that receive events.' },
  { name: 'Subscriptions', description: 'Durable queues of the events of one resource.' },
  { name: 'Admin', description: 'Counters and replays of all workspaces.' },
  { name: 'Workspaces', description: 'Workspaces. Managed by the owner.' },
  { name: 'Tokens', description: 'Access tokens of a workspace. Managed by the owner.' },
  {
    name: 'Users',
    description: 'Users of a hub, their roles in workspaces, and invites. An agent has none: 409.',
  },
  { name: 'Mirrors', description: 'Mirrored folders of a workspace. Managed by the owner.' },
  {
    name: 'Remotes',
    description: 'Workspaces of other servers that a workspace is synced with. Managed by the owner.',
  },
  { name: 'Conflicts', description: 'Conflicts of mirrors and their resolution. Managed by the owner.' },
  {
    name: 'Control plane',
    description:
      'Workspaces and tokens for clients of the reference’s control plane. Only here is `X-Correlation-Id` optional. Not supported: the routes below `/api/v1/workspaces/{workspaceId}/integrations` (404; the owner registers providers instead) and the browser login.',
  },
  { name: 'Sign-in', description: 'The sign-in of the browser UI.' },
  { name: 'Agent', description: 'The agent itself.' },
];

const description = `The API of an agent that serves the files of its workspaces on this machine.

**Access.** Requests carry \`Authorization: Bearer <token>\` and \`X-Correlation-Id\`, a free text that is repeated in errors, events and operations. A token belongs to one workspace and has scopes, which can be confined to paths. The owner token (in the data directory) has all rights.

**Errors** are \`{code, message, correlationId}\`. Checks run in this order: route, token, workspace, scope, access rules of the file, correlation id, rate, body.

**Times** are RFC 3339 in UTC. **Revisions** are \`rev_<n>\` and increase with every change of any workspace.`;

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
            description: 'An access token or the owner token.',
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

/** Every named schema of the contract, sorted by name, with references to other named schemas. */
function sharedSchemas(): Node[] {
  const named = [
    admin,
    agent,
    changes,
    conflicts,
    control,
    events,
    explain,
    fileMirrors,
    files,
    forks,
    history,
    imports,
    logs,
    merge,
    newFolders,
    operations,
    pathStates,
    proof,
    providers,
    remotes,
    runs,
    search,
    subscriptions,
    sync,
    users,
    webhooks,
    workspaces,
  ].flatMap((module) => (Object.values(module) as unknown[]).filter(isNamed));
  return [ErrorBody as unknown as Node, ...named]
    .sort((left, right) => (String(left.$id) < String(right.$id) ? -1 : 1))
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

/** Marks optional bodies, which the generator cannot express. */
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
