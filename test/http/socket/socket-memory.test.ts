// What streams that nobody reads may hold together: contents wait in memory until a client takes them.
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { socketInlineContentBytesMax, socketsInlineBytesMax } from '../../../server/http/base/limits.ts';
import { Query } from '../../../server/http/base/query.ts';
import { SocketConnection } from '../../../server/http/socket/connection.ts';
import { SharedFrames } from '../../../server/http/socket/shared-frames.ts';
import type { EventRow } from '../../../server/workspaces/event-feed.ts';
import { request } from '../../support/api-request.ts';
import { type HttpAgent, makeWorkspace, startHttpAgent } from '../../support/http-agent.ts';
import { waitFor } from '../../support/wait-for.ts';

const mebibyte = socketInlineContentBytesMax;
const files = 6;

/** Takes everything and sends nothing before it is told to. */
class UnreadSocket extends EventEmitter {
  readonly frames: { inlineContent?: true; path?: string }[] = [];
  readonly #sent: (() => void)[] = [];
  bufferedAmount = 0;

  send(frame: Buffer, _options: object, done: () => void): void {
    this.frames.push(JSON.parse(String(frame)));
    this.bufferedAmount += frame.length;
    this.#sent.push(done);
  }

  drain(): void {
    this.bufferedAmount = 0;
    for (const done of this.#sent.splice(0)) done();
  }

  close(): void {
    this.emit('close');
  }
}

function openStream(agent: HttpAgent, workspaceId: string, inline: { held: number }) {
  const socket = new UnreadSocket();
  const caller = { token: { expiresAtMs: Date.now() + 60_000 }, access: null } as never;
  const { feed, workspaces } = agent;
  const nothing = () => undefined;
  const log = { error: nothing, warn: nothing, info: nothing, debug: nothing };
  const frames = new SharedFrames(agent);
  const clock = { nowMs: Date.now, monotonicMs: () => 0, delay: () => new Promise<void>(() => undefined) };
  const connection = new SocketConnection({ feed, workspaces, clock, log }, socket as unknown as WebSocket, {
    inline,
    frames,
    workspaceId,
    caller,
    query: new Query(''),
  });
  connection.start();
  return { socket, connection };
}

test('contents for many streams together have a limit; beyond it the frames come without, and nothing is held for good', async () => {
  const agent = await startHttpAgent();
  const { workspaceId, token } = await makeWorkspace(agent);
  for (let n = 0; n < files; n += 1) {
    const url = `/v1/workspaces/${workspaceId}/fs/file?path=/f${n}`;
    const body = { content: String(n).repeat(mebibyte) };
    expect(
      (await request(agent, url, { method: 'PUT', token, headers: { 'if-match': '*' }, body })).status,
    ).toBe(202);
  }
  const inline = { held: 0 };
  const count = 2 * (socketsInlineBytesMax / (files * mebibyte));
  const streams = Array.from({ length: Math.ceil(count) }, () => openStream(agent, workspaceId, inline));
  const all = () => streams.flatMap(({ socket }) => socket.frames);
  await waitFor('every stream to have all frames', () => all().length === streams.length * files);
  const withContent = () => all().filter((frame) => frame.inlineContent === true).length;
  expect(withContent()).toBe(socketsInlineBytesMax / mebibyte);
  expect(inline.held).toBe(socketsInlineBytesMax);

  // One that reads makes room, one that goes away as well.
  streams[0]?.socket.drain();
  for (const { socket } of streams.slice(1)) socket.close();
  await waitFor('what they held to be free', () => inline.held === 0);
  const late = openStream(agent, workspaceId, inline);
  await waitFor('its frames', () => late.socket.frames.length === files);
  expect(
    late.socket.frames.every((frame: Partial<EventRow> & { inlineContent?: true }) => frame.inlineContent),
  ).toBe(true);
  for (const { socket } of [streams[0], late].filter((one) => one !== undefined)) socket.close();
});
