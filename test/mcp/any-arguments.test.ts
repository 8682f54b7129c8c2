// Any arguments of any tool: an answer or a refusal in one form, never a crash, never an answer above its size.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coerceArguments } from '../../server/mcp/arguments.ts';
import { tools } from '../../server/mcp/tools/all.ts';
import { request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';

let agent: HttpAgent;

beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

const runs = 150;
const answerCharactersMax = 100_000;

const path = fc.constantFrom(
  '/a.txt',
  '/dir',
  '/dir/b.txt',
  '/',
  '',
  '..',
  '/%2e%2e/x',
  '/\u0000',
  '/😀',
  '\ud800',
  'a'.repeat(5000),
);
const odd = fc.oneof(
  path,
  fc.constantFrom(
    'true',
    'false',
    '[]',
    '{}',
    'null',
    '*',
    '0',
    'rev_1',
    'rev_999999',
    'batch_1',
    'evt_0',
    '2020-01-01T00:00:00Z',
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer(),
);

/** Mostly members of the schema, with a value that sometimes fits. No waiting. */
function argumentsOf(input: object): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys((input as { properties?: object }).properties ?? {});
  const members = names.map((name) => {
    if (name === 'timeoutSeconds') return [name, fc.constantFrom(0, '0', -1, 'soon')];
    if (name === 'action') return [name, fc.constantFrom('begin', 'show', 'commit', 'discard', 'undo', 1)];
    if (name === 'edits') return [name, fc.oneof(odd, fc.constant([{ oldText: 'a', newText: 'b' }]))];
    return [name, ['path', 'from', 'to'].includes(name) ? fc.oneof(path, odd) : odd];
  });
  return fc.record(Object.fromEntries(members), {
    requiredKeys: names.filter((name) => ['path', 'timeoutSeconds'].includes(name)),
  });
}

const anyCall = fc
  .constantFrom(...tools)
  .chain(({ spec }) => fc.tuple(fc.constant(spec.name), argumentsOf(spec.input)));

/** An id that cannot be written into the route of a request, or that would lead to another route. */
const idsWithoutRoute: [[string, Record<string, unknown>]][] = ['\ud800', '..'].flatMap((runId) => [
  [['edit_file', { path: '/a.txt', edits: [{ oldText: 'a', newText: 'b' }], runId }]],
  [['changes', { action: 'discard', runId }]],
]);

test('any arguments are answered or refused in one form', async () => {
  const { token } = await makeWorkspace(agent);
  await fc.assert(
    fc.asyncProperty(anyCall, async ([name, args]) => {
      const answer = await request(agent, '/mcp', {
        method: 'POST',
        token,
        correlationId: null,
        headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      });
      expect(answer.status).toBeLessThan(500);
      const data = /^data: (.*)$/m.exec(answer.bytes.toString('utf8'))?.[1];
      const { result, error } = JSON.parse(data ?? answer.bytes.toString('utf8'));
      if (error !== undefined) {
        expect(error.code).toBe(-32_602);
        return;
      }
      const text: string = result.content[0].text;
      expect(text.length).toBeLessThan(answerCharactersMax);
      if (result.isError !== true) {
        expect(result.structuredContent).toEqual(JSON.parse(text));
        return;
      }
      expect(text).not.toMatch(/internal_error|\bat .*\.ts:\d/);
      expect(text.startsWith('Input validation error') || typeof JSON.parse(text).remedy === 'string').toBe(
        true,
      );
    }),
    { numRuns: runs, verbose: 1, examples: idsWithoutRoute },
  );
});

test('a boolean is only ever read from a boolean or from its two words', () => {
  const schema = { type: 'object', properties: { flag: { type: 'boolean' } } };
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.constantFrom('true', 'false', 'True', ' true', '1')), (value) => {
      const { flag } = coerceArguments(schema, { flag: value }) as { flag?: unknown };
      if (value === null) expect(flag).toBeUndefined();
      else expect(flag).toEqual(value === 'true' ? true : value === 'false' ? false : value);
    }),
  );
});
