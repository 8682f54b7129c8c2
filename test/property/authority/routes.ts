// Every registered route as the property of authority asks it: what of a random request goes into it, or why it is not asked. A route
// that is in none of these tables makes the test fail.
import type { Pick } from './world.ts';

/** What a route is sent. `path` goes into the query; `forkId` too. */
export interface Sent {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
type Make = (pick: Pick) => Sent;

const W = '/v1/workspaces/:workspaceId';
const any = { 'if-match': '*' };
const nothing: Make = () => ({});
const emptyBody: Make = () => ({ body: {} });
const read: Make = (pick) => ({ query: { path: pick.path(), limit: '50', ...pick.fork() } });
const under: Make = (pick) => ({ query: { path: pick.directory(), ...pick.fork() } });
const content = (pick: Pick) => ({ content: pick.text(), ...pick.semantics() });
const webhook = (pick: Pick, path: string) => ({
  event_type: pick.of('file.updated', 'file.created', 'file.deleted', 'file.deleted', 'job.done'),
  path,
  data: { content: pick.text(), ...pick.object(), ...pick.semantics() },
});
const letters = (pick: Pick) => ({ filter: pick.of({}, {}, { envelopeIds: [pick.id('envelopeId')] }) });
const operations = (pick: Pick) => ({ filter: pick.of({}, {}, { opIds: [pick.id('opId')] }) });
const decided = (pick: Pick) =>
  pick.of({}, { decisions: [{ path: pick.file(), take: pick.of('run', 'workspace') }] });
/** A tool of the MCP server, called without a session (2025 era). */
const toolCall = (pick: Pick) => {
  const path = pick.path();
  const [name, args] = pick.of<[string, object]>(
    ['list_files', { path: pick.directory() }],
    ['read_file', { path }],
    ['history', { path, below: pick.of(true, false), diff: pick.of(true, false) }],
    ['status', {}],
    ['search', { query: '.', mode: 'regex', path: pick.directory() }],
    ['search', { query: pick.of('a', '/'), mode: 'name', path: pick.directory() }],
    ['write_file', { path, content: 'own text', baseRevision: '*', dryRun: pick.of(true, false) }],
    ['edit_file', { path, edits: [{ oldText: '"', newText: "'" }], dryRun: pick.of(true, false) }],
    ['move_file', { from: path, to: pick.file(), baseRevision: '*', dryRun: pick.of(true, false) }],
    ['delete_file', { path, confirm: true, dryRun: pick.of(true, false) }],
    ['restore', { path, revision: pick.id('revision'), confirm: true }],
    ['wait_for_changes', { cursor: pick.id('eventId'), timeoutSeconds: 0 }],
  );
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
};

/** Asked for itself, with what it needs to do something. */
export const asked: Readonly<Record<string, Make>> = {
  [`GET ${W}/fs/tree`]: under,
  [`GET ${W}/fs/file`]: read,
  [`HEAD ${W}/fs/file`]: read,
  // A write may set rules for its own file; who writes a file of access rules directly is who may, so none is written here.
  [`PUT ${W}/fs/file`]: (pick) => ({
    query: { path: pick.file(), ...pick.fork() },
    body: content(pick),
    headers: any,
  }),
  [`DELETE ${W}/fs/file`]: (pick) => ({ query: { path: pick.file(), ...pick.fork() }, headers: any }),
  [`POST ${W}/fs/bulk`]: (pick) => ({
    query: pick.fork(),
    body: { files: [pick.file(), pick.file()].map((path) => ({ path, ...content(pick) })) },
  }),
  [`POST ${W}/fs/bulk-read`]: (pick) => ({ query: pick.fork(), body: { paths: [pick.path(), pick.path()] } }),
  [`POST ${W}/fs/merge`]: (pick) => ({
    query: { path: pick.file() },
    body: { strategy: 'text', content: pick.text(), baseRevision: pick.id('revision'), baseContent: '' },
  }),
  [`GET ${W}/fs/mirrors`]: nothing,
  [`GET ${W}/fs/events`]: under,
  [`GET ${W}/fs/changes`]: (pick) => ({
    query: { path: pick.directory(), ...pick.of({ last: '50' }, { since: 'evt_0' }) },
  }),
  [`GET ${W}/fs/changes/resource`]: (pick) => ({ query: { eventId: pick.id('eventId') } }),
  [`GET ${W}/fs/query`]: under,
  [`GET ${W}/fs/search`]: (pick) => ({
    query: {
      path: pick.directory(),
      // Matches every line and every name, without naming one.
      ...pick.of(
        { mode: 'regex', q: '.' },
        { mode: 'regex', q: '[a-z]+', context: '2' },
        { mode: 'name', q: pick.of('a', 'e', '/') },
        { mode: 'literal', q: 'e' },
        { mode: 'text', q: 'a* ' },
      ),
      wait: '2000',
      limit: pick.of('1', '50'),
      ...pick.fork(),
    },
  }),
  [`GET ${W}/fs/export`]: (pick) => ({
    query: { path: pick.directory(), format: pick.of('json', 'patch'), ...pick.fork() },
  }),
  [`GET ${W}/fs/import/github-tarball/jobs/:jobId`]: nothing,
  [`GET ${W}/fs/history`]: read,
  [`GET ${W}/fs/diff`]: (pick) => ({
    query: { path: pick.file(), from: pick.id('revision'), to: pick.id('revision') },
  }),
  [`GET ${W}/fs/history/tree`]: (pick) => ({
    query: { path: pick.directory(), revision: pick.id('revision') },
  }),
  [`POST ${W}/fs/restore`]: (pick) => ({
    body: {
      path: pick.of('/', pick.directory(), pick.file()),
      revision: pick.id('revision'),
      dryRun: pick.of(true, false),
    },
  }),
  [`POST ${W}/forks`]: (pick) => ({ body: { proposalId: pick.id('proposalId') } }),
  [`GET ${W}/forks`]: nothing,
  [`GET ${W}/forks/:forkId`]: nothing,
  [`GET ${W}/forks/:forkId/changes`]: nothing,
  [`DELETE ${W}/forks/:forkId`]: nothing,
  [`POST ${W}/forks/:forkId/rebase`]: emptyBody,
  [`POST ${W}/forks/:forkId/commit`]: emptyBody,
  [`POST ${W}/runs`]: emptyBody,
  [`GET ${W}/runs`]: nothing,
  [`GET ${W}/runs/:runId`]: nothing,
  [`GET ${W}/runs/:runId/summary`]: nothing,
  [`POST ${W}/runs/:runId/folder`]: emptyBody,
  [`GET ${W}/runs/:runId/folder`]: nothing,
  [`POST ${W}/runs/:runId/folder/sync`]: emptyBody,
  [`GET ${W}/runs/:runId/folder/ignored`]: nothing,
  [`DELETE ${W}/runs/:runId`]: nothing,
  [`POST ${W}/runs/:runId/commit`]: (pick) => ({
    body: { ...pick.of({}, { paths: [pick.file()] }), ...decided(pick) },
  }),
  [`POST ${W}/runs/:runId/undo`]: (pick) => ({ body: { dryRun: pick.of(true, false), ...decided(pick) } }),
  'POST /mcp': (pick) => ({
    headers: { accept: 'application/json, text/event-stream' },
    body: toolCall(pick),
  }),
  [`POST ${W}/webhooks/ingest`]: (pick) => ({
    body: {
      provider: pick.of('hub', 'a', 'b'),
      ...pick.of({}, { delivery_id: 'same' }),
      ...webhook(pick, pick.of(pick.path(), pick.path(), pick.aclFile())),
    },
  }),
  [`GET ${W}/sync/status`]: nothing,
  [`GET ${W}/sync/ingress`]: nothing,
  [`GET ${W}/sync/dead-letter`]: nothing,
  [`POST ${W}/sync/dead-letter/replay`]: (pick) => ({
    body: { ...letters(pick), patch: pick.of({ path: pick.path() }, { data: { encoding: null } }) },
  }),
  [`POST ${W}/sync/dead-letter/ack`]: (pick) => ({ body: letters(pick) }),
  [`GET ${W}/sync/dead-letter/:envelopeId`]: nothing,
  [`GET ${W}/sync/dead-letter/:envelopeId/detail`]: nothing,
  [`POST ${W}/sync/dead-letter/:envelopeId/preview`]: (pick) => ({
    body: pick.of({}, { patch: { data: { encoding: null } } }, { payload: webhook(pick, pick.path()) }),
  }),
  [`POST ${W}/sync/dead-letter/:envelopeId/replay`]: (pick) => ({
    body: pick.of(
      {},
      { patch: { data: { encoding: null } } },
      { payload: webhook(pick, pick.of(pick.path(), pick.aclFile())) },
    ),
  }),
  [`POST ${W}/sync/dead-letter/:envelopeId/ack`]: emptyBody,
  [`POST ${W}/sync/refresh`]: emptyBody,
  [`GET ${W}/ops`]: nothing,
  [`GET ${W}/ops/:opId`]: nothing,
  [`GET ${W}/ops/:opId/steps`]: nothing,
  [`POST ${W}/ops/:opId/replay`]: (pick) => ({ body: { send: pick.of('current', 'original') } }),
  [`POST ${W}/ops/replay`]: (pick) => ({ body: operations(pick) }),
  [`GET ${W}/writeback/pending`]: nothing,
  [`POST ${W}/writeback/:itemId/ack`]: (pick) => ({
    body: {
      success: pick.of(true, true, false),
      ...pick.of(
        {},
        { canonicalPath: pick.path() },
        { canonicalPath: pick.aclFile() },
        { externalId: 'x-1' },
      ),
    },
  }),
  [`POST ${W}/writeback/:itemId/cancel`]: emptyBody,
  [`POST ${W}/writeback/:itemId/send`]: emptyBody,
  [`POST ${W}/writeback/send`]: (pick) => ({ body: operations(pick) }),
  [`POST ${W}/writeback/cancel`]: (pick) => ({ body: operations(pick) }),
  [`POST ${W}/writeback/sweep-drafts`]: (pick) => ({
    body: {
      patterns: ['*'],
      apply: pick.of(true, true, false),
      ...pick.of({}, { pathPrefix: pick.directory() }),
    },
  }),
  [`GET ${W}/webhooks`]: nothing,
  [`DELETE ${W}/webhooks/:subscriptionId`]: nothing,
  [`GET ${W}/webhooks/dlq`]: nothing,
  [`POST ${W}/webhooks/dlq/:deliveryId/replay`]: emptyBody,
  [`GET ${W}/subscriptions`]: nothing,
  [`POST ${W}/subscriptions/deliveries/claim`]: () => ({
    body: { subscriberId: 's', limit: 10, leaseSeconds: 60 },
  }),
  'POST /v1/admin/replay/op/:opId': emptyBody,
  'POST /v1/admin/replay/ops/:opId': emptyBody,
  'POST /v1/admin/replay/envelope/:envelopeId': nothing,
  'POST /v1/admin/replay/envelopes/:envelopeId': nothing,
  'GET /v1/admin/backends': nothing,
  'GET /v1/admin/ingress': nothing,
  'GET /v1/admin/sync': nothing,
  'GET /metrics': nothing,
  // What is made here is a token: those after it in the program are asked with it, under the name of another agent.
  'POST /api/v1/workspaces/:workspaceId/join': () => ({ body: { agentName: 'alice' } }),
};

/** The queues: asked more often than the rest. */
export const queues: readonly string[] = Object.keys(asked).filter(
  (name) =>
    /ingest|sweep|dead-letter.*(replay|ack)|writeback|ops.*replay|admin\/replay/.test(name) &&
    name.startsWith('POST'),
);

/** Whoever is not the owner is refused; asked with nothing. */
export const ownersOnly: readonly string[] = [
  `GET ${W}/ops/:opId/preview`,
  `GET ${W}/writeback/:itemId/preview`,
  `GET ${W}/providers`,
  `POST ${W}/providers`,
  `GET ${W}/providers/:provider`,
  `PATCH ${W}/providers/:provider`,
  `DELETE ${W}/providers/:provider`,
  `POST ${W}/providers/:provider/pause`,
  `POST ${W}/providers/:provider/resume`,
  `POST ${W}/providers/:provider/test`,
  'GET /v1/workspaces',
  'POST /v1/workspaces',
  'GET /v1/users',
  'POST /v1/users',
  'PATCH /v1/users/:userId',
  'POST /v1/users/:userId/invite',
  `GET ${W}/users`,
  `POST ${W}/users`,
  `PUT ${W}/users/:userId`,
  `DELETE ${W}/users/:userId`,
  `POST ${W}/users/:userId/invite`,
  'PATCH /v1/workspaces/:workspaceId',
  'DELETE /v1/workspaces/:workspaceId',
  `POST ${W}/restore`,
  `GET ${W}/tokens`,
  `POST ${W}/tokens`,
  `DELETE ${W}/tokens/:tokenId`,
  `GET ${W}/remotes`,
  `POST ${W}/remotes`,
  `POST ${W}/remotes/:remoteId/pause`,
  `POST ${W}/remotes/:remoteId/resume`,
  `DELETE ${W}/remotes/:remoteId`,
  `GET ${W}/mirrors`,
  `POST ${W}/mirrors`,
  `POST ${W}/mirrors/:mirrorId/pause`,
  `POST ${W}/mirrors/:mirrorId/resume`,
  `DELETE ${W}/mirrors/:mirrorId`,
  `PATCH ${W}/mirrors/:mirrorId`,
  `GET ${W}/mirrors/:mirrorId/halt`,
  `GET ${W}/mirrors/:mirrorId/problems`,
  `POST ${W}/mirrors/:mirrorId/halt`,
  `POST ${W}/mirrors/:mirrorId/rule-preview`,
  `GET ${W}/mirrors/:mirrorId/proof`,
  `POST ${W}/mirrors/:mirrorId/proof`,
  `GET ${W}/mirrors/:mirrorId/plan`,
  `GET ${W}/explain`,
  `POST ${W}/mirrors/path-states`,
  `GET ${W}/conflicts`,
  `GET ${W}/conflicts/:conflictId`,
  `POST ${W}/conflicts/:conflictId/resolve`,
  'POST /api/v1/workspaces',
  'GET /v1/agent/status',
  'POST /v1/agent/settle',
  'POST /v1/agent/sign-in/link',
  'POST /v1/agent/sign-in/renew',
  'GET /v1/agent/sign-in/sessions',
  'DELETE /v1/agent/sign-in/sessions',
  'DELETE /v1/agent/sign-in/sessions/:sessionId',
  'POST /v1/agent/backup',
  'GET /v1/folders',
  'GET /v1/folders/count',
  'GET /v1/agent/diagnostics',
  'GET /v1/agent/diagnostics/bundle',
  'GET /v1/agent/logs',
  'GET /v1/agent/logs/minutes',
  'GET /v1/agent/settings',
  'PATCH /v1/agent/settings',
  'GET /v1/agent/clients',
  'GET /v1/agent/changes',
  'GET /v1/agent/search-index',
  'POST /v1/agent/search-index/rebuild',
];

const noFiles = 'knows nothing of files';
export const exempt: Readonly<Record<string, string>> = {
  'GET /health': noFiles,
  'HEAD /health': noFiles,
  'GET /ready': noFiles,
  'HEAD /ready': noFiles,
  'GET /v1/openapi.json': noFiles,
  'GET /docs': noFiles,
  'HEAD /docs': noFiles,
  'ANY /docs/*': noFiles,
  'POST /v1/agent/sign-in/exchange': noFiles,
  'POST /v1/agent/sign-in/challenge': noFiles,
  'POST /v1/agent/sign-in/refresh': noFiles,
  'GET /v1/agent/sign-in/methods': noFiles,
  'POST /v1/agent/sign-in/openid': noFiles,
  'POST /v1/agent/sign-in/openid/finish': noFiles,
  'GET /v1/users/me': noFiles,
  'POST /v1/invites/look-up': noFiles,
  'POST /v1/invites/exchange': noFiles,
  'POST /v1/invites/join': noFiles,
  'GET /mcp': 'always refused: 405',
  'DELETE /mcp': 'always refused: 405',
  ...Object.fromEntries(
    ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration'].flatMap((name) => [
      [`GET /.well-known/${name}`, noFiles],
      [`GET /.well-known/${name}/mcp`, noFiles],
    ]),
  ),
  'ANY /api/v1/workspaces/:workspaceId/integrations/*': 'there are no integrations: always refused',
  'POST /v1/internal/webhook-envelopes':
    'signed: acts as the provider, and no token reaches it (test/http/authority.test.ts)',
  'POST /api/v1/auth/token/refresh': 'the same token for a shorter time (test/http/control-plane.test.ts)',
  'POST /api/v1/workspaces/:workspaceId/relayfile/mount-session': 'makes the token that join makes',
  [`GET ${W}/fs/ws`]: 'a socket: the feed that fs/events answers (test/http/socket/socket.test.ts)',
  [`POST ${W}/fs/import/github-tarball`]:
    'a binary body, each file checked as in fs/bulk (test/http/import.test.ts)',
  [`POST ${W}/fs/import/github-tarball/fetch`]: 'fetches from no host here (test/http/import.test.ts)',
  [`POST ${W}/webhooks`]: 'calls out: test/http/webhooks-out.test.ts',
  [`POST ${W}/subscriptions`]: 'of resources by id: test/http/subscriptions.test.ts',
  [`DELETE ${W}/subscriptions/:subscriptionId`]: 'there is none: test/http/subscriptions.test.ts',
  [`POST ${W}/subscriptions/deliveries/:deliveryId/accept`]: 'there is none: test/http/subscriptions.test.ts',
};
