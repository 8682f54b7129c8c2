// What /docs tells beside the routes: error codes, scopes, event types and limits, each from where it is decided. And an example
// of a call, made from the schema of its route. Pure.
import { errorCatalogue } from '../../contract/errors.ts';
import type { eventTypes } from '../../contract/events.ts';
import * as limits from '../base/limits.ts';

export interface ReferenceTable {
  readonly id: string;
  readonly title: string;
  readonly intro: string;
  readonly rows: readonly (readonly [name: string, value: string])[];
}

const scopes: ReferenceTable['rows'] = [
  ['fs:read', 'Read, list, query, export and follow files; subscribe.'],
  ['fs:write', 'Write and delete files, merge, import.'],
  ['sync:read', 'See how providers, their queue and dead letters are, and what waits to go out.'],
  [
    'sync:trigger',
    'Send webhooks in, replay dead letters, refresh, acknowledge what was carried out, sweep drafts: at every path that no access rule denies the agent and within the path grants of the token. Never granted unasked.',
  ],
  ['ops:read', 'See operations.'],
  ['ops:replay', 'Put dead-lettered operations back.'],
  ['admin:read', 'Figures over all workspaces, `/metrics`. Never granted unasked.'],
  ['admin:replay', 'Replays over all workspaces. Never granted unasked.'],
  ['webhooks:read', 'See registered addresses and their dead letters. Never granted unasked.'],
  ['webhooks:write', 'Register and remove addresses. Never granted unasked.'],
  ['webhooks:replay', 'Tell an address again. Never granted unasked.'],
  [
    'relayfile:fs:read:/docs/**',
    'The same for paths: an exact path, `/dir/*` (below), `/dir/**` (with the directory), `prefix*`. It takes the place of the bare scope of that action. With `ops:*` and `sync:read` it leaves out operations, items and dead letters of other paths, and figures of providers whose directory it does not cover as a whole. `webhooks:*` is confined to it, and without a path to the paths of the file scopes: endpoints of others with a glob elsewhere are not there.',
  ],
];

const notOffered: ReferenceTable['rows'] = [
  [
    '/api/v1/workspaces/{workspaceId}/integrations',
    'Connections to third parties, with everything below it: **404**. Register a provider instead.',
  ],
  ['relaycastApiKey', 'A key of another service: always `not-provided`.'],
];

const events: Readonly<Record<(typeof eventTypes)[number], string>> = {
  'file.created': 'A file is new.',
  'file.updated': 'A file has new content or metadata.',
  'file.deleted': 'A file is gone.',
  'dir.created': 'A directory has its first file.',
  'dir.deleted': 'A directory has lost its last file.',
  'sync.error': 'A webhook could not be applied; it is a dead letter.',
  'sync.ignored': 'A webhook of a type that changes no file.',
  'sync.suppressed': 'A webhook that repeats a write of our own.',
  'sync.stale': 'A webhook that is older than what it would change.',
  'writeback.failed': 'A change could not be carried to its provider.',
  'writeback.succeeded': 'A change was carried to its provider.',
};

export function referenceTables(): readonly ReferenceTable[] {
  return [
    {
      id: 'errors',
      title: 'Error codes',
      intro: 'Every refusal is `{code, message, correlationId}`, some with further fields.',
      rows: Object.entries(errorCatalogue).map(([code, { status, meaning }]) => [
        code,
        `**${status}** ${meaning}`,
      ]),
    },
    { id: 'scopes', title: 'Scopes', intro: 'What a token may do.', rows: scopes },
    {
      id: 'event-types',
      title: 'Event types',
      intro: 'Of the feed, the stream and webhooks. A webhook out is sent for `file.*` alone.',
      rows: Object.entries(events),
    },
    {
      id: 'limits',
      title: 'Limits',
      intro: 'Beyond these a request is refused, clamped or told to come back, as its route says.',
      rows: Object.entries(limits).map(([name, value]) => [name, limitText(name, value)]),
    },
    {
      id: 'not-offered',
      title: 'Not offered',
      intro: 'What a hosted service has and an agent on one machine does not.',
      rows: notOffered,
    },
  ];
}

const mebibyte = 1024 * 1024;

/** The name of a limit says its unit. */
function limitText(name: string, value: number | Readonly<Record<string, number>>): string {
  if (typeof value !== 'number') {
    return Object.entries(value)
      .map(([bound, number]) => `${bound} ${number.toLocaleString('en')}`)
      .join(', ');
  }
  if (/bytes/i.test(name) && value % mebibyte === 0) return `${value / mebibyte} MiB`;
  if (/bytes/i.test(name) && value % 1024 === 0) return `${value / 1024} KiB`;
  return name.endsWith('Ms') ? `${value / 1000} s` : value.toLocaleString('en');
}

// ---- examples

interface ExampleSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
  readonly required?: readonly string[];
  readonly items?: ExampleSchema;
}

export interface ExampleOperation {
  readonly security?: readonly unknown[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: ExampleSchema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: ExampleSchema }>> };
}

/** A call that a reader can copy: `$API`, `$TOKEN` and `$WORKSPACE` are theirs. */
export function exampleCall(method: string, path: string, operation: ExampleOperation): string {
  const parameters = (operation.parameters ?? []).filter(({ required }) => required);
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema = {} }) => `${name}=${encodeURIComponent(String(exampleOf(schema, name)))}`);
  const where = path.replaceAll(
    /\{([^}]+)\}/g,
    (_, name: string) => `$${name.replace(/Id$/, '').toUpperCase()}`,
  );
  const headers = parameters
    .filter((parameter) => parameter.in === 'header')
    .map(({ name, schema = {} }) => `-H '${name}: ${String(exampleOf(schema, name))}'`);
  const secured = (operation.security ?? []).length > 0 ? ['-H "Authorization: Bearer $TOKEN"'] : [];
  const [media, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const data =
    media === undefined || body === undefined
      ? []
      : media === 'application/json'
        ? [`-d '${JSON.stringify(exampleOf(body.schema, 'body')).replaceAll("'", "'\\''")}'`]
        : [`--data-binary @FILE -H 'content-type: ${media}'`];
  const verb = method === 'get' ? [] : [`-X ${method.toUpperCase()}`];
  const url = `"$API${where}${query.length === 0 ? '' : `?${query.join('&')}`}"`;
  return ['curl', ...verb, url, ...secured, ...headers, ...data].join(' ');
}

/** The schema's own example, else the plainest value that it takes. */
function exampleOf(schema: ExampleSchema, name: string): unknown {
  const [given] = schema.examples ?? [];
  if (given !== undefined) return given;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  if (schema.properties !== undefined) {
    const needed = Object.entries(schema.properties).filter(([key]) => schema.required?.includes(key));
    return Object.fromEntries(needed.map(([key, value]) => [key, exampleOf(value, key)]));
  }
  if (schema.type === 'array') return schema.items === undefined ? [] : [exampleOf(schema.items, name)];
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  if (schema.type === 'boolean') return true;
  return schema.type === 'object' ? {} : name;
}
