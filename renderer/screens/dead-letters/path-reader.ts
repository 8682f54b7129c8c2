// The paths of letters that come into sight, asked for together. A row of the list has none, and a whole letter may be
// megabytes: only what a replay of all would take names them without their payloads. Nothing is replayed.
import type { MooringClient } from '../../../sdk/index.ts';

interface Waiting {
  readonly resolve: (path: string | null) => void;
  readonly reject: (error: unknown) => void;
}

/** What the agent takes in one request. */
const perRequest = 1_000;

export class PathReader {
  readonly #client: MooringClient;
  readonly #workspaceId: string;
  #waiting = new Map<string, Waiting[]>();

  constructor(client: MooringClient, workspaceId: string) {
    this.#client = client;
    this.#workspaceId = workspaceId;
  }

  /** null: its payload names none, or it is no dead letter any more. */
  read(envelopeId: string): Promise<string | null> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) queueMicrotask(() => void this.#ask());
      this.#waiting.set(envelopeId, [...(this.#waiting.get(envelopeId) ?? []), { resolve, reject }]);
    });
  }

  async #ask(): Promise<void> {
    const asked = [...this.#waiting];
    this.#waiting = new Map();
    for (let from = 0; from < asked.length; from += perRequest) {
      const part = asked.slice(from, from + perRequest);
      await this.#answer(part);
    }
  }

  async #answer(asked: readonly (readonly [string, readonly Waiting[]])[]): Promise<void> {
    const envelopeIds = asked.map(([id]) => id);
    try {
      const { results } = await this.#client.sync.deadLetters.replayMany(this.#workspaceId, {
        filter: { envelopeIds },
        dryRun: true,
      });
      const paths = new Map(results.map(({ envelopeId, path }) => [envelopeId, path ?? null]));
      for (const [id, waiting] of asked) for (const one of waiting) one.resolve(paths.get(id) ?? null);
    } catch (error) {
      for (const [, waiting] of asked) for (const one of waiting) one.reject(error);
    }
  }
}
