// Content on the wire is text or base64; here it becomes bytes and back. Works where there is no Buffer.

/** Pieces of this size go through `String.fromCharCode`, which takes its input as arguments. */
const pieceBytes = 0x8000;

/** The bytes of a file's content as they were stored. */
export function bytesOf(file: {
  readonly content?: string;
  readonly encoding?: 'base64' | 'utf-8';
}): Uint8Array {
  const content = file.content ?? '';
  if (file.encoding !== 'base64') return new TextEncoder().encode(content);
  return Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
}

/** How content is sent: text as it is, bytes as base64. */
export function wireContent(content: string | Uint8Array): { content: string; encoding?: 'base64' } {
  if (typeof content === 'string') return { content };
  let text = '';
  for (let start = 0; start < content.length; start += pieceBytes) {
    text += String.fromCharCode(...content.subarray(start, start + pieceBytes));
  }
  return { content: btoa(text), encoding: 'base64' };
}
