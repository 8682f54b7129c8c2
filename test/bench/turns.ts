// The longest turn of the main thread of an agent that is measured, as long-turns.mjs notes it: a request that arrives in it waits for its end.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { print } from './report.ts';

const turnMsMax = 50;

export class Turns {
  readonly #file: string;

  /** `scratch`: where the agent notes them. */
  constructor(scratch: string) {
    this.#file = path.join(scratch, 'turns');
  }

  /** For the start of the agent. */
  get options() {
    return {
      nodeArgs: [`--import=${path.join(import.meta.dirname, 'long-turns.mjs')}`],
      env: { MOORING_BENCH_TURNS: this.#file },
    };
  }

  /** Milliseconds of processor time since the last call; 0: none took more than the smallest that is noted. */
  longestMs(): number {
    if (!existsSync(this.#file)) return 0;
    const turns = readFileSync(this.#file, 'utf8').trim().split('\n').map(Number);
    rmSync(this.#file);
    return Math.max(...turns);
  }

  print(name: string): void {
    print({
      name: `longest turn: ${name}`,
      value: this.longestMs(),
      unit: 'ms',
      reach: { at: 'most', value: turnMsMax },
    });
  }
}
