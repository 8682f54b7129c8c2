// Follows the events that one session may see and reports each changed file by its URI, while a client subscribes.
import { eventsAfter, newestEvent } from './events-after.ts';
import { subscriptionRetryMs, subscriptionWaitMs } from './limits.ts';
import { fileUri } from './resources.ts';
import type { McpSession, ToolCall } from './session.ts';

export class ResourceUpdates {
  readonly #session: McpSession;
  readonly #onUpdate: (uri: string) => void;
  #stop: AbortController | null = null;
  #started: Promise<boolean> = Promise.resolve(false);

  constructor(session: McpSession, onUpdate: (uri: string) => void) {
    this.#session = session;
    this.#onUpdate = onUpdate;
  }

  /** true: changes from now on are reported. false: the session may list no directory, so there is nothing to follow. Repeating it has no effect. */
  start(): Promise<boolean> {
    if (this.#stop !== null) return this.#started;
    const stop = new AbortController();
    this.#stop = stop;
    this.#started = new Promise((resolve) => {
      void this.#follow(stop.signal, resolve);
    });
    return this.#started;
  }

  stop(): void {
    this.#stop?.abort();
    this.#stop = null;
  }

  /** Reads again after a failure, from the same cursor: nothing is missed. */
  async #follow(signal: AbortSignal, started: (follows: boolean) => void): Promise<void> {
    let cursor: string | null = null;
    while (!signal.aborted) {
      try {
        const call = await this.#call(signal);
        const { roots } = call.session;
        // A loop without a wait would hold the whole agent.
        if (roots.length === 0) break;
        cursor ??= await newestEvent(call, roots);
        started(true);
        const page = await eventsAfter(call, roots, cursor, subscriptionWaitMs);
        cursor = page.cursor;
        const paths = new Set(
          page.events.filter(({ type }) => type.startsWith('file.')).map(({ path }) => path),
        );
        for (const path of paths)
          if (!signal.aborted) this.#onUpdate(fileUri(call.session.workspaceId, path));
      } catch {
        started(true);
        await pause(subscriptionRetryMs, signal);
      }
    }
    if (!signal.aborted) this.stop();
    started(false);
  }

  async #call(signal: AbortSignal): Promise<ToolCall> {
    return { ...(await this.#session.connect(`mcp-${this.#session.tag}-updates`, 'mcp')), signal };
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    timer.unref();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
