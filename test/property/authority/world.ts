// A workspace in which every file and every queue has words of its own, so that whatever answer holds one of them tells of what it
// speaks; and an identity with what it may do by direct calls, worked out from its rules and grants alone.
import fc from 'fast-check';
import type { HttpAgent } from '../../support/http-agent.ts';

const directories = ['/a', '/b', '/c'] as const;
type Directory = (typeof directories)[number];

/** How a directory, or a file of its own, is closed to `mallory`. */
type Rule = 'open' | 'closed' | 'others only' | 'one file';
export interface Plan {
  readonly rules: readonly Rule[];
  /** null: no such scope; `everywhere`: the bare scope; else the directory of a path grant. */
  readonly grants: Readonly<Record<string, null | 'everywhere' | Directory>>;
  readonly deletesPerMinute: number | null;
}

const webhookScopes = ['webhooks:read', 'webhooks:write', 'webhooks:replay'] as const;
type WebhookScope = (typeof webhookScopes)[number];
const scopeNames = ['fs:read', 'fs:write', 'sync:read', 'sync:trigger', 'ops:read', 'ops:replay'] as const;
const grant = (wide: number) =>
  fc.oneof(
    { weight: wide, arbitrary: fc.constant('everywhere' as const) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.constantFrom(...directories) },
  );

export const plans: fc.Arbitrary<Plan> = fc.record({
  rules: fc.array(fc.constantFrom<Rule>('open', 'closed', 'others only', 'one file'), {
    minLength: 3,
    maxLength: 3,
  }),
  grants: fc.record({
    'fs:read': grant(2),
    'fs:write': grant(2),
    'sync:read': grant(6),
    'sync:trigger': grant(6),
    'ops:read': grant(6),
    'ops:replay': grant(6),
    'admin:replay': grant(1),
    'webhooks:read': grant(2),
    'webhooks:write': grant(2),
    'webhooks:replay': grant(2),
  }),
  deletesPerMinute: fc.constantFrom(null, null, 1, 2),
});

/** Turns random numbers into what a request is about. */
export class Pick {
  readonly #numbers: readonly number[];
  readonly #world: World;
  #at = 0;

  constructor(numbers: readonly number[], world: World) {
    this.#numbers = numbers;
    this.#world = world;
  }

  of<T>(...from: readonly [T, ...T[]]): T {
    const number = this.#numbers[this.#at % this.#numbers.length] ?? 0;
    this.#at += 1;
    return from[number % from.length] ?? from[0];
  }

  directory = (): string => this.of('/', ...directories);
  file = (): string =>
    this.of('/a/new.json', '/b/new.json', ...this.#world.paths.filter((path) => !isAcl(path)));
  aclFile = (): string =>
    this.of(...(directories.map((one) => `${one}/.relayfile.acl`) as [string, ...string[]]));
  path = (): string => this.of(this.file(), this.file(), this.directory());
  text = (): string => this.of('own text', '{"semantics":{"permissions":["allow:public"]}}');
  semantics = () => this.of({}, {}, {}, { semantics: { properties: { k: 'v' } } });
  object = () =>
    this.of({}, {}, ...(['/a', '/b', '/c'].map((one) => ({ providerObjectId: `o${one}` })) as object[]));
  fork = (): { forkId?: string } => this.of({}, {}, {}, { forkId: this.id('forkId') });
  id = (name: string): string => {
    const known = this.#world.ids[name === 'itemId' ? 'opId' : name] ?? [];
    return this.of('none_1', ...known, ...known);
  };
}

function isAcl(path: string): boolean {
  return path.endsWith('/.relayfile.acl');
}

export interface World {
  readonly workspaceId: string;
  readonly paths: readonly string[];
  readonly ids: Readonly<Record<string, readonly string[]>>;
  /** An operation of a file below `/a` that waits. */
  readonly waiting: string;
  /** The owner's, each of one directory, with a dead letter. */
  readonly endpoints: readonly Endpoint[];
  /** Words that only one path, or its content, has. */
  readonly words: readonly {
    readonly word: string;
    readonly path: string;
    readonly of: 'name' | 'content';
  }[];
}

export interface Endpoint {
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly directory: Directory;
  /** Only its address has it. */
  readonly word: string;
}

let made = 0;
/** No two are alike, and none is part of another. */
function newWord(): string {
  made += 1;
  return `w${String(made).padStart(7, '0')}x`;
}

type Call = (method: string, route: string, body?: unknown, headers?: object) => Promise<Answer>;
export interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into bodies of every shape
  readonly json: any;
}

/** Without a socket: fast, and the same way through the app. */
export async function inject(
  agent: HttpAgent,
  token: string,
  method: string,
  url: string,
  body?: unknown,
  headers: object = {},
): Promise<Answer> {
  const answer = await agent.app.inject({
    method: method as 'GET',
    url,
    headers: {
      host: `127.0.0.1:${agent.port}`,
      authorization: `Bearer ${token}`,
      'x-correlation-id': 'property',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  const text = answer.body;
  const isJson = (answer.headers['content-type'] ?? '').toString().startsWith('application/json');
  return { status: answer.statusCode, text, json: isJson && text !== '' ? JSON.parse(text) : undefined };
}

function rulesOf(rule: Rule): string | null {
  if (rule === 'closed') return '{"semantics":{"permissions":["deny:agent:mallory","allow:public"]}}';
  return rule === 'others only' ? '{"semantics":{"permissions":["allow:agent:alice"]}}' : null;
}

/** Registered over the wire; what could not be sent is put into the store, since nothing is sent here. */
async function makeEndpoint(
  agent: HttpAgent,
  call: Call,
  workspaceId: string,
  directory: Directory,
): Promise<Endpoint> {
  const { webhooks } = agent.store;
  const word = newWord();
  const body = { url: `https://example.org/${word}`, pathGlobs: [`${directory}/**`] };
  const webhookId = (await call('POST', '/webhooks', body)).json.subscriptionId as string;
  const row = (await webhooks.list()).find((one) => one.webhookId === webhookId);
  if (row === undefined) throw new Error('no endpoint');
  const atMs = Date.now();
  const event = { timestamp: new Date(atMs).toISOString(), data: { path: `${directory}/told` } };
  const deliveries = [{ eventSeq: row.position, body: JSON.stringify(event) }];
  await webhooks.add({ workspaceId, webhookId, from: row.position, to: row.position + 1, atMs, deliveries });
  const [due] = await webhooks.lease({
    workspaceId,
    webhookId,
    owner: 'agent',
    atMs,
    leaseMs: 1_000,
    limit: 1,
  });
  if (due === undefined) throw new Error('no delivery');
  const outcome = { kind: 'refused', code: 'not_found', message: 'no', httpStatus: 410 } as const;
  const { number, attempts: attempt } = due;
  await webhooks.finish({ number, attempt, outcome, attemptsMax: 1, random: 0, atMs });
  return { webhookId, deliveryId: `dlv_${number}`, directory, word };
}

/** A run of the owner. */
async function makeRun(call: Call, stage: (forkId: string) => Promise<void>) {
  const run = (await call('POST', '/runs', { name: newWord() })).json as { runId: string; forkId: string };
  await stage(run.forkId);
  return run;
}

/** Files, operations that wait, that were delivered and that died, dead letters, objects of a provider, a fork: in each directory. */
export async function makeWorld(agent: HttpAgent, plan: Plan): Promise<World> {
  const { workspaceId } = await agent.workspaces.create({ name: 'Property' });
  const call: Call = (method, route, body, headers) =>
    inject(agent, agent.ownerToken, method, `/v1/workspaces/${workspaceId}${route}`, body, headers);
  const words: World['words'][number][] = [];
  const named = (path: string, of: 'name' | 'content', word = newWord()) => {
    words.push({ word, path, of });
    return word;
  };
  const files: { path: string; content: string; semantics?: object }[] = [];
  const letters: string[] = [];
  for (const [index, directory] of directories.entries()) {
    const rule = plan.rules[index] ?? 'open';
    const text = rulesOf(rule);
    if (text !== null) files.push({ path: `${directory}/.relayfile.acl`, content: text });
    for (const kind of ['plain', 'waits', 'dead', 'issue 0e89a031-65f0-480e-a823-ab1d94b324ea']) {
      const word = newWord();
      const path = `${directory}/${word} ${kind}.json`;
      named(path, 'name', word);
      const own =
        rule === 'one file' && kind === 'plain' ? { semantics: { permissions: ['deny:agent:mallory'] } } : {};
      files.push({ path, content: `"${named(path, 'content')}"`, ...own });
    }
    const word = newWord();
    const path = `${directory}/${word}.json`;
    named(path, 'name', word);
    await call('POST', '/webhooks/ingest', {
      provider: 'hub',
      event_type: 'file.created',
      path: `${directory}/object.json`,
      data: { content: named(`${directory}/object.json`, 'content'), providerObjectId: `o${directory}` },
    });
    const broken = { content: `*${named(path, 'content')}`, encoding: 'base64' };
    const letter = { provider: 'hub', event_type: 'file.updated', path: path.slice(index % 2), data: broken };
    letters.push((await call('POST', '/webhooks/ingest', letter)).json.id);
  }
  // So that numbers are the same in each world of a plan.
  await agent.ingest.idle();
  const bulk = await call('POST', '/fs/bulk', { files });
  if (bulk.status !== 202 || bulk.json.errorCount > 0) throw new Error(`no world: ${bulk.text}`);
  const items = (await call('GET', '/writeback/pending')).json as { id: string; path: string }[];
  for (const { id, path } of items) {
    if (path.endsWith('waits.json')) continue;
    await call('POST', `/writeback/${id}/ack`, { success: !path.endsWith('dead.json'), error: 'no' });
  }
  // A proposal belongs to one workspace, also after its end.
  const proposal = newWord();
  const fork = (await call('POST', '/forks', { proposalId: proposal })).json.forkId as string;
  const stage = async (forkId: string, name: string) => {
    for (const directory of directories) {
      const path = `${directory}/${name}`;
      const url = `/fs/file?path=${path}&forkId=${forkId}`;
      await call('PUT', url, { content: named(path, 'content') }, { 'if-match': '*' });
    }
  };
  await stage(fork, 'staged.json');
  const committed = await makeRun(call, (forkId) => stage(forkId, 'of a run.json'));
  await call('POST', `/runs/${committed.runId}/commit`, {});
  const open = await makeRun(call, (forkId) => stage(forkId, 'staged.json'));
  const endpoints: Endpoint[] = [];
  for (const one of directories) endpoints.push(await makeEndpoint(agent, call, workspaceId, one));
  await agent.ingest.idle();
  const events = (await call('GET', '/fs/events?limit=1000')).json.events as {
    eventId: string;
    revision: string;
  }[];
  const paths = (await agent.workspaces.listFiles(workspaceId, '/', null, 1_000)).map(({ path }) => path);
  return {
    workspaceId,
    paths,
    words,
    endpoints,
    waiting: items.find(({ path }) => path.startsWith('/a/') && path.endsWith(' waits.json'))?.id ?? '',
    ids: {
      opId: items.map(({ id }) => id),
      envelopeId: letters,
      forkId: [fork, open.forkId],
      runId: [open.runId, committed.runId],
      proposalId: [proposal, `${proposal}-1`, `${proposal}-2`],
      subscriptionId: endpoints.map(({ webhookId }) => webhookId),
      deliveryId: endpoints.map(({ deliveryId }) => deliveryId),
      eventId: events.map(({ eventId }) => eventId),
      revision: events.map(({ revision }) => revision).filter((revision) => revision !== ''),
    },
  };
}

/** What `mallory` may do by direct calls: the rules of the plan and its grants of files, and nothing of the code under test. */
export class Identity {
  readonly scopes: readonly string[];
  readonly #plan: Plan;
  readonly #world: World;

  constructor(plan: Plan, world: World) {
    this.#plan = plan;
    this.#world = world;
    this.scopes = [...scopeNames, ...webhookScopes, 'admin:replay'].flatMap((name) => {
      const given = plan.grants[name] ?? null;
      if (given === null) return [];
      return given === 'everywhere' ? [name] : [`relayfile:${name}:${given}/**`];
    });
  }

  #open(path: string): boolean {
    const index = directories.findIndex(
      (directory) => path === directory || path.startsWith(`${directory}/`),
    );
    const rule = index < 0 ? 'open' : (this.#plan.rules[index] ?? 'open');
    if (rule === 'closed' || rule === 'others only') return path === directories[index];
    return !(rule === 'one file' && path.endsWith(' plain.json') && this.#world.paths.includes(path));
  }

  #grants(scope: string, path: string): boolean {
    const given = this.#plan.grants[scope] ?? null;
    return given === 'everywhere' || (given !== null && path.startsWith(`${given}/`));
  }

  #has(scope: string): boolean {
    return (this.#plan.grants[scope] ?? null) !== null;
  }

  mayRead(path: string): boolean {
    // Whoever may write is shown what stands in the way of the write.
    return this.#open(path) && (this.#grants('fs:read', path) || this.#grants('fs:write', path));
  }

  /** A name, not a content: of one without any grant of files the scopes of the queues decide. */
  maySee(path: string): boolean {
    if (this.#has('fs:read') || this.#has('fs:write')) return this.mayRead(path);
    return this.#open(path);
  }

  mayChange(path: string): boolean {
    if (isAcl(path) || !this.#open(path)) return false;
    if (this.#grants('fs:write', path)) return true;
    // A forwarder of webhooks has no grant of files at all, or reads only (docs/wire-contract.md#who-acts-through-a-queue).
    if (this.#has('fs:write')) return false;
    if (
      this.#has('fs:read') &&
      this.#plan.grants['fs:read'] !== 'everywhere' &&
      !this.#grants('fs:read', path)
    )
      return false;
    return ['sync:trigger', 'admin:replay', 'ops:replay'].some((scope) => this.#grants(scope, path));
  }

  /** All that a fork has staged: whoever may not write one of them changes none. */
  mayChangeFork(): boolean {
    return directories.every((one) => {
      const path = `${one}/staged.json`;
      return this.#open(path) && this.#grants('fs:write', path);
    });
  }

  maySeeFork(): boolean {
    return directories.some((one) => this.mayRead(`${one}/staged.json`));
  }

  /** Grants alone: access rules are asked for each event. */
  mayUse(scope: WebhookScope, { directory }: Endpoint): boolean {
    const path = `${directory}/told`;
    if (!this.#grants(scope, path)) return false;
    if (this.#plan.grants[scope] !== 'everywhere') return true;
    const files = (['fs:read', 'fs:write'] as const).filter((one) => this.#has(one));
    return files.length === 0 || files.some((one) => this.#grants(one, path));
  }
}
