// Ctrl-C and SIGTERM while a command makes something: the command removes what is incomplete, and ends with the code of the signal. A
// second signal ends it at once.
import os from 'node:os';
import { ProgramExit } from './failure.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const signalCodeBase = 128;

export class Interruption {
  readonly #controller = new AbortController();
  #code: number | null = null;
  readonly #onSignal = (signal: NodeJS.Signals) => {
    if (this.#code !== null) process.exit(this.#code);
    this.#code = signalCodeBase + os.constants.signals[signal];
    this.#controller.abort();
  };

  constructor() {
    for (const signal of signals) process.on(signal, this.#onSignal);
  }

  /** Aborts at the first signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  endIfInterrupted(): void {
    if (this.#code !== null) throw new ProgramExit(this.#code);
  }

  dispose(): void {
    for (const signal of signals) process.off(signal, this.#onSignal);
  }
}
