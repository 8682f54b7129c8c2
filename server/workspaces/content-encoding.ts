// Decides whether bytes are text.

/** The text of valid UTF-8 without NUL, with byte order mark and line endings; null: not text (docs/wire-contract.md#bytes-and-encoding). */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The decoder throws a TypeError for bytes that are not UTF-8.
    return null;
  }
}
