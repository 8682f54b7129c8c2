// Converts content between bytes and its wire form, text or base64. Works without Buffer.

/** `String.fromCharCode` receives a chunk as arguments, whose number is limited. */
const chunkBytes = 0x8000;

/** The content of a file as bytes. */
export function bytesOf(file: {
  readonly content?: string;
  readonly encoding?: 'base64' | 'utf-8';
}): Uint8Array {
  const content = file.content ?? '';
  if (file.encoding !== 'base64') return new TextEncoder().encode(content);
  return Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
}

/** Text stays text. Bytes become base64. */
export function wireContent(content: string | Uint8Array): { content: string; encoding?: 'base64' } {
  if (typeof content === 'string') return { content };
  let text = '';
  for (let start = 0; start < content.length; start += chunkBytes) {
    text += String.fromCharCode(...content.subarray(start, start + chunkBytes));
  }
  return { content: btoa(text), encoding: 'base64' };
}
