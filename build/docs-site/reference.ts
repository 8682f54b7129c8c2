// Reference tables of /docs: error codes, scopes, event types, limits, and what is not supported, made from their definitions.
import { errorCatalogue } from '../../server/contract/errors.ts';
import type { eventTypes } from '../../server/contract/events.ts';
import * as limits from '../../server/http/base/limits.ts';

export interface ReferenceTable {
  readonly id: string;
  readonly title: string;
  readonly intro: string;
  readonly rows: readonly (readonly [name: string, value: string])[];
}

const scopes: ReferenceTable['rows'] = [
  ['fs:read', 'Read, list, query, export and stream files; subscribe.'],
  ['fs:write', 'Write and delete files, merge, import.'],
  ['sync:read', 'Read the sync status of providers, dead letters and pending operations.'],
  [
    'sync:trigger',
    'Send inbound events, replay dead letters, refresh, acknowledge operations, sweep drafts: on every path that access rules do not deny the agent, within the path scopes of the token. Only granted on request.',
  ],
  ['ops:read', 'Read operations.'],
  ['ops:replay', 'Replay dead-lettered operations.'],
  ['admin:read', 'Counters of all workspaces, `/metrics`. Only granted on request.'],
  ['admin:replay', 'Replays in all workspaces. Only granted on request.'],
  ['webhooks:read', 'List webhook endpoints and their dead letters. Only granted on request.'],
  ['webhooks:write', 'Register and remove webhook endpoints. Only granted on request.'],
  ['webhooks:replay', 'Replay webhook deliveries. Only granted on request.'],
  [
    'relayfile:fs:read:/docs/**',
    'A path scope: an exact path, `/dir/*` and `/dir/**` (the directory and its descendants), or `prefix*`. It replaces the bare scope of that action. With `ops:*` and `sync:read`, operations and dead letters of other paths are omitted, and so are the counts of providers whose directory it does not cover completely. `webhooks:*` without a path covers the paths of the file scopes; endpoints of others with a glob outside are omitted.',
  ],
];

const notOffered: ReferenceTable['rows'] = [
  [
    '/api/v1/workspaces/{workspaceId}/integrations',
    'Connections to third parties and all routes below: **404**. Register a provider instead.',
  ],
  ['relaycastApiKey', 'The key of another service: always `not-provided`.'],
];

const events: Readonly<Record<(typeof eventTypes)[number], string>> = {
  'file.created': 'A file was created.',
  'file.updated': 'The content or metadata of a file changed.',
  'file.deleted': 'A file was deleted.',
  'dir.created': 'A directory got its first file.',
  'dir.deleted': 'The last file of a directory was deleted.',
  'sync.error': 'An inbound event could not be applied; it is a dead letter.',
  'sync.ignored': 'An inbound event of a type that changes no file.',
  'sync.suppressed': 'An inbound event that repeats a write of this workspace.',
  'sync.stale': 'An inbound event that is older than the file that it would change.',
  'writeback.failed': 'An operation could not be sent to its provider.',
  'writeback.succeeded': 'An operation was sent to its provider.',
};

export function referenceTables(): readonly ReferenceTable[] {
  return [
    {
      id: 'errors',
      title: 'Error codes',
      intro: 'Every error is `{code, message, correlationId}`, some with additional members.',
      rows: Object.entries(errorCatalogue).map(([code, { status, meaning }]) => [
        code,
        `**${status}** ${meaning}`,
      ]),
    },
    { id: 'scopes', title: 'Scopes', intro: 'The permissions of a token.', rows: scopes },
    {
      id: 'event-types',
      title: 'Event types',
      intro: 'Types in the feed, in streams and in webhooks. Webhook endpoints receive only `file.*`.',
      rows: Object.entries(events),
    },
    {
      id: 'limits',
      title: 'Limits',
      intro:
        'Above a limit a request is refused, clamped, or answered with Retry-After, as its route describes.',
      rows: Object.entries(limits).map(([name, value]) => [name, limitText(name, value)]),
    },
    {
      id: 'not-offered',
      title: 'Not supported',
      intro: 'Functions of the hosted service that a local agent does not have.',
      rows: notOffered,
    },
  ];
}

const mebibyte = 1024 * 1024;

/** The name of a limit contains its unit. */
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
