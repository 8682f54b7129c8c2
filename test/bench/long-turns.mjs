// Loaded into an agent before its program (turns.ts): writes the turns of its main thread that take long, in milliseconds of
// processor time, one a line. Plain JavaScript: Node loads it before everything else.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.MOORING_BENCH_TURNS;
const longMs = 10;

if (isMainThread && file !== undefined) {
  let before = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    const turnMs = (user + system) / 1000;
    if (turnMs > longMs) appendFileSync(file, `${turnMs.toFixed(1)}\n`);
    before = process.threadCpuUsage();
    setImmediate(look).unref();
  };
  setImmediate(look);
  // An immediate without a reference does not wake a thread that waits.
  setInterval(() => undefined, 5).unref();
}
