// The whole API under random requests: whatever comes in, it answers, and never with a 5xx. The routes are those of the
// OpenAPI document, so a new one is fuzzed from its first day.
import { Agent as ConnectionPool, request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
import { runs } from '../support/scale.ts';

const longMs = 600_000;
const answerDeadlineMs = 30_000;

let agent: HttpAgent;
let workspaceId: string;
let tokens: readonly string[];
let routes: readonly { readonly method: string; readonly path: string }[];
const connections = new ConnectionPool({ keepAlive: true, maxSockets: 8 });

beforeAll(async () => {
  const log = {
    error: (fields: object, message: string) => faults.push([message, fields]),
    warn: () => undefined,
    info: () => undefined,
    debug: () => undefined,
  };
  agent = await openHttpAgent({ config: { maxBodyBytes: 256 * 1024 }, log });
  const made = await makeWorkspace(agent);
  workspaceId = made.workspaceId;
  const narrow = await agent.tokens.issue({ workspaceId, path: '/docs/**' });
  const elsewhere = await makeWorkspace(agent);
  tokens = [agent.ownerToken, made.token, made.token, narrow.token, elsewhere.token, `${made.token}x`, ''];
  const { paths } = agent.app.openApiDocument() as { paths: Record<string, Record<string, unknown>> };
  routes = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
    )
    // A backup writes into any folder of this machine that it is given, so it gets none from here.
    .filter(({ path }) => path !== '/v1/agent/backup');
});
afterAll(async () => {
  connections.destroy();
  await agent.close();
});

/** What the agent logged as its own faults. */
const faults: unknown[] = [];

const segment = fc.oneof(
  fc.constantFrom(
    'docs',
    'a.md',
    '.',
    '..',
    '',
    '*',
    '**',
    '.relayfile.acl',
    '%',
    '\0',
    'é',
    '日本',
    'x'.repeat(300),
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const filePath = fc.oneof(
  fc.constantFrom('/', '', '/docs/a.md', '/docs', '/.relayfile.acl', 'docs/a.md/', `/${'d/'.repeat(150)}x`),
  fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
);
const scalar = fc.oneof(
  fc.constantFrom(
    '0',
    '1',
    '-1',
    '1e9',
    'NaN',
    '9999999999999999999',
    'asc',
    'desc',
    'json',
    'tar',
    'patch',
    'evt_1',
    'evt_0',
    'op_1',
    'rev_1',
    'true',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const query = fc.array(
  fc.tuple(
    fc.oneof(
      fc.constantFrom(
        'path',
        'depth',
        'cursor',
        'limit',
        'direction',
        'provider',
        'format',
        'relation',
        'permission',
        'property.a',
        'property.',
        'token',
        'from',
        'deleted',
        'forkId',
      ),
      fc.string({ maxLength: 8 }),
    ),
    fc.oneof(filePath, scalar),
    fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  ),
  { maxLength: 4 },
);
const semantics = fc.oneof(
  fc.record(
    {
      properties: fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue()),
      relations: fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 }),
      permissions: fc.array(
        fc.oneof(fc.constantFrom('deny:agent:agent', 'allow:public', 'scope:fs:read'), fc.string()),
        { maxLength: 2 },
      ),
      comments: fc.array(fc.string(), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
);
const file = fc.record(
  {
    path: fc.oneof(filePath, fc.jsonValue()),
    content: fc.oneof(fc.string({ unit: 'binary' }), fc.constant('AAAA'), fc.jsonValue()),
    contentType: fc.oneof(fc.string(), fc.jsonValue()),
    encoding: fc.oneof(fc.constantFrom('utf-8', 'base64', ''), fc.string()),
    ifMatch: fc.oneof(fc.constantFrom('*', '0', 'rev_1'), scalar),
    semantics,
    contentIdentity: fc.oneof(
      fc.record({ kind: fc.string(), key: fc.string(), ttlSeconds: fc.integer() }),
      fc.jsonValue(),
    ),
  },
  { requiredKeys: [] },
);
const command = fc.record(
  {
    name: fc.string(),
    workspaceId: fc.oneof(fc.string(), fc.constant('rw_fuzz0001')),
    agent: fc.string(),
    scopes: fc.array(fc.string()),
    ttlSeconds: fc.integer(),
    deletesPerMinute: fc.integer(),
    paths: fc.array(filePath, { maxLength: 5 }),
    code: fc.string(),
    success: fc.oneof(fc.boolean(), fc.jsonValue()),
    externalId: fc.string({ unit: 'binary' }),
    canonicalPath: filePath,
    providerResult: fc.dictionary(fc.string(), fc.jsonValue()),
    timeoutMs: fc.integer({ max: 50 }),
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  fc.constant(undefined),
  file.map((value) => JSON.stringify(value)),
  fc.array(file, { maxLength: 4 }).map((files) => JSON.stringify({ files })),
  command.map((value) => JSON.stringify(value)),
  fc.json(),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('', '{', 'null', '[', `{"content":"${'x'.repeat(300_000)}"}`, '['.repeat(50_000)),
);
const headerText = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)),
    maxLength: 30,
  })
  .filter((text) => !text.includes('\x7f'));
const plainHeaders = fc.record(
  {
    'x-correlation-id': fc.oneof(fc.constant('fuzz'), headerText),
    'if-match': fc.oneof(fc.constantFrom('*', '0', 'rev_1', '"rev_1"', 'W/"rev_1"', '""'), headerText),
    'if-none-match': fc.oneof(fc.constantFrom('*', 'rev_1'), headerText),
    'content-type': fc.oneof(fc.constantFrom('application/json', 'text/plain', ';'), headerText),
    'x-workspace-id': headerText,
    accept: headerText,
  },
  { requiredKeys: [] },
);

/** Most of them from no page at all: the guard of origins lets few of the others in. */
const headers = fc.oneof(
  { weight: 19, arbitrary: plainHeaders },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        plainHeaders,
        fc.oneof(fc.constantFrom('app://mooring', 'null', 'http://evil.example'), headerText),
      )
      .map(([plain, origin]) => ({ ...plain, origin })),
  },
);

const asked = fc.record({
  route: fc.nat(),
  method: fc.oneof(
    { weight: 9, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'),
    },
  ),
  token: fc.nat(),
  tokenAs: fc.oneof(
    { weight: 9, arbitrary: fc.constant('Bearer ') },
    { weight: 1, arbitrary: fc.constantFrom('bearer  ', 'Basic ', '') },
  ),
  workspace: fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 40 }) },
  ),
  item: fc.oneof(
    fc.constantFrom('op_1', 'tok_1', 'mir_1'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
  ),
  query,
  headers,
  body,
});
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function urlOf(path: string, request: Asked): string {
  const filled = path
    .replace('{workspaceId}', encode(request.workspace ?? workspaceId))
    .replace(/\{\w+\}/g, encode(request.item));
  const parts = request.query.map(([name, value, raw]) =>
    raw ? `${encode(name)}=${encode(value).replaceAll('%2F', '/')}` : `${encode(name)}=${encode(value)}%`,
  );
  return parts.length === 0 ? filled : `${filled}?${parts.join('&')}`;
}

async function send(request: Asked): Promise<{ status: number; body: string; seen: string }> {
  const route = routes[request.route % routes.length];
  const token = tokens[request.token % tokens.length] ?? '';
  if (route === undefined) throw new Error('the document has no routes');
  const method = request.method ?? route.method;
  const url = urlOf(route.path, request);
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    body: string;
    seen: string;
  }>();
  const seen = `${method} ${url}`;
  const outgoing = httpRequest(
    `${agent.url}${url}`,
    {
      method,
      agent: connections,
      headers: {
        'x-correlation-id': 'fuzz',
        ...(token === '' ? {} : { authorization: `${request.tokenAs}${token}` }),
        ...request.headers,
        ...(request.body === undefined ? {} : { 'content-length': Buffer.byteLength(request.body) }),
      },
      timeout: answerDeadlineMs,
    },
    (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text, seen }));
      answer.on('error', reject);
    },
  );
  outgoing.on('timeout', () =>
    outgoing.destroy(new Error(`no answer within ${answerDeadlineMs} ms: ${seen}`)),
  );
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    // The agent answers a body over the limit before it has read it, and closes: the answer may be lost on the way.
    if (error.code === 'EPIPE' || error.code === 'ECONNRESET') resolve({ status: 0, body: '', seen });
    else reject(error);
  });
  outgoing.end(request.body);
  return await promise;
}

test(
  'no request makes the agent answer 5xx or hang, and every 4xx says what is wrong',
  async () => {
    let answered = 0;
    let accepted = 0;
    const outcome = await fc.check(
      fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 8 }), async (requests) => {
        // A run before may have deleted it, and then everything would only be unknown.
        await agent.workspaces.restore(workspaceId);
        const answers = await Promise.all(requests.map(send));
        for (const { status, body: text, seen } of answers) {
          answered += 1;
          if (status >= 200 && status < 300) accepted += 1;
          // 503 belongs to the page that says how to build the UI, which is not served here.
          if (status >= 500) throw new Error(`${status} ${text}: ${seen}`);
          if (status >= 400 && status !== 426 && !seen.startsWith('HEAD ')) {
            const error = JSON.parse(text) as { code?: unknown; message?: unknown; correlationId?: unknown };
            expect([seen, typeof error.code, typeof error.message, typeof error.correlationId]).toEqual([
              seen,
              'string',
              'string',
              'string',
            ]);
          }
        }
        expect(faults).toEqual([]);
      }),
      runs(400, longMs),
    );
    process.stdout.write(
      `http fuzz: seed ${outcome.seed}, ${outcome.numRuns} runs, ${answered} answers, ${accepted} of them 2xx\n`,
    );
    if (outcome.failed) throw new Error(fc.defaultReportMessage(outcome), { cause: outcome.errorInstance });
    // A fuzz that is refused at the door proves nothing.
    expect([answered > 200, accepted > answered / 100]).toEqual([true, true]);
  },
  longMs + 60_000,
);
