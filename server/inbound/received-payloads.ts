// Payloads of accepted envelopes, as parsed from their requests: applying one parses its stored text again only if it is not here
// (after a restart, after a replay, or when many wait).
import { hasMoreValuesThan } from '../platform/json/slice-sizes.ts';
import { receivedPayloadBytesMax, receivedPayloadValuesMax } from './context.ts';
import type { Fields } from './envelope.ts';

export class ReceivedPayloads {
  readonly #payloads = new Map<number, { readonly payload: Fields; readonly sizeBytes: number }>();
  #sizeBytes = 0;

  /** `sizeBytes`: of the stored text. Not kept if the limit of all would be exceeded, except by a lone one: a large one is read again
   * by the thread of the writer, for which others wait. Nor if it has many values: those take far more memory than their text. */
  keep(number: number, payload: Fields, sizeBytes: number): void {
    if (this.#sizeBytes > 0 && this.#sizeBytes + sizeBytes > receivedPayloadBytesMax) return;
    if (hasMoreValuesThan(receivedPayloadValuesMax, payload)) return;
    this.#payloads.set(number, { payload, sizeBytes });
    this.#sizeBytes += sizeBytes;
  }

  get(number: number): Fields | null {
    return this.#payloads.get(number)?.payload ?? null;
  }

  /** The envelope is settled, replaced or a dead letter. */
  delete(number: number): void {
    this.#sizeBytes -= this.#payloads.get(number)?.sizeBytes ?? 0;
    this.#payloads.delete(number);
  }
}
