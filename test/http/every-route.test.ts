// Who may use which route, asked of every route that there is: a new one is in these tables as soon as it is in the document.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bareScopes, webhookScopes } from '../../server/core/access/scope.ts';
import { request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
import { createManualClock } from '../support/manual-clock.ts';

const clock = createManualClock();
const scopes = [...bareScopes, ...webhookScopes];
/** Say themselves who may use them, in their own tests: two take a token in the body, three an invite, and one a signature. */
const openRoutes = [
  'GET /health',
  'GET /ready',
  'GET /v1/agent/sign-in/methods',
  'GET /v1/openapi.json',
  'POST /api/v1/auth/token/refresh',
  'POST /v1/agent/sign-in/challenge',
  'POST /v1/agent/sign-in/exchange',
  'POST /v1/agent/sign-in/openid',
  'POST /v1/agent/sign-in/openid/finish',
  'POST /v1/agent/sign-in/refresh',
  'POST /v1/internal/webhook-envelopes',
  'POST /v1/invites/exchange',
  'POST /v1/invites/join',
  'POST /v1/invites/look-up',
];

interface Route {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly isOpen: boolean;
  readonly isOfWorkspace: boolean;
  /** By its description; null: any token of the workspace. */
  readonly scopes: readonly string[] | null;
}

let agent: HttpAgent;
let workspaceId: string;
let routes: readonly Route[];

interface Documented {
  readonly description: string;
  readonly security: readonly object[];
}

/** What its first sentence names: `Scope: any grant of ...`, `Scopes: ... and ...`. The owner's routes name none. */
function scopesOf(description: string): readonly string[] | null {
  if (/or any token of the workspace|Any token\./.test(description)) return null;
  const [first = ''] = description.split(/\.\s/);
  return first.startsWith('Scope') ? scopes.filter((scope) => first.includes(`\`${scope}\``)) : [];
}

beforeAll(async () => {
  agent = await openHttpAgent({ clock });
  ({ workspaceId } = await makeWorkspace(agent));
  const { paths } = agent.app.openApiDocument() as { paths: Record<string, Record<string, Documented>> };
  routes = Object.entries(paths).flatMap(([pattern, methods]) =>
    Object.entries(methods).map(([method, { description, security }]) => ({
      name: `${method.toUpperCase()} ${pattern}`,
      method: method.toUpperCase(),
      url: pattern.replace('{workspaceId}', workspaceId).replaceAll(/\{\w+\}/g, 'x'),
      isOpen: security.length === 0,
      isOfWorkspace: pattern.includes('{workspaceId}'),
      scopes: scopesOf(description),
    })),
  );
});
afterAll(() => agent.close());

const ask = async ({ method, url }: Route, token: string | null) => {
  const takesBody = method !== 'GET' && method !== 'HEAD';
  return (await request(agent, url, { method, token, ...(takesBody ? { body: {} } : {}) })).status;
};

const tokenOf = async (given: readonly string[], more: { workspaceId?: string; ttlSeconds?: number } = {}) =>
  await agent.tokens.issue({ workspaceId, scopes: given, ...more });

test('no route is open but those that say so', () => {
  expect(
    routes
      .filter(({ isOpen }) => isOpen)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(openRoutes);
});

test('without a token, with one that has ended and with one that was revoked nothing is answered', async () => {
  const ended = await tokenOf(scopes, { ttlSeconds: 60 });
  const revoked = await tokenOf(scopes);
  expect(await ask(routes.find(({ name }) => name.endsWith('/fs/tree')) as Route, ended.token)).toBe(200);
  clock.advance(61_000);
  await agent.tokens.revoke(workspaceId, revoked.row.tokenId);
  for (const route of routes.filter(({ isOpen }) => !isOpen)) {
    const answers = [
      await ask(route, null),
      await ask(route, ended.token),
      await ask(route, revoked.token),
      await ask(route, `${agent.ownerToken.slice(0, -2)}xx`),
    ];
    expect([route.name, ...answers]).toEqual([route.name, 401, 401, 401, 401]);
  }
});

test('a token of another workspace, with every scope, is refused by every route of this one', async () => {
  const other = await makeWorkspace(agent);
  const { token } = await tokenOf(scopes, { workspaceId: other.workspaceId });
  for (const route of routes.filter(({ isOpen, isOfWorkspace }) => !isOpen && isOfWorkspace))
    expect([route.name, await ask(route, token)]).toEqual([route.name, 403]);
});

test.each(scopes)('%s alone opens no route but those that name it', async (scope) => {
  const { token } = await tokenOf([scope]);
  const wrong: string[] = [];
  for (const route of routes.filter(({ isOpen }) => !isOpen)) {
    const status = await ask(route, token);
    const isNamed = route.scopes === null || route.scopes.includes(scope);
    // One that asks for two scopes, or for a path of the other, still refuses.
    const mustPass = route.scopes?.length === 1 && isNamed;
    if ((status === 403 && mustPass) || (status !== 403 && !isNamed)) wrong.push(`${route.name}: ${status}`);
  }
  expect(wrong).toEqual([]);
});
