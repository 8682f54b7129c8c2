// What is kept of an answer that is no success: the provider's own words, wherever it puts them, as one line.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createCaller } from '../../server/delivery/http-client.ts';
import { attemptResultOf, describeStatus } from '../../server/delivery/http-outcome.ts';
import { systemClock } from '../../server/platform/clock.ts';

const answer = (status: number, body: string) =>
  ({ kind: 'answer', status, body: Buffer.from(body), retryAfter: null, location: null }) as const;

it.each([
  ['a message', '{"message":"title is required"}', 'title is required'],
  ['an error', '{"error":"title is required"}', 'title is required'],
  ['an error that is an object', '{"error":{"code":4,"message":"title is required"}}', 'title is required'],
  ['problem details (RFC 9457)', '{"type":"about:blank","title":"Bad","detail":"no title"}', 'no title'],
  ['problem details of a title alone', '{"type":"about:blank","title":"Bad Request"}', 'Bad Request'],
  ['the error of a token (RFC 6749)', '{"error":"invalid_token"}', 'invalid_token'],
  ['a list of errors', '{"errors":[{"message":"no title"},{"message":"no body"}]}', 'no title'],
  ['a list of texts', '{"errors":["no title"]}', 'no title'],
  ['plain text', 'title is required\nsee the manual\n', 'title is required'],
  ['control characters', '{"message":"a\\u001b[31mb\\n\\tc"}', 'a [31mb c'],
])('of %s its words are told', (_, body, words) => {
  expect(describeStatus(answer(400, body))).toBe(`it answered 400: ${words}`);
});

it.each([
  ['a page', '<!doctype html><title>Bad Request</title>'],
  ['nothing', ''],
  ['JSON that says nothing', '{"ok":false}'],
  ['a list', '["no title"]'],
])('of %s nothing is told but its status', (_, body) => {
  expect(describeStatus(answer(400, body))).toBe('it answered 400');
});

it('the names of what was made are kept as they were sent', () => {
  const { outcome } = attemptResultOf(
    answer(200, '{"externalId":" a  b ","canonicalPath":"/x/a  b.md"}'),
    false,
    0,
  );
  expect(outcome).toMatchObject({ kind: 'delivered', externalId: ' a  b ', canonicalPath: '/x/a  b.md' });
});

it('an answer that is not HTTP is called so', async () => {
  const server = createServer((socket) => socket.end('NONSENSE\r\n\r\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const caller = createCaller({ plainHttp: true, privateAddresses: true }, systemClock);
  onTestFinished(() => {
    caller.close();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}/`;
  const rest = { timeoutMs: 20_000, answerBytesMax: 1_000, signal: new AbortController().signal };
  expect(await caller.call({ method: 'POST', url, headers: {}, body: '', ...rest })).toMatchObject({
    kind: 'broken_off',
    message: expect.stringMatching(/^its answer is not HTTP \(HPE_/),
  });
});
