// Errors, retries, aborts and timeouts of calls. The faults are between the client and the real `fetch`.
import { ForbiddenError, NoAnswerError, NotFoundError, UnauthorizedError } from '../../../sdk/index.ts';
import { type Case, newDesk } from './bench.ts';
import { equal, failure, has, truthy } from './check.ts';

type Fetch = typeof globalThis.fetch;

const realFetch: Fetch = (input, init) => globalThis.fetch(input, init);
const retry = { retries: 3, firstDelayMs: 1 };
/** The error of browsers and Node for a broken connection. */
const broken = () => new TypeError('the connection broke');

/** Never answers, and rejects when the signal aborts. */
const silentFetch: Fetch = async (_, init) =>
  await new Promise((_resolve, reject) => {
    if (init?.signal?.aborted) reject(init.signal.reason);
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason), { once: true });
  });

export const callCases: readonly Case[] = [
  {
    name: 'an error has its class and the correlation id of the call',
    run: async (bench) => {
      const { client, clientWith, workspaceId, owner } = await newDesk(bench);
      const call = { correlationId: 'corr-suite' };
      has(await failure(client.readFile(workspaceId, '/none', call), NotFoundError), {
        ...call,
        status: 404,
        code: 'not_found',
      });
      await failure(clientWith({ token: 'nonsense' }).listTree(workspaceId), UnauthorizedError);
      const reader = await owner.tokens.create(workspaceId, { agent: 'reader', scopes: ['fs:read'] });
      const reading = clientWith({ token: () => reader.token });
      await failure(reading.writeFile(workspaceId, '/a', 'x'), ForbiddenError);
    },
  },
  {
    name: 'a read is retried after a broken connection',
    run: async (bench) => {
      const { clientWith, workspaceId } = await newDesk(bench);
      let calls = 0;
      const fetch: Fetch = async (input, init) => {
        calls += 1;
        if (calls < 3) throw broken();
        return await realFetch(input, init);
      };
      equal((await clientWith({ fetch, retry }).listTree(workspaceId)).entries, []);
      equal(calls, 3);
    },
  },
  {
    name: 'a change that may have been applied is not retried',
    run: async (bench) => {
      const { client, clientWith, workspaceId } = await newDesk(bench);
      let calls = 0;
      const fetch: Fetch = async (input, init) => {
        calls += 1;
        await realFetch(input, init);
        throw broken();
      };
      const cut = clientWith({ fetch, retry });
      await failure(cut.writeFile(workspaceId, '/a', 'once'), NoAnswerError);
      await failure(cut.deleteFile(workspaceId, '/a'), NoAnswerError);
      equal(calls, 2);
      const actions: string[] = [];
      for await (const { action } of client.history.entries(workspaceId, '/a')) actions.push(action);
      equal(actions, ['delete', 'write']);
    },
  },
  {
    name: 'a write with a content identity is retried, and applied once',
    run: async (bench) => {
      const { client, clientWith, workspaceId } = await newDesk(bench);
      let calls = 0;
      const fetch: Fetch = async (input, init) => {
        calls += 1;
        const response = await realFetch(input, init);
        if (calls % 2 === 1) throw broken();
        return response;
      };
      const cut = clientWith({ fetch, retry });
      const identity = (key: string) => ({ contentIdentity: { kind: 'suite', key } });
      const one = await cut.writeFile(workspaceId, '/a', 'one', { ifMatch: '0', ...identity('one') });
      const files = [{ path: '/b', content: 'two', ...identity('two') }];
      has(await cut.bulkWrite(workspaceId, files), { errorCount: 0 });
      equal(calls, 4);
      equal((await client.readFile(workspaceId, '/a')).revision, one.targetRevision);
      for (const path of ['/a', '/b']) {
        const actions: string[] = [];
        for await (const { action } of client.history.entries(workspaceId, path)) actions.push(action);
        equal(actions, ['write'], path);
      }
    },
  },
  {
    name: 'an aborted call or stream ends with the reason of its signal',
    run: async (bench) => {
      const { client, clientWith, workspaceId } = await newDesk(bench);
      const reason = new RangeError('aborted by the test');
      const waiting = new AbortController();
      const call = clientWith({ fetch: silentFetch }).listTree(workspaceId, { signal: waiting.signal });
      waiting.abort(reason);
      equal(await failure(call, RangeError), reason);
      await client.files.writeRaw(workspaceId, '/large.bin', new Uint8Array(8 * 1024 * 1024));
      const reading = new AbortController();
      const { stream } = await client.files.readRaw(workspaceId, '/large.bin', { signal: reading.signal });
      const reader = stream.getReader();
      truthy((await reader.read()).value, 'a first part');
      reading.abort(reason);
      const rest = (async () => {
        while (!(await reader.read()).done);
      })();
      await failure(rest, Error);
    },
  },
  {
    name: 'a call reports a timeout',
    run: async (bench) => {
      const { clientWith, workspaceId } = await newDesk(bench);
      const client = clientWith({ fetch: silentFetch, timeoutMs: 1 });
      has(await failure(client.listTree(workspaceId), NoAnswerError), { timedOut: true });
    },
  },
];
