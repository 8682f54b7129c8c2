// Names of the clients of one token in the older era, whose requests name the client only when it connects. A client is recognized by its User-Agent.
import { clientProgramsMax } from './limits.ts';

export class ClientNames {
  /** Least recently named first. */
  readonly #names = new Map<string, string>();

  of(userAgent: string): string | undefined {
    return this.#names.get(userAgent);
  }

  remember(userAgent: string, name: string): void {
    this.#names.delete(userAgent);
    this.#names.set(userAgent, name);
    for (const oldest of this.#names.keys()) {
      if (this.#names.size <= clientProgramsMax) return;
      this.#names.delete(oldest);
    }
  }
}
