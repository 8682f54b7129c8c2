// An item with many megabytes: signed and sent as a small one is, and nothing else of the agent waits for it.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpProvider } from '../../../server/outbound/providers/http-provider.ts';
import type { OperationPayload, Provider } from '../../../server/outbound/providers/provider.ts';
import { systemClock } from '../../../server/platform/clock.ts';
import { leastLongestTurnMs } from '../../support/longest-turn.ts';

const mebibyte = 1024 * 1024;
/** It was 20 ms for each MiB when the body was one text. */
const turnMsMax = 50;
const key = randomBytes(32);
const contents = {
  'utf-8': Buffer.alloc(8 * mebibyte, 'a "line" of a text – with more than ASCII\n'),
  base64: randomBytes(8 * mebibyte),
} as const;

let received: { readonly headers: IncomingHttpHeaders; readonly pieces: readonly Buffer[] };
const target = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    received = { headers: request.headers, pieces };
    response.writeHead(204).end();
  });
});
let provider: Provider;

beforeAll(async () => {
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  const { port } = target.address() as AddressInfo;
  const allowed = { plainHttp: true, privateAddresses: true };
  const settings = { url: `http://127.0.0.1:${port}/`, refreshUrl: null, allowed, timeoutMs: 60_000, key };
  provider = createHttpProvider(settings, systemClock);
});

afterAll(() => {
  provider.close();
  target.close();
});

function itemWith(encoding: keyof typeof contents): OperationPayload {
  const bytes = contents[encoding];
  return {
    opId: 'op_1',
    idempotencyKey: 'op_1',
    workspaceId: 'w',
    provider: 'p',
    path: '/p/"content":""',
    action: 'file_upsert',
    revision: 3,
    correlationId: 'c',
    madeAtMs: 0,
    content: {
      bytes,
      hash: createHash('sha256').update(bytes).digest('hex'),
      contentType: 'text/plain',
      encoding,
      providerObjectId: null,
      semantics: { properties: { content: '' } },
    },
  };
}

test.each(['utf-8', 'base64'] as const)(
  'a content as %s arrives whole, with its signature',
  async (encoding) => {
    const item = itemWith(encoding);
    const { signal } = new AbortController();
    await provider.deliver(item, signal);
    let outcome: unknown;
    const longestMs = await leastLongestTurnMs(async () => {
      outcome = (await provider.deliver(item, signal)).outcome;
    }, turnMsMax);
    expect(outcome).toMatchObject({ kind: 'delivered' });
    const body = Buffer.concat(received.pieces);
    const { headers } = received;
    expect(Number(headers['content-length'])).toBe(body.length);
    const signed = createHmac('sha256', key).update(`op_1.${headers['webhook-timestamp']}.`).update(body);
    expect(headers['webhook-signature']).toBe(`v1,${signed.digest('base64')}`);
    const { data, ...message } = JSON.parse(body.toString('utf8'));
    expect(message).toEqual({ type: 'file.updated', timestamp: '1970-01-01T00:00:00.000Z' });
    const { content, ...rest } = data;
    expect(Buffer.from(content, encoding === 'utf-8' ? 'utf8' : 'base64').equals(contents[encoding])).toBe(
      true,
    );
    expect(rest).toMatchObject({
      path: '/p/"content":""',
      encoding,
      revision: 'rev_3',
      contentHash: item.content?.hash,
      semantics: { properties: { content: '' } },
    });
    expect(longestMs, 'milliseconds of the longest turn').toBeLessThan(turnMsMax);
  },
);
