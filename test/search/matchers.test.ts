import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { foldCase, foldWords } from '../../server/search/fold.ts';
import { lineRangesMax } from '../../server/search/limits.ts';
import { createMatcher } from '../../server/search/matchers.ts';
import { matchingLines } from '../../server/search/matching-lines.ts';
import { runSeed, seededRandom } from '../support/trees.ts';

describe('what a matcher requires of the index', () => {
  it.each([
    ['literal', 'foobar', null, '"foo" AND "oob" AND "oba" AND "bar"'],
    ['literal', 'fo', null, null],
    ['literal', 'Ä"b', null, '"ä""b"'],
    // Whole words, and the last one as a beginning; the first may be the end of a longer one.
    ['literal', 'a Big dog', '"big dog" *', expect.any(String)],
    ['literal', '.big dog.', '"big dog"', expect.any(String)],
    ['literal', '. bi', null, '". b" AND " bi"'],
    ['literal', 'one "É" f', '"e"', expect.any(String)],
    ['literal', 'big dog', null, expect.any(String)],
    // The engine derives these; another version may do so in another way (requiredKinds).
    ['regex', 'foob.*qux', null, '("foo" AND "oob") AND ("qux")'],
    ['regex', '(foo|barn)x?', null, '("foo") OR ("bar" AND "arn")'],
    ['regex', ' foo |bar', null, '(" fo" AND "foo" AND "oo ") OR ("bar")'],
    ['regex', ' foo .* bar ', '("foo") AND ("bar")', expect.any(String)],
    ['text', 'one "two three" fo*', '"one" AND "two three"', null],
    ['text', 'x.yes* foo*', '"x yes" * AND "foo" *', null],
    ['text', 'fo*', '"fo" *', null],
  ] as const)('%s %s', (mode, q, words, trigrams) => {
    const { plan } = createMatcher({ q, mode, caseSensitive: false });
    expect(plan ?? { words: null, trigrams: null }).toEqual({ words, trigrams });
  });

  it.each([
    ['regex', 'fo+|x'],
    ['regex', '[a-z]+'],
    ['regex', '(?i)foo'],
    ['literal', 'fo'],
  ] as const)('nothing: %s %s', (mode, q) => {
    expect(createMatcher({ q, mode, caseSensitive: false }).plan).toBeNull();
  });
});

describe('folding', () => {
  it('keeps the length of every text', () => {
    const changed: string[] = [];
    for (let unit = 0; unit < 0x10000; unit += 1) {
      const text = `a${String.fromCharCode(unit)}b`;
      // An assertion for each takes ten times the processor time of the folding.
      if (foldCase(text).length !== 3 || foldWords(text).length !== 3) changed.push(text);
    }
    expect(changed).toEqual([]);
    expect(foldCase('𐐀İΣς')).toHaveLength('𐐀İΣς'.length);
  });

  it('makes equal what simple case folding makes equal', () => {
    const unequal: string[] = [];
    for (let unit = 0; unit < 0xd800; unit += 1) {
      const one = String.fromCharCode(unit);
      for (const other of [one.toLowerCase(), one.toUpperCase()])
        if (other.length === 1 && foldCase(other) !== foldCase(one)) unequal.push(one);
    }
    expect(unequal).toEqual([]);
    expect(foldCase('ſσΣςµK')).toBe('sσσσμk');
    expect(foldWords('Éàñ Ångström')).toBe('ean angstrom');
  });
});

describe('words and phrases', () => {
  const word = '[\\p{L}\\p{N}\\p{M}]';
  /** What they mean, as a pattern. */
  const patternOf = (q: string) => {
    const terms = [...q.matchAll(/"([^"]*)"|(\S+)/g)].map(([, phrase, single = '']) => {
      const words = (phrase ?? single).match(new RegExp(`${word}+`, 'gu')) ?? [];
      const end = single.endsWith('*') ? `${word}*` : `(?!${word})`;
      return `(?<!${word})${words.join('[^\\p{L}\\p{N}\\p{M}]+')}${end}`;
    });
    return new RegExp(terms.join('|'), 'gu');
  };

  it('are found where a pattern finds them', () => {
    const seed = runSeed();
    const random = seededRandom(seed);
    const queries = [
      'a',
      'ab',
      'a*',
      'b a',
      '"a b"',
      '"a a" a',
      '"a b a" b*',
      'é "é a"',
      '𐐨',
      '"𐐨 a"',
      'a b ab',
      '"a ab"',
      '"b ab a" a',
      '"a é\u0301"',
    ];
    for (let round = 0; round < 3_000; round += 1) {
      const text = Array.from({ length: 24 }, () =>
        random.pick(['a', 'b', 'é', '𐐨', ' ', '-', '\n', '😀', '\u0301', '\ud801', '\udc28']),
      ).join('');
      const q = random.pick(queries);
      const found = [...createMatcher({ q, mode: 'text', caseSensitive: true }).ranges(text)];
      const wanted = [...text.matchAll(patternOf(q))].map(({ index, 0: all }) => [index, index + all.length]);
      expect({ seed, q, text, found }).toEqual({ seed, q, text, found: wanted });
    }
  });
});

describe('lines', () => {
  const lines = (text: string, q: string, context = 0) =>
    matchingLines(text, createMatcher({ q, mode: 'literal', caseSensitive: false }).ranges(text), context);

  it('are numbered and have context', () => {
    expect(lines('a\r\nb\nneedle', 'needle', 2).matches).toEqual([
      { line: 3, text: 'needle', ranges: [{ start: 0, end: 6 }], before: ['a', 'b'], after: [] },
    ]);
    expect(lines('needle\n\nx\n', 'needle', 5).matches[0]?.after).toEqual(['', 'x']);
  });

  it('never cut a character', () => {
    const [match] = lines(`${'😀'.repeat(400)}needle${'😀'.repeat(400)}`, 'needle').matches;
    expect(match?.text.isWellFormed()).toBe(true);
    expect(match?.text).toContain('needle');
  });
});

it('an expression matches what it matches in each line, though most lines are not given to the engine', () => {
  const seed = runSeed();
  const random = seededRandom(seed);
  const expressions = [
    ...[
      'foo',
      'fo+',
      '^foo.*bar$',
      'foo|bar',
      '(foo|bar)ba[rz]',
      '^$',
      'a*',
      '.',
      'foo.*foo',
      'İ.*k',
      '\\bfoo\\b',
    ],
    ...[
      '(?i)foo',
      '(?i)straße',
      'ſ',
      'K',
      'σ',
      'foo\\nbar',
      '[^f]oo',
      'bar\\s*$',
      '(foo)?bar',
      '(?:foo){2}',
      'é',
    ],
  ];
  const pieces = [
    'foo',
    'FOO',
    'bar',
    'baz',
    ' ',
    '\n',
    '\r\n',
    'İ',
    'K',
    'k',
    'ſ',
    's',
    'σ',
    'ς',
    'Σ',
    'É',
    'é',
    'straße',
    '😀',
  ];
  for (let round = 0; round < 300; round += 1) {
    const text = Array.from({ length: random.below(30) }, () => random.pick(pieces)).join('');
    const q = random.pick(expressions);
    const caseSensitive = random.below(2) === 0;
    const expression = RE2JS.compile(q, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
    const expected: [number, number][] = [];
    let from = 0;
    for (const line of text.split('\n')) {
      const matcher = expression.matcher(line.replace(/\r$/, ''));
      for (let count = 0; count < lineRangesMax && matcher.find(); count += 1)
        expected.push([from + matcher.start(), from + matcher.end()]);
      from += line.length + 1;
    }
    const found = [...createMatcher({ q, mode: 'regex', caseSensitive }).ranges(text)];
    expect(found, `seed ${seed}: ${q} in ${JSON.stringify(text)}`).toEqual(expected);
  }
});
