// Threads that tests use again behave as new ones.
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel, type Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { startThread } from './reused-threads.ts';
import { tempFolder } from './temp-folder.ts';

/** Answers with its data, its thread and what is asked; ends, fails or stays as it is told. */
const program = `
  import { parentPort, threadId, workerData } from 'node:worker_threads';
  workerData?.port?.on('message', () => workerData.port.postMessage(threadId));
  parentPort.on('message', (message) => {
    if (message === 'close') return parentPort.close();
    if (message === 'fail') throw new Error('it failed');
    parentPort.postMessage({ workerData, threadId, message, env: process.env.MOORING_TEST_REUSED });
  });
`;

/** One of the names whose threads are used again. */
function programNamed(name: string): URL {
  const folder = tempFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.mjs`), program);
  return pathToFileURL(path.join(folder, `${name}.mjs`));
}

async function ask(thread: Worker, message: string): Promise<Record<string, unknown>> {
  thread.postMessage(message);
  const [answer] = (await once(thread, 'message')) as [Record<string, unknown>];
  return answer;
}

async function ended(thread: Worker, message: string): Promise<unknown> {
  const exit = once(thread, 'exit');
  thread.postMessage(message);
  return (await exit)[0];
}

/** No other test has threads with this name. */
const options = (workerData: unknown) => ({ workerData, name: `reused-${process.pid}` });

it('a program that closed its port runs again in the same thread, with data and environment of its own', async () => {
  const script = programNamed('writer-thread');
  const first = startThread(script, options('one'));
  const before = await ask(first, 'a');
  expect(before).toMatchObject({ workerData: 'one', message: 'a', env: undefined });
  expect(await ended(first, 'close')).toBe(0);
  process.env.MOORING_TEST_REUSED = 'now';
  const second = startThread(script, options('two'));
  delete process.env.MOORING_TEST_REUSED;
  await once(second, 'online');
  expect(await ask(second, 'b')).toEqual({
    workerData: 'two',
    threadId: before.threadId,
    message: 'b',
    env: 'now',
  });
  const beside = startThread(script, options('three'));
  expect((await ask(beside, 'c')).threadId).not.toBe(before.threadId);
  expect([await ended(second, 'close'), await ended(beside, 'close')]).toEqual([0, 0]);
});

it('a program that fails ends its thread, which is not used again', async () => {
  const script = programNamed('search-thread');
  const first = startThread(script, options('one'));
  const { threadId } = await ask(first, 'a');
  const told: unknown[] = [];
  first.on('error', (error) => told.push(String(error)));
  first.postMessage('fail');
  await new Promise<void>((resolve) => {
    first.on('exit', (code) => {
      told.push(code);
      resolve();
    });
  });
  expect(told).toEqual(['Error: it failed', 1]);
  const second = startThread(script, options('two'));
  expect((await ask(second, 'b')).threadId).not.toBe(threadId);
  const exit = once(second, 'exit');
  expect([await second.terminate(), (await exit)[0]]).toEqual([1, 1]);
});

it('a program that is terminated while it holds ports loses them, and another runs in its thread', async () => {
  const script = programNamed('read-thread');
  const { port1, port2 } = new MessageChannel();
  const first = startThread(script, { ...options({ port: port2 }), transferList: [port2] });
  const answers = once(port1, 'message');
  port1.postMessage('b');
  const threadId = (await answers)[0];
  const closed = once(port1, 'close');
  const exit = once(first, 'exit');
  await first.terminate();
  await Promise.all([closed, exit]);
  const second = startThread(script, options('two'));
  expect((await ask(second, 'b')).threadId).toBe(threadId);
  await second.terminate();
});

it('a program that serves is not ended: the next one that starts it speaks to the same run', async () => {
  const script = programNamed('worker');
  const first = startThread(script, options('one'));
  const before = await ask(first, 'a');
  const exit = once(first, 'exit');
  await first.terminate();
  await exit;
  const second = startThread(script, options('two'));
  expect(await ask(second, 'b')).toEqual({ ...before, message: 'b' });
  await second.terminate();
});
