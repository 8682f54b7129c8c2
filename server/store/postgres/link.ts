// The main thread's side of the connections: starts their thread, and makes an end for each thread that runs statements.
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { LinkEnd } from '../port/access.ts';
import type { LinkSettings } from './link-messages.ts';

export class Link {
  readonly #worker: Worker;

  constructor(settings: LinkSettings) {
    this.#worker = new Worker(new URL('./link-thread.ts', import.meta.url), {
      workerData: settings,
      name: 'mooring-store-link',
    });
  }

  /** An end with a connection of its own, to be sent to the thread that uses it; `transfer` names what moves there. */
  open(): { readonly end: LinkEnd; readonly transfer: readonly MessagePort[] } {
    const { port1, port2 } = new MessageChannel();
    const signal = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    this.#worker.postMessage({ port: port2, signal } satisfies LinkEnd, [port2]);
    return { end: { port: port1, signal }, transfer: [port1] };
  }

  onFailure(listener: (error: Error) => void): void {
    this.#worker.on('error', (cause) => listener(cause instanceof Error ? cause : new Error(String(cause))));
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
