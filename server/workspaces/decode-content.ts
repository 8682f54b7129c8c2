// From the content of a request, text or base64, to bytes. Strict: what is not exactly what it says is refused, never guessed.
import type { Encoding } from '../core/entry.ts';

export type DecodedContent =
  | { readonly ok: true; readonly encoding: Encoding; readonly bytes: Buffer }
  | {
      readonly ok: false;
      readonly code: 'invalid_encoding' | 'invalid_content';
      /** A phrase for people. */
      readonly message: string;
    };

/** `encoding`: absent or empty, `utf-8`, `utf8` or `base64` (line breaks in it are skipped). */
export function decodeContent(content: string, encoding: string | undefined): DecodedContent {
  switch (encoding) {
    case undefined:
    case '':
    case 'utf-8':
    case 'utf8':
      return content.isWellFormed()
        ? { ok: true, encoding: 'utf-8', bytes: Buffer.from(content, 'utf8') }
        : refused('invalid_content', 'content holds an unpaired surrogate');
    case 'base64':
      return decodeBase64(content);
    default:
      return refused('invalid_encoding', 'encoding must be utf-8 or base64');
  }
}

function decodeBase64(content: string): DecodedContent {
  const text = /[\r\n]/.test(content) ? content.replace(/[\r\n]/g, '') : content;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = Buffer.from(text, 'base64');
  // Buffer skips what is not base64, so anything foreign shows in the length; the URL alphabet it would accept.
  const isBase64 =
    text.length % 4 === 0 && bytes.length === (text.length / 4) * 3 - padding && !/[-_]/.test(text);
  return isBase64
    ? { ok: true, encoding: 'base64', bytes }
    : refused('invalid_encoding', 'content is not base64');
}

function refused(code: 'invalid_encoding' | 'invalid_content', message: string): DecodedContent {
  return { ok: false, code, message };
}
