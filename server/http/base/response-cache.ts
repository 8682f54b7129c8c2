// Keeps encoded responses of reads that every caller with the scope gets alike, while the change counter of the workspace stays the
// same. It never decides who may read: a route keeps only what holds for every subject.
import { responseCacheBytesMax, responseCacheEntryBytesMax } from './limits.ts';

export interface CachedResponse {
  /** "": the response has none. */
  readonly etag: string;
  readonly body: string | Buffer;
}

interface Entry extends CachedResponse {
  readonly count: number;
  readonly bytes: number;
}

/** The entry itself, its key and its place in the map. */
const entryOverheadBytes = 256;

export class ResponseCache {
  readonly #changeCount: (workspaceId: string) => number | null;
  readonly #bytesMax: number;
  /** Least recently used first: a Map keeps insertion order, and a hit is inserted again. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(
    source: { changeCount(workspaceId: string): number | null },
    bytesMax: number = responseCacheBytesMax,
  ) {
    this.#changeCount = (workspaceId) => source.changeCount(workspaceId);
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** `key`: what the response depends on beside the workspace. */
  get(workspaceId: string, key: string): CachedResponse | null {
    const name = nameOf(workspaceId, key);
    const entry = this.#entries.get(name);
    if (entry === undefined) return null;
    this.#entries.delete(name);
    if (entry.count !== this.#changeCount(workspaceId)) {
      this.#bytes -= entry.bytes;
      return null;
    }
    this.#entries.set(name, entry);
    return entry;
  }

  /** The counter before a read, for `keep`. */
  countBefore(workspaceId: string): number | null {
    return this.#changeCount(workspaceId);
  }

  /** Keeps the response of a read that began at this count, unless a commit may have come between. */
  keep(workspaceId: string, key: string, count: number | null, response: CachedResponse): void {
    if (count === null || count !== this.#changeCount(workspaceId)) return;
    const name = nameOf(workspaceId, key);
    // A text with other characters than ASCII may have two bytes for each.
    const bodyBytes = typeof response.body === 'string' ? response.body.length * 2 : response.body.length;
    if (bodyBytes > responseCacheEntryBytesMax) return;
    const bytes = bodyBytes + name.length * 2 + entryOverheadBytes;
    const before = this.#entries.get(name);
    if (before !== undefined) {
      this.#entries.delete(name);
      this.#bytes -= before.bytes;
    }
    this.#entries.set(name, { ...response, count, bytes });
    this.#bytes += bytes;
    this.#evict();
  }

  #evict(): void {
    for (const [name, { bytes }] of this.#entries) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#entries.delete(name);
      this.#bytes -= bytes;
    }
  }
}

function nameOf(workspaceId: string, key: string): string {
  return `${workspaceId} ${key}`;
}
