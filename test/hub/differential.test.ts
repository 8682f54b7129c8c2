// The same random requests to an agent and to a hub: every answer of both says the same, and in the end so do their lists of files,
// history, events, operations and dead letters. What is random by its nature (ids, words of the test, times) is named by its first occurrence.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noPostgres } from '../../build/postgres.ts';
import { asked } from '../property/authority/routes.ts';
import {
  Identity,
  inject,
  makeWorld,
  Pick,
  type Plan,
  plans,
  type World,
} from '../property/authority/world.ts';
import { type HttpAgent, openHttpAgent } from '../support/http-agent.ts';
import { hubDatabase } from '../support/hub-database.ts';
import { runs } from '../support/scale.ts';

const longMs = 600_000;
const W = '/v1/workspaces/:workspaceId';

/** These speak of the machine or of the time, or are answered by a process of its own (search). */
const notCompared = new Set([
  'GET /metrics',
  'POST /mcp',
  `GET ${W}/fs/search`,
  `GET ${W}/fs/export`,
  'GET /v1/admin/backends',
  // A hub keeps no folders.
  `POST ${W}/runs/:runId/folder`,
]);
const routes = Object.keys(asked).filter((route) => !notCompared.has(route));

let agents: readonly HttpAgent[] = [];
beforeAll(async () => {
  if (noPostgres !== null) return;
  const hubUrl = await hubDatabase(`differential ${process.pid}`);
  agents = await Promise.all(
    [{}, { hubUrl }].map((one) => openHttpAgent({ externalWriteback: 'all', ...one })),
  );
});
afterAll(() => Promise.all(agents.map((agent) => agent.close())));

interface Step {
  readonly route: string;
  readonly numbers: readonly number[];
  readonly asOwner: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  route: fc.constantFrom(...routes),
  numbers: fc.array(fc.nat(997), { minLength: 8, maxLength: 8 }),
  asOwner: fc.boolean(),
});

const random = [
  /[0-9a-f]{64}/,
  /(?:\b[a-z]{2,7}_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/,
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/,
  /\b[a-z]{2,7}_[a-z0-9]{8,}/,
  /w\d{7}x/,
  /127\.0\.0\.1:\d+/,
  /eyJ[\w-]+\.[\w-]+\.[\w-]+/,
].map((pattern) => pattern.source);
const randomPart = new RegExp(random.join('|'), 'g');
const time = /^\d{4}-/;

/** Names of what is random in the answers of one server, in the order in which they are seen. */
class Names {
  readonly #names = new Map<string, string>();

  in(text: string): string {
    return text.replace(randomPart, (found) => {
      if (time.test(found)) return 'TIME';
      const known = this.#names.get(found);
      if (known !== undefined) return known;
      const name = `<${this.#names.size}>`;
      this.#names.set(found, name);
      return name;
    });
  }
}

interface Side {
  readonly agent: HttpAgent;
  readonly world: World;
  readonly token: string;
  readonly names: Names;
}

async function sideOf(agent: HttpAgent, plan: Plan): Promise<Side> {
  const world = await makeWorld(agent, plan);
  const { token } = await agent.tokens.issue({
    workspaceId: world.workspaceId,
    agent: 'mallory',
    scopes: new Identity(plan, world).scopes,
    ...(plan.deletesPerMinute === null ? {} : { deletesPerMinute: plan.deletesPerMinute }),
  });
  return { agent, world, token, names: new Names() };
}

async function answerTo({ route, numbers, asOwner }: Step, side: Side): Promise<string> {
  const { agent, world, token, names } = side;
  const pick = new Pick(numbers, world);
  const { query = {}, body, headers } = asked[route]?.(pick) ?? {};
  const [method = '', pattern = ''] = route.split(' ');
  const filled = pattern
    .replace(':workspaceId', world.workspaceId)
    .replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(pick.id(name)));
  const parameters = new URLSearchParams(query).toString();
  const url = parameters === '' ? filled : `${filled}?${parameters}`;
  const { status, text } = await inject(
    agent,
    asOwner ? agent.ownerToken : token,
    method,
    url,
    body,
    headers,
  );
  await agent.ingest.idle();
  return names.in(`${method} ${url} -> ${status} ${text}`);
}

/** Says where they differ: an answer may have thousands of characters. */
function expectEqual(agents = '', hubs = ''): void {
  let at = 0;
  while (at < agents.length && agents[at] === hubs[at]) at += 1;
  const around = (text: string) =>
    `${text.slice(0, 120)} ... ${text.slice(Math.max(120, at - 120), at + 120)}`;
  if (agents !== hubs) throw new Error(`the agent: ${around(agents)}\nthe hub: ${around(hubs)}`);
}

const lists = [
  '/fs/tree?path=/&depth=10&limit=1000',
  '/fs/history?path=/&limit=200',
  '/fs/events?limit=1000',
  '/ops?limit=1000',
  '/sync/dead-letter?limit=1000',
  '/sync/ingress',
  '/forks',
  '/runs',
  '/webhooks/dlq?limit=1000',
];

async function stateOf({ agent, world, names }: Side): Promise<readonly string[]> {
  const answers = [];
  for (const list of lists) {
    const { status, text } = await inject(
      agent,
      agent.ownerToken,
      'GET',
      `/v1/workspaces/${world.workspaceId}${list}`,
    );
    answers.push(names.in(`${list} -> ${status} ${list.startsWith('/fs/events') ? inOrder(text) : text}`));
  }
  return answers;
}

interface EventList {
  readonly events: { readonly eventId: string; readonly origin: string; readonly provider: string }[];
}

/** Envelopes of different providers are applied side by side: which one ends first says nothing. Of one provider their order counts. */
function inOrder(text: string): string {
  const list = JSON.parse(text) as EventList;
  const { events } = list;
  for (let from = 0, upto = 0; from < events.length; from = upto) {
    const isApplied = events[from]?.origin === 'provider_sync';
    upto = from + 1;
    while (upto < events.length && isApplied && events[upto]?.origin === 'provider_sync') upto += 1;
    const applied = events.slice(from, upto);
    const sorted = applied.toSorted((one, other) => one.provider.localeCompare(other.provider, 'en'));
    events.splice(
      from,
      applied.length,
      ...sorted.map((event, at) => ({ ...event, eventId: applied[at]?.eventId ?? '' })),
    );
  }
  return JSON.stringify(list);
}

it(
  'an agent and a hub answer the same requests alike',
  async ({ skip }) => {
    skip(noPostgres !== null, noPostgres ?? '');
    let answers = 0;
    const outcome = await fc.check(
      fc.asyncProperty(plans, fc.array(step, { minLength: 4, maxLength: 20 }), async (plan, steps) => {
        const sides = await Promise.all(agents.map((agent) => sideOf(agent, plan)));
        for (const one of steps) {
          const [first, second] = await Promise.all(sides.map((side) => answerTo(one, side)));
          expectEqual(first, second);
          answers += 1;
        }
        const [first = [], second = []] = await Promise.all(sides.map(stateOf));
        for (const [index, list] of first.entries()) expectEqual(list, second[index]);
        for (const { agent, world } of sides) await agent.workspaces.remove(world.workspaceId);
      }),
      {
        ...runs(5, longMs),
        endOnFailure: true,
      },
    );
    process.stdout.write(`differential: seed ${outcome.seed}, ${outcome.numRuns} runs, ${answers} answers\n`);
    if (outcome.failed) throw outcome.errorInstance;
    expect(answers).toBeGreaterThan(20);
  },
  longMs + 60_000,
);
