// What this machine does by itself, in the same run: milliseconds of ours say something only beside these.
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { median, print } from './report.ts';

const samples = 100;
const syncedBytes = Buffer.alloc(1024, 'x');

/** Prints the median of writing 1 KiB with fsync in that folder, and of a byte there and back over the loopback. */
export async function printMachine(folder: string): Promise<void> {
  print({ name: 'machine: 1 KiB written and fsynced, p50', value: median(fsyncs(folder)), unit: 'ms' });
  print({ name: 'machine: loopback echo, p50', value: median(await echoes()), unit: 'ms' });
}

function fsyncs(folder: string): readonly number[] {
  const file = openSync(path.join(folder, 'fsync-probe'), 'w');
  try {
    return Array.from({ length: samples }, () => {
      const start = performance.now();
      writeSync(file, syncedBytes);
      fsyncSync(file);
      return performance.now() - start;
    });
  } finally {
    closeSync(file);
  }
}

async function echoes(): Promise<readonly number[]> {
  const server = createServer((socket) => socket.setNoDelay().pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the echo server has no port');
  const socket = connect(address.port, '127.0.0.1').setNoDelay();
  const times: number[] = [];
  for (let n = 0; n < samples; n += 1) {
    const start = performance.now();
    socket.write('x');
    await new Promise((resolve) => socket.once('data', resolve));
    times.push(performance.now() - start);
  }
  socket.destroy();
  server.close();
  return times;
}

/** Above this share of the processors, other processes disturb absolute figures. */
const quietShareMax = 0.1;

/** How much of the processors processes outside this one's children used meanwhile (Linux; elsewhere unknown). */
export class ForeignLoad {
  readonly #before = ticks();

  /** `quiet (2 % of the processors)`, or `busy (…)`. */
  end(): string {
    const after = ticks();
    if (this.#before === null || after === null) return 'unknown on this system';
    const all = after.all - this.#before.all;
    const foreign = after.busy - this.#before.busy - (after.own - this.#before.own);
    const share = Math.max(0, foreign / Math.max(1, all));
    return `${share <= quietShareMax ? 'quiet' : 'busy'} (${Math.round(share * 100)} % of the processors)`;
  }
}

/** Ticks of all processors, and of this process with its ended children. */
function ticks(): { readonly all: number; readonly busy: number; readonly own: number } | null {
  if (process.platform !== 'linux') return null;
  const fields = readFileSync('/proc/stat', 'utf8').split('\n')[0]?.split(/ +/).slice(1, 9).map(Number) ?? [];
  const all = fields.reduce((sum, value) => sum + value, 0);
  const [, , , idle = 0, waiting = 0] = fields;
  const self = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ').map(Number) ?? [];
  // utime, stime, cutime, cstime
  const own = self.slice(11, 15).reduce((sum, value) => sum + value, 0);
  return { all, busy: all - idle - waiting, own };
}
