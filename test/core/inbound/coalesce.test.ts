import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaces, type Waiting } from '../../../server/core/inbound/coalesce.ts';

const windowMs = 3_000;
const waiting = (
  more: Partial<Waiting['shape']> = {},
  acceptedAtMs = 0,
  occurredAtMs: number | null = null,
): Waiting => ({
  shape: { kind: 'upsert', path: '/a', objectId: null, hasContentType: false, hasSemantics: false, ...more },
  acceptedAtMs,
  occurredAtMs,
});

describe('a waiting delivery gives way to a newer one', () => {
  it.each<[string, Waiting, Waiting, boolean]>([
    ['of the same file', waiting(), waiting(), true],
    ['that deletes it', waiting({ kind: 'delete' }), waiting({ hasSemantics: true }), true],
    ['that names more', waiting({ hasSemantics: true }), waiting(), true],
    ['not when that would lose metadata', waiting(), waiting({ hasSemantics: true }), false],
    ['not when that would lose a content type', waiting(), waiting({ hasContentType: true }), false],
    ['not after a delete, which takes metadata with it', waiting(), waiting({ kind: 'delete' }), false],
    ['not of another path', waiting({ path: '/b' }), waiting(), false],
    ['not of another object', waiting({ objectId: 'o' }), waiting(), false],
    ['not after the window', waiting({}, windowMs + 1), waiting(), false],
    ['up to its end', waiting({}, windowMs), waiting(), true],
    ['not when the newer one is older at the provider', waiting({}, 1, 5), waiting({}, 0, 6), false],
    ['of the same time', waiting({}, 1, 5), waiting({}, 0, 5), true],
    ['not when only one says its time', waiting({}, 1, 5), waiting(), false],
  ])('%s', (_, newer, older, expected) => {
    expect(replaces(newer, older, windowMs)).toBe(expected);
  });

  // What stands at one path after a row of deliveries; a write keeps the parts that it does not name.
  interface File {
    readonly content: number;
    readonly contentType: number | null;
    readonly semantics: number | null;
  }
  const delivery = fc.record({
    kind: fc.constantFrom('upsert' as const, 'delete' as const),
    hasContentType: fc.boolean(),
    hasSemantics: fc.boolean(),
    gapMs: fc.constantFrom(0, 1_000, 4_000),
  });

  function apply(file: File | null, shape: Waiting['shape'], value: number): File | null {
    if (shape.kind === 'delete') return null;
    return {
      content: value,
      contentType: shape.hasContentType ? value : (file?.contentType ?? null),
      semantics: shape.hasSemantics ? value : (file?.semantics ?? null),
    };
  }

  it('and nobody can tell from the file whether it did', () => {
    fc.assert(
      fc.property(fc.array(delivery, { maxLength: 12 }), (row) => {
        let atMs = 0;
        let all: File | null = null;
        const queue: { waiting: Waiting; value: number }[] = [];
        row.forEach(({ gapMs, ...shape }, value) => {
          atMs += gapMs;
          const newer: Waiting = {
            shape: { ...shape, path: '/a', objectId: null },
            acceptedAtMs: atMs,
            occurredAtMs: null,
          };
          all = apply(all, newer.shape, value);
          const last = queue.at(-1);
          if (last !== undefined && replaces(newer, last.waiting, windowMs)) queue.pop();
          queue.push({ waiting: newer, value });
        });
        const left = queue.reduce<File | null>(
          (file, one) => apply(file, one.waiting.shape, one.value),
          null,
        );
        expect(left).toEqual(all);
      }),
      { numRuns: 1_000 },
    );
  });
});
