// Whether a change of a file destroys its content as a deletion does: the file becomes empty, or almost all of it is gone. Pure.

/** A file of fewer bytes has to become empty to count: small files are rewritten shorter all the time. */
export const truncationBytesMin = 4096;
/** A file that keeps less than this share of its bytes is truncated: it lost more than 90 %. */
const keptShareMin = 0.1;

export function isTruncation(beforeBytes: number, afterBytes: number): boolean {
  if (beforeBytes === 0) return false;
  if (afterBytes === 0) return true;
  return beforeBytes >= truncationBytesMin && afterBytes < beforeBytes * keptShareMin;
}
