// Errors of the store besides the refusals that its results contain.

/** Why a later attempt fails as well until a person has acted: the database's pages are corrupted, or the disk has no room. */
export type StoreFault = 'corrupted' | 'full';

/** Thrown (as a rejection) when the store cannot commit or answer right now; nothing was applied. HTTP says 503 `unavailable`. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  readonly fault: StoreFault | null;

  constructor(message: string, options: ErrorOptions & { readonly fault?: StoreFault | null } = {}) {
    super(message, options);
    this.fault = options.fault ?? null;
  }
}

/** Thrown when the disk no longer holds the bytes of a content as they were stored. */
export class CorruptContentError extends Error {
  override readonly name = 'DamagedContentError';
  readonly code = 'EDAMAGED';
  readonly hash: string;

  constructor(hash: string, what: 'is missing' | 'is corrupted', options?: ErrorOptions) {
    super(`the content ${hash} ${what}: write it again, or restore a backup`, options);
    this.hash = hash;
  }
}

/** A read returned what no write has stored: the database is corrupted (maintenance/corruption-suspicion.ts). */
export class ImpossibleRowError extends Error {
  override readonly name = 'ImpossibleRowError';
}

/** A path is longer than the indexes of this engine take; nothing was applied. HTTP says 400 `bad_request`. */
export class PathTooLongError extends Error {
  override readonly name = 'PathTooLongError';

  constructor(bytesMax: number) {
    super(`a path is longer than ${bytesMax} bytes, the limit of a hub`);
  }
}

/** A stream had more bytes than are taken. */
export class ContentTooLargeError extends Error {
  override readonly name = 'ContentTooLargeError';
}
