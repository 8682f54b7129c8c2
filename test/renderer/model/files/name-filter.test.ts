import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NameFilter } from '../../../../renderer/model/files/name-filter.ts';
import type { TreeEntry } from '../../../../server/contract/files.ts';

const entry = (path: string) => ({ path, type: 'file' }) as TreeEntry;

it('whatever is typed after each other, the same entries are found as by looking at all names', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'B', 'c', ' ', '\u00c4'), maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(letters, { maxLength: 30 }),
      fc.array(letters, { maxLength: 12 }),
      (names, typed) => {
        const entries = names.map((name, index) => entry(`/Bac/${name}${index}`));
        const filter = new NameFilter(entries);
        for (const text of typed) {
          const wanted = text.trim().toLowerCase();
          const expected = entries.filter(({ path }) =>
            path.slice('/Bac/'.length).toLowerCase().includes(wanted),
          );
          expect(filter.matching(text)).toEqual(expected);
        }
      },
    ),
  );
});
