// Cutting a text into slices changes nothing: the same texts are refused, and of the others the same value is made.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LongText, longTextCharacters } from '../../server/core/long-text.ts';
import { JsonScan } from '../../server/platform/json/json-scan.ts';
import {
  JsonSyntaxError,
  parseJsonInSlices,
  parseJsonWithLongTexts,
} from '../../server/platform/json/parse-in-slices.ts';
import { jsonTextInSlices, sharedJsonInSlices } from '../../server/platform/json/write-in-slices.ts';
import { runs } from '../support/scale.ts';

const longMs = 120_000;

/** Long enough that runs, long strings and whole containers are cut. */
const longText = fc.oneof(
  fc.tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 60_000 })),
  fc.tuple(fc.constantFrom('é', '😀', '\\', '"', 'a', '\u2028'), fc.integer({ min: 1, max: 300_000 })),
);
const text = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: longText.map(([unit, times]) => unit.repeat(times)) },
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.double(),
    fc.constantFrom(null, true, [], {}),
    fc.array(tie('value'), { maxLength: 12 }),
    fc.dictionary(fc.oneof(fc.constant('__proto__'), fc.string({ maxLength: 6 })), tie('value'), {
      maxKeys: 8,
    }),
    fc.tuple(tie('value'), fc.integer({ min: 1, max: 3000 })).map(([one, times]) => {
      const length = JSON.stringify(one)?.length ?? 1;
      return Array.from({ length: Math.max(1, Math.min(times, Math.floor(300_000 / length))) }, () => one);
    }),
  ),
}));
const json = fc
  .tuple(value, fc.constantFrom(undefined, 1, '\t'))
  .map(([one, indent]) => JSON.stringify(one, null, indent));
/** One character is taken out, doubled, or another one put there. */
const damaged = fc
  .tuple(
    json,
    fc.nat(),
    fc.constantFrom('', ',', ']', '}', '[', '{', '"', ':', '\\', '0', ' ', '\n', '\ufeff'),
  )
  .map(([whole, at, put]) => {
    const index = at % (whole.length + 1);
    return whole.slice(0, index) + put + whole.slice(index + (at % 2));
  });

function parsed(textOf: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(textOf) };
  } catch {
    return null;
  }
}

async function sliced(bytes: Uint8Array): Promise<{ readonly value: unknown } | null> {
  try {
    return { value: await parseJsonInSlices(bytes) };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return null;
    throw error;
  }
}

test('a text that is parsed in slices is what JSON.parse makes of it, or refused with it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(json, damaged), async (one) => {
      const bytes = Buffer.from(one);
      // What became of an unpaired surrogate is the same text for both.
      expect(await sliced(bytes)).toEqual(parsed(bytes.toString().replace(/^\ufeff/, '')));
    }),
    runs(200, longMs),
  );
});

test('bytes that are not UTF-8 are refused, wherever they stand', async () => {
  const whole = Buffer.from(
    JSON.stringify({ files: [{ content: 'x'.repeat(900_000) }, 'y'.repeat(100_000)] }),
  );
  for (const at of [3, 12, 400_000, 899_000, 950_000]) {
    const broken = Buffer.from(whole);
    broken[at] = 0xff;
    expect(await sliced(broken)).toBe(null);
  }
});

function valuesIn(one: unknown): number {
  if (typeof one !== 'object' || one === null) return 1;
  return Object.values(one).reduce((sum: number, inner) => sum + valuesIn(inner), 1);
}
function depthOf(one: unknown): number {
  if (typeof one !== 'object' || one === null) return 0;
  return Object.values(one).reduce((most: number, inner) => Math.max(most, 1 + depthOf(inner)), 1);
}

function membersOf(one: unknown): number {
  if (typeof one !== 'object' || one === null) return 0;
  const own = Array.isArray(one) ? 0 : Object.keys(one).length;
  return Object.values(one).reduce((most: number, inner) => Math.max(most, membersOf(inner)), own);
}

test('values, nesting and members are counted exactly, in whatever pieces the bytes come', () => {
  fc.assert(
    fc.property(json, fc.integer({ min: 1, max: 5000 }), (one, pieceBytes) => {
      const bytes = Buffer.from(one);
      const made: unknown = JSON.parse(one);
      const members = membersOf(made);
      const scanned = (valuesMax: number, depthMax: number, membersMax = members) => {
        const scan = new JsonScan({ valuesMax, depthMax, membersMax });
        for (let from = 0; from < bytes.length; from += pieceBytes) {
          const excess = scan.add(bytes.subarray(from, from + pieceBytes));
          if (excess !== null) return excess;
        }
        return null;
      };
      const values = valuesIn(made);
      const depth = depthOf(made);
      expect(scanned(values, depth)).toBe(null);
      expect(scanned(values - 1, depth)).toBe('too_many_values');
      if (depth > 0) expect(scanned(values, depth - 1)).toBe('too_deep');
      if (members > 0) expect(scanned(values, depth, members - 1)).toBe('too_many_members');
    }),
    runs(200, longMs),
  );
});

test('a value that is written in slices is what was written at once', async () => {
  await fc.assert(
    fc.asyncProperty(value, async (one) => {
      const whole: unknown = JSON.parse(JSON.stringify(one));
      expect(JSON.parse(await jsonTextInSlices(whole))).toEqual(whole);
    }),
    runs(100, longMs / 2),
  );
});

/** Of these some are above the limit, some are below it, and some have a split pair there. */
const content = fc
  .tuple(
    fc.constantFrom('plain text ', 'é', '😀', '\n"\\', '\ud83d', 'x\ude00'),
    fc.integer({ min: longTextCharacters - 20, max: longTextCharacters + 300_000 }),
  )
  .map(([unit, length]) => unit.repeat(Math.ceil(length / unit.length)));
const held = fc.record(
  { path: text, content, other: content, files: fc.array(fc.record({ content }), { maxLength: 2 }) },
  { requiredKeys: [] },
);

test('long texts of one name stay in pieces, and are written as they were', async () => {
  await fc.assert(
    fc.asyncProperty(held, async (one) => {
      const bytes = Buffer.from(JSON.stringify(one));
      const { value: read, holders } = await parseJsonWithLongTexts(bytes, 'content');
      const long = [one, ...(one.files ?? [])].filter(
        (holder) => (holder.content?.length ?? 0) >= longTextCharacters,
      );
      expect(holders).toHaveLength(long.length);
      for (const holder of holders) expect(holder.content).toBeInstanceOf(LongText);
      expect(Buffer.from(JSON.stringify(read)).equals(bytes)).toBe(true);
      const written = await sharedJsonInSlices(read);
      expect(JSON.stringify(JSON.parse(Buffer.from(written).toString())) === bytes.toString()).toBe(true);
    }),
    runs(5, longMs),
  );
});
