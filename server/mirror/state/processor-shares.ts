// How much of one processor the work in the background of all mirrors may use, and how mirrors divide it (docs/sync-rules.md#6).

/** One kind of work in the background: a share of one processor for all mirrors of the agent together. */
export class ProcessorShare {
  readonly #restsPerWork: number;
  readonly #worksMs = new Map<string, number>();

  /** `restsPerWork`: a mirror that has the share to itself rests so many times as long as it works. */
  constructor(restsPerWork: number) {
    this.#restsPerWork = restsPerWork;
  }

  /**
   * How long a mirror rests after work that took `workMs` of a processor, in ms. Rests that grow with the square root of the work leave
   * the least mean time since the last work of a mirror, within the share: a large folder and many small ones delay each other little.
   */
  restMs(mirrorId: string, workMs: number): number {
    this.#worksMs.set(mirrorId, workMs);
    let roots = 0;
    for (const each of this.#worksMs.values()) roots += Math.sqrt(each);
    return Math.sqrt(workMs) * roots * this.#restsPerWork;
  }

  /** It does this work no longer, or not within the share. */
  leave(mirrorId: string): void {
    this.#worksMs.delete(mirrorId);
  }
}

/** One percent of one processor together. */
export interface ProcessorShares {
  /** Full scans while the watcher reports every change: 0.3 percent. */
  readonly scans: ProcessorShare;
  /** Automatic proofs: 0.5 percent. */
  readonly proofs: ProcessorShare;
  /** The pass that hashes every file: 0.2 percent. */
  readonly rehash: ProcessorShare;
}

export function createProcessorShares(): ProcessorShares {
  return {
    scans: new ProcessorShare(334),
    proofs: new ProcessorShare(200),
    rehash: new ProcessorShare(500),
  };
}
