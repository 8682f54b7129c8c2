// The record of a large file is written in pieces, wherever its bytes are divided: together they are what JSON.stringify gives.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileRecord, fileRecordPieces, wireContent } from '../../server/workspaces/file-record.ts';
import type { FileEntry } from '../../server/workspaces/model.ts';
import { runs } from '../support/scale.ts';

const texts = fc
  .array(
    fc.constantFrom('a', '\n', '"', '\\', '\u0000', '\u2028', '\ufeff', 'é', '中', '😀', '"content":""'),
    {
      maxLength: 60,
    },
  )
  .map((parts) => parts.join(''));

const stored = fc.oneof(
  texts.map((text) => ({ encoding: 'utf-8' as const, bytes: Buffer.from(text) })),
  fc
    .uint8Array({ maxLength: 200 })
    .map((bytes) => ({ encoding: 'base64' as const, bytes: Buffer.from(bytes) })),
);

const named = fc.record({
  path: texts.map((text) => `/${text}`),
  contentType: texts,
  providerObjectId: fc.option(texts),
  semantics: fc.record({ properties: fc.dictionary(texts, texts, { maxKeys: 3 }) }),
});

async function* divided(bytes: Buffer, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const length of lengths) {
    yield bytes.subarray(from, from + length);
    from += length;
  }
  yield bytes.subarray(from);
}

test('the pieces of a record are its JSON, however its content is divided', async () => {
  await fc.assert(
    fc.asyncProperty(
      stored,
      named,
      fc.array(fc.nat({ max: 9 }), { maxLength: 40 }),
      async ({ encoding, bytes }, names, lengths) => {
        const entry: FileEntry = {
          type: 'file',
          revision: 7,
          hash: 'h',
          sizeBytes: bytes.length,
          provider: 'p',
          editedAtMs: 0,
          encoding,
          ...names,
        };
        const pieces: Buffer[] = [];
        for await (const piece of fileRecordPieces(entry, divided(bytes, lengths))) pieces.push(piece);
        const whole = JSON.stringify(fileRecord(entry, wireContent(entry, bytes)));
        expect(Buffer.concat(pieces).toString('utf8')).toBe(whole);
      },
    ),
    runs(2_000, 200_000),
  );
});
