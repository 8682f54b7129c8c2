// Run by test/outbound/providers/dns-rebinding.test.ts in a network and a mount namespace of its own: a DNS server on port 53 that changes its
// answers, a server that listens on every address, and calls to names that the system's resolver asks that DNS server for.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCaller } from '../../server/delivery/http-client.ts';
import { systemClock } from '../../server/platform/clock.ts';

const publicAddress = '203.0.114.7';
const loopback = '127.0.0.1';
const callsOfEach = 8;
/** Offset of the question in a DNS message (RFC 1035, section 4.1). */
const headerBytes = 12;

/** The addresses of each answer in turn. */
let answers: readonly (readonly string[])[] = [[]];
let asked = 0;

function answerTo(query: Buffer): Buffer {
  let at = headerBytes;
  while (query[at] !== 0) at += (query[at] ?? 0) + 1;
  const isIpv4 = query.readUInt16BE(at + 1) === 1;
  const found = isIpv4 ? (answers[asked % answers.length] ?? []) : [];
  if (isIpv4) asked += 1;
  const head = Buffer.from(query.subarray(0, headerBytes));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(found.length, 6);
  head.writeUInt32BE(0, 8);
  const records = found.map((address) =>
    Buffer.from([0xc0, headerBytes, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head, query.subarray(headerBytes, at + 5), ...records]);
}

const dns = createSocket('udp4');
dns.on('message', (query, { port, address }) => dns.send(answerTo(query), port, address));
dns.bind(53, loopback);
await once(dns, 'listening');

const reached: string[] = [];
const server = createServer((request, response) => {
  reached.push(request.socket.localAddress ?? '');
  response.end();
});
server.listen(0, '0.0.0.0');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

async function calls(name: string, privateAddresses: boolean): Promise<object> {
  reached.length = 0;
  asked = 0;
  const caller = createCaller({ plainHttp: true, privateAddresses }, systemClock);
  const kinds: string[] = [];
  for (let call = 0; call < callsOfEach; call += 1) {
    const { kind } = await caller.call({
      method: 'GET',
      url: `http://${name}-${call}.example:${port}/`,
      headers: {},
      body: null,
      timeoutMs: 5_000,
      answerBytesMax: 1_000,
      signal: new AbortController().signal,
    });
    kinds.push(kind);
  }
  caller.close();
  return { kinds: [...new Set(kinds)].sort(), reached: [...new Set(reached)].sort() };
}

const results: Record<string, object> = {};
answers = [[loopback]];
results.allowed = await calls('allowed', true);
results.private = await calls('private', false);
answers = [[publicAddress], [loopback]];
results.changing = await calls('changing', false);
answers = [[loopback, publicAddress]];
results.mixed = await calls('mixed', false);
process.stdout.write(JSON.stringify(results));
process.exit();
