// Loads the paths of visible dead letters in one request. A list row has no path and a detail may be megabytes, so the paths come from
// a dry run of a bulk replay, which replays nothing.
import type { MooringClient } from '../../../sdk/index.ts';

interface Waiting {
  readonly resolve: (path: string | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum of the agent per request. */
const idsPerRequest = 1_000;

export class PathReader {
  readonly #client: MooringClient;
  readonly #workspaceId: string;
  #waiting = new Map<string, Waiting[]>();

  constructor(client: MooringClient, workspaceId: string) {
    this.#client = client;
    this.#workspaceId = workspaceId;
  }

  /** null: no path in the payload, or no longer a dead letter. */
  read(envelopeId: string): Promise<string | null> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) queueMicrotask(() => void this.#load());
      this.#waiting.set(envelopeId, [...(this.#waiting.get(envelopeId) ?? []), { resolve, reject }]);
    });
  }

  async #load(): Promise<void> {
    const waiting = [...this.#waiting];
    this.#waiting = new Map();
    for (let from = 0; from < waiting.length; from += idsPerRequest) {
      await this.#loadPage(waiting.slice(from, from + idsPerRequest));
    }
  }

  async #loadPage(page: readonly (readonly [string, readonly Waiting[]])[]): Promise<void> {
    const envelopeIds = page.map(([id]) => id);
    try {
      const { results } = await this.#client.sync.deadLetters.replayMany(this.#workspaceId, {
        filter: { envelopeIds },
        dryRun: true,
      });
      const paths = new Map(results.map(({ envelopeId, path }) => [envelopeId, path ?? null]));
      for (const [id, waiting] of page) for (const each of waiting) each.resolve(paths.get(id) ?? null);
    } catch (error) {
      for (const [, waiting] of page) for (const each of waiting) each.reject(error);
    }
  }
}
