// What an identity reads or changes, over every route and through every queue, is what its rules and grants allow it by direct calls:
// for random access rules, scopes, path grants, delete quotas and requests, asked of the whole HTTP face over the real store.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpAgent, openHttpAgent } from '../support/http-agent.ts';
import { runs } from '../support/scale.ts';
import { asked, exempt, ownersOnly, queues, type Sent } from './authority/routes.ts';
import { Identity, inject, makeWorld, Pick, type Plan, plans, type World } from './authority/world.ts';

const W = '/v1/workspaces/:workspaceId';
const longMs = 600_000;
const requestsMax = 12;
const registered = new Set<string>();
const figures = { answers: 0, accepted: 0, changed: 0 };
let agent: HttpAgent;

beforeAll(async () => {
  agent = await openHttpAgent({
    externalWriteback: 'all',
    http: {
      onRoute: ({ method, url }) => {
        const all = url.endsWith('/*') ? ['ANY'] : [method].flat();
        for (const one of all) registered.add(`${one} ${url}`);
      },
    },
  });
});
afterAll(() => agent.close());

interface Step {
  readonly route: string;
  /** What of the world it is about. */
  readonly numbers?: readonly number[];
  /** Instead of what the numbers choose. */
  readonly exact?: (world: World) => Sent & { readonly parameters?: Readonly<Record<string, string>> };
}

const names = Object.keys(asked);
const step: fc.Arbitrary<Step> = fc.record({
  route: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...names) },
    { weight: 5, arbitrary: fc.constantFrom(...queues) },
    { weight: 1, arbitrary: fc.constantFrom(...ownersOnly) },
  ),
  numbers: fc.array(fc.nat(997), { minLength: 8, maxLength: 8 }),
});

async function snapshot(workspaceId: string) {
  const call = (route: string) =>
    inject(agent, agent.ownerToken, 'GET', `/v1/workspaces/${workspaceId}${route}`);
  const files = await agent.workspaces.listFiles(workspaceId, '/', null, 10_000);
  const operations = (await call('/ops?limit=1000')).json.items as {
    opId: string;
    path: string;
    status: string;
  }[];
  const webhooks = (await call('/webhooks')).json as { id: string }[];
  const untold = (await call('/webhooks/dlq?limit=1000')).json.items as {
    deliveryId: string;
    status: string;
  }[];
  const forks = (await call('/forks')).json.forks as { forkId: string }[];
  const runs = (await call('/runs')).json.runs as { runId: string; state: string }[];
  const letters = (await call('/sync/dead-letter?limit=1000')).json.items as { envelopeId: string }[];
  return {
    files: new Map(files.map(({ path, revision, hash }) => [path, `${revision} ${hash}`])),
    operations,
    forks: new Set(forks.map(({ forkId }) => forkId)),
    openRuns: new Set(runs.filter(({ state }) => state === 'open').map(({ runId }) => runId)),
    webhooks: new Set(webhooks.map(({ id }) => id)),
    dead: new Set(
      untold.filter(({ status }) => status === 'dead_lettered').map(({ deliveryId }) => deliveryId),
    ),
    letters: new Set(letters.map(({ envelopeId }) => envelopeId)),
  };
}

/** Sends the requests, and says what of an answer the identity may not know. */
async function ask(
  world: World,
  identity: Identity,
  token: string,
  steps: readonly Step[],
): Promise<readonly string[]> {
  const wrong: string[] = [];
  let bearer = token;
  for (const { route, numbers = [0], exact } of steps) {
    const pick = new Pick(numbers, world);
    const { parameters: given = {}, ...sending } = exact?.(world) ?? { ...asked[route]?.(pick) };
    const { query = {}, body, headers } = sending;
    const [method = '', pattern = ''] = route.split(' ');
    const filled = pattern
      .replace(':workspaceId', world.workspaceId)
      .replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(given[name] ?? pick.id(name)));
    const parameters = new URLSearchParams(query).toString();
    const url = parameters === '' ? filled : `${filled}?${parameters}`;
    const answer = await inject(agent, bearer, method, url, body, headers);
    if (queues.includes(route)) await agent.ingest.idle();
    figures.answers += 1;
    if (answer.status < 300) figures.accepted += 1;
    if (answer.status >= 500) wrong.push(`${route} answered ${answer.status}: ${answer.text}`);
    if (ownersOnly.includes(route) && answer.status < 400) wrong.push(`${route} answered ${answer.status}`);
    if (route.endsWith('/join') && answer.status < 300) bearer = answer.json.token;
    const sent = decodeURIComponent(url) + JSON.stringify(body ?? '');
    for (const endpoint of world.endpoints) {
      if (answer.text.includes(endpoint.word) && !identity.mayUse('webhooks:read', endpoint))
        wrong.push(`${method} ${url} told of the endpoint of ${endpoint.directory}`);
    }
    if (
      route === `GET ${W}/forks` &&
      answer.text.includes(world.ids.forkId?.[0] ?? '?') &&
      !identity.maySeeFork()
    )
      wrong.push('the owner’s fork was listed');
    const [openRun = '?', committedRun = '?'] = world.ids.runId ?? [];
    if (route === `GET ${W}/runs` && answer.text.includes(openRun) && !identity.maySeeFork())
      wrong.push('the owner’s run was listed');
    if (route === `GET ${W}/runs` && answer.text.includes(committedRun))
      wrong.push('the owner’s committed run was listed');
    for (const { word, path, of } of world.words) {
      if (!answer.text.includes(word) || sent.includes(word)) continue;
      if (of === 'name' ? !identity.maySee(path) : !identity.mayRead(path))
        wrong.push(
          `${method} ${url} ${JSON.stringify(body)} told the ${of} of ${path}: ${answer.text.slice(0, 600)}`,
        );
    }
  }
  await agent.ingest.idle();
  return wrong;
}

/** Every way in which the requests did, or told, more than the identity may. */
async function excessOf(plan: Plan, steps: readonly Step[]): Promise<readonly string[]> {
  const world = await makeWorld(agent, plan);
  const { workspaceId } = world;
  const identity = new Identity(plan, world);
  if (identity.scopes.length === 0) return [];
  const { deletesPerMinute } = plan;
  const { token } = await agent.tokens.issue({
    workspaceId,
    agent: 'mallory',
    scopes: identity.scopes,
    ...(deletesPerMinute === null ? {} : { deletesPerMinute }),
  });
  const before = await snapshot(workspaceId);
  const wrong = [...(await ask(world, identity, token, steps))];
  const after = await snapshot(workspaceId);
  const changed = new Set([...before.files.keys(), ...after.files.keys()]);
  for (const path of changed) {
    if (before.files.get(path) === after.files.get(path)) continue;
    figures.changed += 1;
    if (identity.mayChange(path)) continue;
    wrong.push(`${path} was ${after.files.has(path) ? 'written' : 'taken away'}`);
  }
  const gone = [...before.files.keys()].filter((path) => !after.files.has(path));
  if (deletesPerMinute !== null && gone.length > deletesPerMinute)
    wrong.push(`${gone.length} deletions with a quota of ${deletesPerMinute}: ${gone.join(', ')}`);
  for (const { opId, path, status } of before.operations) {
    const now = after.operations.find((one) => one.opId === opId);
    if (now?.status !== status && !identity.mayChange(path))
      wrong.push(`${opId} of ${path} became ${now?.status}`);
  }
  for (const [index, envelopeId] of (world.ids.envelopeId ?? []).entries()) {
    const path = `/${'abc'[index] ?? ''}/letter`;
    if (!after.letters.has(envelopeId) && !identity.mayChange(path))
      wrong.push(`the letter about ${path} was put away`);
  }
  wrong.push(...excessOfOthers(world, identity, { before, after }));
  await agent.workspaces.remove(workspaceId);
  return wrong;
}

/** What belongs to others beside files and their queues: forks and endpoints. */
function excessOfOthers(
  { endpoints }: World,
  identity: Identity,
  { before, after }: Readonly<Record<'before' | 'after', Awaited<ReturnType<typeof snapshot>>>>,
): readonly string[] {
  const wrong: string[] = [];
  for (const forkId of before.forks) {
    if (!after.forks.has(forkId) && !identity.mayChangeFork()) wrong.push('the owner’s fork was ended');
  }
  for (const runId of before.openRuns) {
    if (!after.openRuns.has(runId) && !identity.mayChangeFork()) wrong.push('the owner’s run was ended');
  }
  for (const endpoint of endpoints) {
    const isThere = after.webhooks.has(endpoint.webhookId);
    if (!isThere && !identity.mayUse('webhooks:write', endpoint))
      wrong.push(`the endpoint of ${endpoint.directory} was removed`);
    if (isThere && !after.dead.has(endpoint.deliveryId) && !identity.mayUse('webhooks:replay', endpoint))
      wrong.push(`a delivery to the endpoint of ${endpoint.directory} was replayed`);
  }
  return wrong;
}

test('every registered route is asked, or says why not', () => {
  const known = [...Object.keys(asked), ...ownersOnly, ...Object.keys(exempt)];
  expect([...registered].toSorted()).toEqual(known.toSorted());
});

const everything = {
  'fs:read': 'everywhere',
  'fs:write': 'everywhere',
  'sync:read': 'everywhere',
  'sync:trigger': 'everywhere',
} as const;
const open: Plan = { rules: ['open', 'open', 'open'], grants: everything, deletesPerMinute: null };
const ofA = (kind: string) => (world: World) =>
  world.paths.find((path) => path.startsWith('/a/') && path.endsWith(`${kind}.json`)) ?? '';
const ingest = (body: (world: World) => object): Step => ({
  route: `POST ${W}/webhooks/ingest`,
  exact: (world) => ({ body: { provider: 'hub', event_type: 'file.updated', ...body(world) } }),
});

/** Attacks that once succeeded, as programs of the property. */
const attacks: readonly { readonly name: string; readonly plan: Plan; readonly steps: readonly Step[] }[] = [
  {
    name: 'a webhook rewrites the rules that deny its sender',
    plan: { ...open, rules: ['closed', 'open', 'open'] },
    steps: [
      ingest(() => ({
        path: '/a/.relayfile.acl',
        data: { content: '{"semantics":{"permissions":["allow:public"]}}' },
      })),
      { route: `GET ${W}/fs/file`, exact: (world) => ({ query: { path: ofA(' plain')(world) } }) },
    ],
  },
  {
    name: 'a sweep deletes beyond path grants and quota',
    plan: { ...open, grants: { ...everything, 'fs:read': '/a', 'fs:write': '/a' }, deletesPerMinute: 1 },
    steps: [
      {
        route: `POST ${W}/writeback/sweep-drafts`,
        exact: () => ({ body: { patterns: ['*'], apply: true } }),
      },
    ],
  },
  {
    name: 'webhooks delete beyond the quota',
    plan: { ...open, deletesPerMinute: 1 },
    steps: [' plain', ' dead', ' waits'].map((kind) =>
      ingest((world) => ({ event_type: 'file.deleted', path: ofA(kind)(world) })),
    ),
  },
  {
    name: 'an acknowledgement moves a hidden file',
    plan: { ...open, rules: ['closed', 'open', 'open'] },
    steps: [
      {
        route: `POST ${W}/writeback/:itemId/ack`,
        exact: (world) => ({
          parameters: { itemId: world.waiting },
          body: { success: true, canonicalPath: '/a/elsewhere.json' },
        }),
      },
    ],
  },
];

test('what is allowed is done, so that the property does not hold for want of changes', async () => {
  const before = figures.changed;
  const steps = [ingest((world) => ({ event_type: 'file.deleted', path: ofA(' plain')(world) }))];
  expect(await excessOf({ ...open, deletesPerMinute: 1 }, steps)).toEqual([]);
  expect(figures.changed).toBe(before + 1);
});

test.each(attacks)('refused: $name', async ({ plan, steps }) => {
  expect(await excessOf(plan, steps)).toEqual([]);
});

test(
  'nothing is read or changed beyond what direct calls allow',
  async () => {
    const outcome = await fc.check(
      fc.asyncProperty(
        plans,
        fc.array(step, { minLength: 4, maxLength: requestsMax }),
        async (plan, steps) => {
          expect(await excessOf(plan, steps)).toEqual([]);
        },
      ),
      runs(6, longMs),
    );
    const { answers, accepted, changed } = figures;
    process.stdout.write(
      `authority: seed ${outcome.seed}, ${outcome.numRuns} runs, ${answers} answers, ${accepted} of them 2xx, ${changed} changes\n`,
    );
    if (outcome.failed) throw new Error(fc.defaultReportMessage(outcome), { cause: outcome.errorInstance });
    // Where nothing is let in, nothing is shown.
    expect(accepted).toBeGreaterThan(answers / 10);
  },
  longMs + 60_000,
);
