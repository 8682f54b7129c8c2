// The disk's part of proofs, in slices between other requests: the listing of a proof, and the slow pass that hashes every file
// again. It reports and changes nothing.
import { joinPath } from '../../core/paths/path.ts';
import type { DiskTime } from '../port/file-system.ts';
import type { FolderProof, ProofRequest, ProofSlice, RehashSlice } from '../port/folder.ts';
import { sameIdentity } from '../tree/local-tree.ts';
import { hashFile } from '../tree/read-file.ts';
import { type ListingContext, ProofListing } from './proof-listing.ts';

/** A save that comes in the middle waits no longer than this, but for one large file. */
const listingSliceMs = 20;
const rehashSliceMs = 10;

interface Rehash {
  readonly steps: Generator<undefined, void>;
  files: number;
  bytes: number;
  suspects: string[];
}

export class ProofScan {
  readonly #time: DiskTime;
  readonly #context: ListingContext;
  #listing: Generator<undefined, FolderProof> | null = null;
  #rehash: Rehash | null = null;

  constructor(time: DiskTime, context: ListingContext) {
    this.#time = time;
    this.#context = context;
  }

  /** A request begins a new listing; null continues it. */
  list(request: ProofRequest | null): ProofSlice {
    if (request !== null) this.#listing = new ProofListing(this.#context, request).run();
    const listing = this.#listing;
    if (listing === null) throw new Error('no listing was begun');
    const beganMs = this.#time.monotonicMs();
    for (;;) {
      const step = listing.next();
      const tookMs = this.#time.monotonicMs() - beganMs;
      if (step.done === true) {
        this.#listing = null;
        return { proof: step.value, tookMs };
      }
      if (tookMs >= listingSliceMs) return { proof: null, tookMs };
    }
  }

  /** Continues the pass over all files, or begins it. */
  rehash(): RehashSlice {
    const beganMs = this.#time.monotonicMs();
    this.#rehash ??= this.#beginRehash();
    const rehash = this.#rehash;
    let ended = false;
    while (!ended && this.#time.monotonicMs() - beganMs < rehashSliceMs)
      ended = rehash.steps.next().done === true;
    const { files, bytes, suspects } = rehash;
    rehash.suspects = [];
    if (ended) this.#rehash = null;
    return { files, bytes, suspects, ended, tookMs: this.#time.monotonicMs() - beganMs };
  }

  #beginRehash(): Rehash {
    const rehash: Rehash = {
      steps: this.#rehashAll(
        (path) => rehash.suspects.push(path),
        (bytes) => {
          rehash.files += 1;
          rehash.bytes += bytes;
        },
      ),
      files: 0,
      bytes: 0,
      suspects: [],
    };
    return rehash;
  }

  /** What is new, or has changed since it was seen, the scans hash. */
  *#rehashAll(suspect: (path: string) => void, hashed: (bytes: number) => void): Generator<undefined, void> {
    const { fs, root, tree } = this.#context;
    const directories = ['/'];
    for (let at = directories.pop(); at !== undefined; at = directories.pop()) {
      directories.push(...tree.subdirectories(at));
      for (const name of tree.names(at)) {
        const path = joinPath(at, name);
        const node = tree.get(path);
        if (node?.kind !== 'file' || !node.trusted) continue;
        const outcome = hashFile(fs, root + path, null);
        if (outcome.kind === 'hashed' && sameIdentity(node, outcome.stat)) {
          hashed(node.sizeBytes);
          if (outcome.hash !== node.hash) suspect(path);
        }
        yield;
      }
      yield;
    }
  }
}
