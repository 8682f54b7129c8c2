// A program that may write in a mirrored folder and exchanges a directory of it for a link to somewhere else, over and over, each
// for a random while. A process of its own: with renameat2(RENAME_EXCHANGE) the name is never absent, without it for a moment.
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';

/** Of each state; from far below the length of one system call to that of a scan. */
const dwellUsMin = 5;
const dwellUsMax = 4000;

const withExchange = `
import ctypes, math, os, random, select, sys, time
libc = ctypes.CDLL(None, use_errno=True)
left, right, least, most = sys.argv[1].encode(), sys.argv[2].encode(), float(sys.argv[3]), float(sys.argv[4])
def exchange():
    if libc.renameat2(-100, left, -100, right, 2) != 0:
        raise OSError(ctypes.get_errno(), 'renameat2')
exchange()
exchange()
print('ready', flush=True)
count = 0
while not select.select([sys.stdin], [], [], 0)[0]:
    for _ in range(2):
        exchange()
        until = time.perf_counter() + math.exp(random.uniform(math.log(least), math.log(most))) / 1e6
        while time.perf_counter() < until: pass
    count += 1
print(count, flush=True)
`;

const withRenamePair = `
const { renameSync, symlinkSync, readlinkSync, unlinkSync } = require('node:fs');
const [, left, right, least, most] = process.argv;
const target = readlinkSync(right);
let ended = false;
let count = 0;
process.stdin.on('data', () => { ended = true; });
const dwell = () => {
  const until = performance.now() + Math.exp(Math.log(least) + Math.random() * (Math.log(most) - Math.log(least))) / 1000;
  while (performance.now() < until);
};
console.log('ready');
const turn = () => {
  if (ended) { console.log(count); process.exit(0); }
  for (let n = 0; n < 50; n += 1) {
    renameSync(left, left + '.away'); symlinkSync(target, left); dwell();
    unlinkSync(left); renameSync(left + '.away', left); dwell();
    count += 1;
  }
  setImmediate(turn);
};
turn();
`;

export type AttackMethod = 'renameat2(RENAME_EXCHANGE)' | 'a pair of renames';

/** What this machine can do. */
export function attackMethod(): AttackMethod {
  const probe = 'import ctypes; ctypes.CDLL(None).renameat2';
  const python = process.platform === 'linux' ? spawnSync('python3', ['-c', probe]).status : null;
  return python === 0 ? 'renameat2(RENAME_EXCHANGE)' : 'a pair of renames';
}

export class FolderAttacker {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  #said = '';

  private constructor(process: ChildProcessByStdio<Writable, Readable, null>) {
    this.#process = process;
    this.#process.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
    });
  }

  /** `directory` and `link` take each other's place until `stop`. Both must be there. */
  static async start(directory: string, link: string): Promise<FolderAttacker> {
    const numbers = [String(dwellUsMin), String(dwellUsMax)];
    const [command, args] =
      attackMethod() === 'a pair of renames'
        ? [process.execPath, ['-e', withRenamePair]]
        : ['python3', ['-c', withExchange]];
    const child = spawn(command, [...args, directory, link, ...numbers], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const attacker = new FolderAttacker(child);
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    return attacker;
  }

  /** The directory has its own name again. How often it had been exchanged. */
  async stop(): Promise<number> {
    const ended = once(this.#process, 'close');
    this.#process.stdin.end('stop\n');
    await ended;
    return Number(this.#said.trim().split('\n').at(-1));
  }
}
