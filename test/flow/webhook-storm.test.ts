// A storm of webhooks at full rate into a real agent over HTTP, by more senders than it has room for: the workspace ends where a
// model says, the counters add up to the last request, and neither the queue nor the process grows with what has passed.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { expect, it } from 'vitest';
import type { FileRecord, IngressStatus } from '../../sdk/index.ts';
import { type AgentProcess, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { runOnce } from '../support/run-once.ts';
import { scaled } from '../support/scale.ts';
import { runSeed, seededRandom } from '../support/trees.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Hook, makeStorm } from '../support/webhook-storm.ts';

const webhooks = scaled(5_000, 100_000);
const senders = 64;
/** Fewer than there are senders: some are told to come back. */
const queueCapacity = 40;
/** So much that it would show if what has passed were still held. */
const contentBytes = scaled(16 * 1024, 4 * 1024);
/** A body is its content with little around it. */
const bodyBytesMax = contentBytes + 1024;
/** After so many the agent has compiled its code and filled its caches. */
const warmedUpAfter = 1_000;
/** Between two looks at the figures. */
const lookEvery = 200;
/** Of the contents that came after that: so much of them the process would have to hold before it is called a growth. */
const heldShareMax = 0.5;
const roomDeadlineMs = 120_000;
const restDeadlineMs = 60_000;
const settledDeadlineMs = scaled(120_000, 1_800_000);

interface Answers {
  accepted: number;
  duplicates: number;
  full: number;
}

interface Figures {
  depth: number;
  bytes: number;
  /** Of the process, without what it has mapped of files; null where the system does not say. */
  residentMb: number | null;
}

type Send = (hook: Hook) => Promise<{ readonly status: number; readonly id?: string }>;

function sender(agent: AgentProcess, workspaceId: string, token: string): Send & { close(): void } {
  const sockets = new http.Agent({ keepAlive: true, maxSockets: senders });
  const url = `${agent.url}/v1/workspaces/${workspaceId}/webhooks/ingest`;
  const send: Send = ({ provider, deliveryId, payload, occurredAtMs }) =>
    new Promise((resolve, reject) => {
      const timestamp = occurredAtMs === null ? {} : { timestamp: new Date(occurredAtMs).toISOString() };
      const body = JSON.stringify({ ...payload, provider, delivery_id: deliveryId, ...timestamp });
      const request = http.request(
        url,
        {
          method: 'POST',
          agent: sockets,
          headers: {
            authorization: `Bearer ${token}`,
            'x-correlation-id': deliveryId,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          },
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          answer.once('error', reject).once('end', () => {
            const { id } = JSON.parse(text) as { id?: string };
            resolve({ status: answer.statusCode ?? 0, ...(id === undefined ? {} : { id }) });
          });
        },
      );
      request.once('error', reject);
      request.end(body);
    });
  return Object.assign(send, { close: () => sockets.destroy() });
}

/** Until it is taken; one in ten is sent again, as by a sender that lost the answer. */
async function deliver(send: Send, hook: Hook, again: boolean, answers: Answers): Promise<void> {
  const first = await waitFor('room in the queue', () => tryOnce(send, hook, answers), {
    deadlineMs: roomDeadlineMs,
  });
  answers.accepted += 1;
  if (!again) return;
  const second = await waitFor('room in the queue', () => tryOnce(send, hook, answers), {
    deadlineMs: roomDeadlineMs,
  });
  expect(second).toBe(first);
  answers.duplicates += 1;
}

/** The envelope's id; undefined when there was no room. */
async function tryOnce(send: Send, hook: Hook, answers: Answers): Promise<string | undefined> {
  const { status, id } = await send(hook);
  if (status === 429) {
    answers.full += 1;
    return undefined;
  }
  expect([hook.deliveryId, status]).toEqual([hook.deliveryId, 202]);
  return id;
}

async function figuresOf(agent: AgentProcess): Promise<Figures> {
  const text = await (await agent.fetch('/metrics')).text();
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    depth: value('mooring_ingest_queue_depth'),
    bytes: value('mooring_ingest_queue_bytes'),
    residentMb: residentMb(agent.pid),
  };
}

function residentMb(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const kib = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return kib === undefined ? null : Number(kib) / 1024;
}

it(
  'ends where the model says, counts every request once, and holds no more for having taken more',
  runOnce,
  async () => {
    const random = seededRandom(runSeed());
    const agent = await startAgent({
      args: ['--envelope-queue-size', String(queueCapacity), '--log-level', 'error'],
    });
    const { client, workspaceId, token } = await freshWorkspace(agent);
    const storm = makeStorm((below) => random.below(below), {
      webhooks,
      orderedSenders: senders / 4,
      contentBytes,
      nowMs: Date.now(),
    });
    const send = sender(agent, workspaceId, token);
    const answers: Answers = { accepted: 0, duplicates: 0, full: 0 };
    const looks: Figures[] = [];
    const passOn = async (hook: Hook) => {
      await deliver(send, hook, random.below(10) === 0, answers);
      if (answers.accepted % lookEvery === 0) looks.push(await figuresOf(agent));
    };
    const anyOrder = [...storm.anyOrder];
    await Promise.all([
      ...storm.ordered.map(async (hooks) => {
        for (const hook of hooks) await passOn(hook);
      }),
      ...Array.from({ length: senders - storm.ordered.length }, async () => {
        for (let hook = anyOrder.pop(); hook !== undefined; hook = anyOrder.pop()) await passOn(hook);
      }),
    ]);
    const status = await waitFor(
      'everything to be settled',
      async () => {
        const now = await client.sync.ingress(workspaceId);
        return now.pendingTotal === 0 && now;
      },
      { deadlineMs: settledDeadlineMs, everyMs: 100 },
    );
    send.close();

    expectQueueBounds(looks);
    const restMb = await memoryAtRest(agent.pid, looks);
    await expectCounters(agent, status, storm, answers);
    const { stream } = await client.files.export(workspaceId);
    const files = (await new Response(stream).json()) as FileRecord[];
    expect(new Map(files.map(({ path, content }) => [path, content]))).toEqual(storm.model);
    process.stderr.write(
      `webhook storm over HTTP: ${JSON.stringify(answers)}, memory at most ${Math.max(...looks.map((look) => look.residentMb ?? 0)).toFixed(0)} MB, at rest ${restMb?.toFixed(0) ?? '?'} MB\n`,
    );
  },
);

function expectQueueBounds(looks: readonly Figures[]): void {
  expect(Math.max(...looks.map(({ depth }) => depth))).toBeLessThanOrEqual(queueCapacity);
  expect(Math.max(...looks.map(({ bytes }) => bytes))).toBeLessThanOrEqual(queueCapacity * bodyBytesMax);
}

/** Garbage comes and goes while there is work; once there is none, little more may be left than was held when it was warm. */
async function memoryAtRest(pid: number, looks: readonly Figures[]): Promise<number | null> {
  const warm = looks.slice(0, warmedUpAfter / lookEvery).map((look) => look.residentMb ?? Number.NaN);
  const warmMb = Math.max(...warm);
  if (Number.isNaN(warmMb)) {
    process.stderr.write(
      'webhook storm over HTTP: the memory is not looked at, the system does not tell it\n',
    );
    return null;
  }
  const passedMb = ((webhooks - warmedUpAfter) * contentBytes) / 1024 ** 2;
  return await waitFor(
    `the process to hold less than ${Math.round(warmMb + passedMb * heldShareMax)} MB`,
    () => {
      const nowMb = residentMb(pid) ?? Number.NaN;
      return nowMb < warmMb + passedMb * heldShareMax && nowMb;
    },
    { deadlineMs: restDeadlineMs, everyMs: 250 },
  );
}

async function expectCounters(
  agent: AgentProcess,
  status: IngressStatus,
  storm: ReturnType<typeof makeStorm>,
  answers: Answers,
): Promise<void> {
  expect(answers.accepted).toBe(storm.total);
  expect(status).toMatchObject({
    acceptedTotal: storm.total,
    droppedTotal: answers.full,
    dedupedTotal: answers.duplicates,
    deadLetterTotal: storm.broken,
    suppressedTotal: 0,
    queueDepth: 0,
  });
  const text = await (await agent.fetch('/metrics')).text();
  const counted = (outcome: string) =>
    Number(new RegExp(`^mooring_ingest_envelopes_total{outcome="${outcome}"} (\\d+)$`, 'm').exec(text)?.[1]);
  expect(counted('accepted')).toBe(storm.total);
  expect(counted('ignored')).toBe(storm.ignored);
  expect(counted('deadLettered')).toBe(storm.broken);
  expect(counted('coalesced')).toBe(status.coalescedTotal);
  expect(counted('stale')).toBe(status.staleTotal);
  expect(counted('applied') + counted('coalesced') + counted('stale')).toBe(
    storm.total - storm.ignored - storm.broken,
  );
}
