import { expect, it } from 'vitest';
import { receivedPayloadBytesMax } from '../../server/inbound/context.ts';
import { ReceivedPayloads } from '../../server/inbound/received-payloads.ts';

const large = receivedPayloadBytesMax + 1;

it('a lone payload is kept whatever its size, and the next one when there is room again', () => {
  const payloads = new ReceivedPayloads();
  payloads.keep(1, { path: '/1' }, large);
  payloads.keep(2, { path: '/2' }, 1);
  expect([payloads.get(1), payloads.get(2)]).toEqual([{ path: '/1' }, null]);
  payloads.delete(2);
  payloads.delete(1);
  payloads.keep(3, { path: '/3' }, 1);
  payloads.keep(4, { path: '/4' }, large);
  expect([payloads.get(1), payloads.get(3), payloads.get(4)]).toEqual([null, { path: '/3' }, null]);
});

it('one of many values is not kept, a lone one neither', () => {
  const payloads = new ReceivedPayloads();
  payloads.keep(1, { values: Array.from({ length: 1_000 }, (_, n) => n) }, 10_000);
  expect(payloads.get(1)).toBeNull();
});
