import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  BadRequestError,
  ForbiddenError,
  InvalidArgumentError,
  InvalidStateError,
  MooringClient,
  MooringError,
  NoAnswerError,
  NotFoundError,
  PayloadTooLargeError,
  PreconditionFailedError,
  RateLimitedError,
  RevisionConflictError,
  ServerError,
  UnauthorizedError,
  UnavailableError,
} from '../../sdk/index.ts';
import { answer, type Script, startPeer } from '../support/fake-peer.ts';

const emptyTree = { path: '/', entries: [], nextCursor: null };
const queued = {
  opId: 'op_1',
  status: 'queued',
  targetRevision: 'rev_1',
  writeback: { provider: 'a', state: 'pending' },
};
const retry = { firstDelayMs: 1, delayMsMax: 5_000 };

async function connect(
  onRequest: Script['onRequest'],
  options: { retries?: number; timeoutMs?: number } = {},
) {
  const peer = await startPeer({ onRequest });
  const { retries = 3, timeoutMs } = options;
  const client = new MooringClient({
    baseUrl: `${peer.url}/`,
    token: 'secret',
    retry: { ...retry, retries },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  return { peer, client };
}

it('retries a read after a broken connection', async () => {
  let calls = 0;
  const { client, peer } = await connect((request, response) => {
    calls += 1;
    if (calls < 3) request.socket.destroy();
    else answer(response, 200, emptyTree);
  });
  expect(await client.listTree('rw_a')).toEqual(emptyTree);
  expect(peer.requests).toHaveLength(3);
});

it('sends nothing of a call whose argument cannot be written into a request', async () => {
  const { client, peer } = await connect((_request, response) => answer(response, 200, {}));
  const half = '\ud800';
  const calls: Record<string, () => Promise<unknown>> = {
    'unpaired surrogate': () => client.runs.get('rw_a', half),
    'runId ".."': () => client.runs.discard('rw_a', '..'),
    'workspaceId "."': () => client.listTree('.'),
    'another file': () => client.deleteFile('rw_a', `/${half}`),
    'If-Match': () => client.writeFile('rw_a', '/a', 'text', { ifMatch: 'rev_1\r\nx: y' }),
    'a correlation id': () => client.listTree('rw_a', { correlationId: '☃' }),
  };
  for (const [name, call] of Object.entries(calls))
    await expect(call(), name).rejects.toBeInstanceOf(InvalidArgumentError);
  expect(peer.requests).toEqual([]);
});

it('refuses a token that is no header without a copy of it in the error', async () => {
  const client = new MooringClient({ baseUrl: 'http://127.0.0.1:1', token: 'secret\nof two lines' });
  const error: unknown = await client.listTree('rw_a').catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(InvalidArgumentError);
  expect(inspect(error)).not.toContain('secret');
});

it('never retries a change whose connection broke, because it may have been applied', async () => {
  const { client, peer } = await connect((request) => request.socket.destroy());
  await expect(client.writeFile('rw_a', '/a', 'text')).rejects.toBeInstanceOf(NoAnswerError);
  await expect(client.deleteFile('rw_a', '/a')).rejects.toBeInstanceOf(NoAnswerError);
  await expect(client.bulkWrite('rw_a', [])).rejects.toBeInstanceOf(NoAnswerError);
  expect(peer.requests).toHaveLength(3);
});

it('never retries a change that was answered 500 or 503 without Retry-After', async () => {
  const { client, peer } = await connect((_, response, url) =>
    answer(response, url.searchParams.get('path') === '/a' ? 500 : 503, { code: 'x', message: 'y' }),
  );
  await expect(client.writeFile('rw_a', '/a', 'text')).rejects.toBeInstanceOf(ServerError);
  await expect(client.writeFile('rw_a', '/b', 'text')).rejects.toBeInstanceOf(UnavailableError);
  expect(peer.requests).toHaveLength(2);
});

it.each([429, 503])('retries a change after %i with Retry-After, not before that time', async (status) => {
  const times: number[] = [];
  const { client } = await connect((_, response) => {
    times.push(performance.now());
    if (times.length === 1) answer(response, status, { code: 'x', message: 'y' }, { 'retry-after': '1' });
    else answer(response, 202, queued);
  });
  expect(await client.writeFile('rw_a', '/a', 'text')).toEqual(queued);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
});

it('does not wait longer than its limit', async () => {
  const { client, peer } = await connect((_, response) =>
    answer(response, 429, { code: 'delete_storm_rejected', message: 'slow' }, { 'retry-after': '60' }),
  );
  const error: unknown = await client.deleteFile('rw_a', '/a').catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(RateLimitedError);
  expect(error).toMatchObject({ code: 'delete_storm_rejected', retryAfterMs: 60_000 });
  expect(peer.requests).toHaveLength(1);
});

it('fails after the configured number of retries', async () => {
  const { client, peer } = await connect((_, response) => answer(response, 503, {}), { retries: 2 });
  await expect(client.listTree('rw_a')).rejects.toBeInstanceOf(UnavailableError);
  expect(peer.requests).toHaveLength(3);
});

it.each([
  [400, 'bad_request', BadRequestError],
  [401, 'unauthorized', UnauthorizedError],
  [403, 'forbidden', ForbiddenError],
  [404, 'workspace_not_found', NotFoundError],
  [409, 'revision_conflict', RevisionConflictError],
  [409, 'invalid_state', InvalidStateError],
  [412, 'precondition_failed', PreconditionFailedError],
  [413, 'payload_too_large', PayloadTooLargeError],
  [418, 'teapot', MooringError],
  [500, 'internal_error', ServerError],
] as const)('maps %i %s to its class, with code and correlation id', async (status, code, ErrorClass) => {
  const { client } = await connect((_, response) =>
    answer(response, status, { code, message: 'why', correlationId: 'c-1' }),
  );
  const error: unknown = await client.readFile('rw_a', '/a').catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ErrorClass);
  expect(error).toMatchObject({ status, code, message: 'why', correlationId: 'c-1' });
});

it('has the fields of a revision conflict', async () => {
  const { client } = await connect((_, response) =>
    answer(response, 409, {
      code: 'revision_conflict',
      message: 'stale',
      correlationId: 'c',
      expectedRevision: 'rev_1',
      currentRevision: 'rev_2',
      currentContentPreview: 'new',
    }),
  );
  const error: unknown = await client
    .writeFile('rw_a', '/a', 'x', { ifMatch: 'rev_1' })
    .catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    expectedRevision: 'rev_1',
    currentRevision: 'rev_2',
    currentContentPreview: 'new',
  });
});

it('reports the status when an error body is not JSON', async () => {
  const { client } = await connect(
    (_, response) => {
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end('<h1>Bad gateway</h1>');
    },
    { retries: 0 },
  );
  await expect(client.listTree('rw_a')).rejects.toMatchObject({ status: 502, code: 'http_502' });
});

it('reports a timeout without a retry', async () => {
  const { client, peer } = await connect(() => undefined, { timeoutMs: 1000 });
  await expect(client.listTree('rw_a')).rejects.toMatchObject({ name: 'NoAnswerError', timedOut: true });
  expect(peer.requests).toHaveLength(1);
});

/** A client whose time is the test's, and what answers its requests. */
function clientInTime(timeoutMs: number, respond: (body: unknown) => Promise<Response>): MooringClient {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const ended = new Promise<never>((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
    return await Promise.race([respond(init?.body), ended]);
  };
  return new MooringClient({ baseUrl: 'http://agent', retry: { retries: 0 }, timeoutMs, fetch });
}
const passes = async (ms: number): Promise<unknown> =>
  await new Promise((resolve) => setTimeout(resolve, ms));

it('a body adds the time that it takes over a slow connection, but not to a limit of the call itself', async () => {
  const client = clientInTime(500, async () => {
    await passes(1_500);
    return Response.json(queued);
  });
  const bytes = new Uint8Array(128_000);
  const calls = Promise.allSettled([
    client.files.writeRaw('rw_a', '/small', new Uint8Array(1)),
    client.files.writeRaw('rw_a', '/bytes', bytes),
    client.files.writeRaw('rw_a', '/blob', new Blob([bytes])),
    client.writeFile('rw_a', '/text', 'x'.repeat(128_000)),
    client.files.writeRaw('rw_a', '/bytes', bytes, { timeoutMs: 400 }),
  ]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(
    (await calls).map((each) => (each.status === 'fulfilled' ? 'answered' : each.reason.message)),
  ).toEqual([
    expect.stringContaining('no answer within 500 ms'),
    'answered',
    'answered',
    'answered',
    expect.stringContaining('no answer within 400 ms'),
  ]);
});

it('a stream has as long as its parts keep coming', async () => {
  const client = clientInTime(1_000, async (body) => {
    for await (const _ of body as ReadableStream<Uint8Array>);
    return Response.json(queued);
  });
  const slow = (partMs: number): ReadableStream<Uint8Array> => {
    let part = 0;
    return new ReadableStream({
      pull: async (sending) => {
        await passes(partMs);
        part += 1;
        if (part > 4) sending.close();
        else sending.enqueue(new Uint8Array(10));
      },
    });
  };
  const calls = Promise.allSettled([
    client.files.writeRaw('rw_a', '/slow', slow(700)),
    client.files.writeRaw('rw_a', '/stopped', slow(1_300)),
  ]);
  await vi.advanceTimersByTimeAsync(10_000);
  const [moving, stopped] = await calls;
  expect(moving).toMatchObject({ status: 'fulfilled' });
  expect(stopped).toMatchObject({ status: 'rejected', reason: { timedOut: true } });
});

it('a stream that is sent on after the answer keeps no timer', async () => {
  const sent = Promise.withResolvers<ReadableStreamDefaultReader<Uint8Array>>();
  const client = clientInTime(1_000, async (body) => {
    sent.resolve((body as ReadableStream<Uint8Array>).getReader());
    return await Promise.resolve(Response.json({}, { status: 401 }));
  });
  const parts = new ReadableStream<Uint8Array>({ pull: (sending) => sending.enqueue(new Uint8Array(1)) });
  await expect(client.files.writeRaw('rw_a', '/a', parts)).rejects.toBeInstanceOf(UnauthorizedError);
  const reader = await sent.promise;
  await reader.read();
  await reader.read();
  expect(vi.getTimerCount()).toBe(0);
  await reader.cancel();
});

it("rejects with the caller's reason, also during a backoff, and removes its listener", async () => {
  const stop = new AbortController();
  const { client } = await connect((_, response) => {
    answer(response, 503, {}, { 'retry-after': '4' });
    setImmediate(() => stop.abort(new Error('enough')));
  });
  await expect(client.listTree('rw_a', { signal: stop.signal })).rejects.toThrow('enough');
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
});

it('reports the reason when the agent is not running', async () => {
  const { client, peer } = await connect(() => undefined, { retries: 0 });
  await peer.close();
  await expect(client.listTree('rw_a')).rejects.toThrow('ECONNREFUSED');
});

it('sends token, correlation id, If-Match and the path as a query, and bytes as base64', async () => {
  const seen: { headers: Readonly<Record<string, unknown>>; url: string; body: unknown }[] = [];
  const { client } = await connect((request, response, url) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      seen.push({ headers: request.headers, url: url.pathname + url.search, body: JSON.parse(text) });
      answer(response, 202, queued);
    });
  });
  await client.writeFile('rw_a', '/ä b.bin', new Uint8Array([0, 255]), {
    ifMatch: '0',
    correlationId: 'mine',
  });
  expect(seen).toMatchObject([
    {
      headers: { authorization: 'Bearer secret', 'x-correlation-id': 'mine', 'if-match': '0' },
      url: '/v1/workspaces/rw_a/fs/file?path=%2F%C3%A4+b.bin',
      body: { content: 'AP8=', encoding: 'base64' },
    },
  ]);
});

it('iterates over every page of a tree and of the feed', async () => {
  const { client } = await connect((_, response, url) => {
    const cursor = url.searchParams.get('cursor');
    if (url.pathname.endsWith('/tree')) {
      answer(response, 200, { path: '/', entries: [], nextCursor: cursor === null ? '/a' : null });
    } else {
      const eventId = cursor === null ? 'evt_1' : 'evt_2';
      answer(response, 200, { events: [{ eventId }], nextCursor: cursor === null ? 'evt_1' : null });
    }
  });
  const pages = await collect(client.files.treePages('rw_a'));
  const events = await collect(client.events.all('rw_a'));
  expect(pages.map((page) => page.nextCursor)).toEqual(['/a', null]);
  expect(events.map((event) => event.eventId)).toEqual(['evt_1', 'evt_2']);
});

it('reports a cursor older than the oldest retained event', async () => {
  const { client } = await connect((_, response) =>
    answer(response, 200, { events: [], nextCursor: null }, { 'mooring-cursor-gap': '1' }),
  );
  expect(await client.events.page('rw_a', { cursor: 'evt_1' })).toMatchObject({ cursorGap: true });
});

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of source) all.push(each);
  return all;
}
