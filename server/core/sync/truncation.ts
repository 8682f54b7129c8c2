// Decides whether a change of a file destroys its content as a deletion does: the file becomes empty, or almost all of it is
// removed (docs/sync-rules.md#27). Pure.

/** A file of fewer bytes counts only when it becomes empty: small files are often rewritten shorter. */
export const truncationBytesMin = 4096;
/** A file that retains less than this share of its bytes is truncated: it lost more than 90 %. */
const keptShareMin = 0.1;

export function isTruncation(beforeBytes: number, afterBytes: number): boolean {
  if (beforeBytes === 0) return false;
  if (afterBytes === 0) return true;
  return beforeBytes >= truncationBytesMin && afterBytes < beforeBytes * keptShareMin;
}
