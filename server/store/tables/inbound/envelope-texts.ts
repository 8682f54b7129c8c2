// Long texts of envelopes, which other threads get as bytes in shared memory.
import type { ReadStatements } from '../../database/statements.ts';
import { type EnvelopeText, type EnvelopeTexts, longEnvelopeBytes } from '../../port/envelopes.ts';

/** The columns are texts. */
export function storedText(text: EnvelopeText): string {
  return typeof text === 'string'
    ? text
    : Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8');
}

/** null: there is no such envelope. */
export function readTexts(statements: ReadStatements, number: number): EnvelopeTexts | null {
  const row = statements.get<{ readonly body: string | null; readonly edited: string | null }>(
    'SELECT body, edited FROM envelopes WHERE number = ?',
    number,
  );
  return row === undefined ? null : { body: sharedText(row.body), edited: sharedText(row.edited) };
}

function sharedText(text: string | null): EnvelopeText | null {
  if (text === null || text.length <= longEnvelopeBytes) return text;
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)));
  bytes.write(text, 'utf8');
  return new Uint8Array(bytes.buffer);
}
