// What of a file's bytes is text. Pure.

/** The text of valid UTF-8 without NUL, BOM and line ends as they are; null for anything else (contract ruling 26). */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // A TypeError is how the decoder says: not UTF-8.
    return null;
  }
}
