// Converts content between bytes and its wire form, text or base64. Works without Buffer.

/** `String.fromCharCode` receives a chunk as arguments, whose number is limited. Base64 writes three bytes at a time. */
const chunkBytes = 3 * 0x800;

/** The content of a file as bytes. */
export function bytesOf(file: {
  readonly content?: string;
  readonly encoding?: 'base64' | 'utf-8';
}): Uint8Array {
  const content = file.content ?? '';
  if (file.encoding !== 'base64') return new TextEncoder().encode(content);
  const characters = atob(content);
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = characters.charCodeAt(at);
  return bytes;
}

/** Text stays text. Bytes become base64. */
export function wireContent(content: string | Uint8Array): { content: string; encoding?: 'base64' } {
  if (typeof content === 'string') return { content };
  let base64 = '';
  for (let start = 0; start < content.length; start += chunkBytes) {
    const chunk = content.subarray(start, start + chunkBytes);
    // Spread arguments take five times as long.
    base64 += btoa(Reflect.apply(String.fromCharCode, null, chunk));
  }
  return { content: base64, encoding: 'base64' };
}
