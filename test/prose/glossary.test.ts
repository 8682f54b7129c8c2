// docs/glossary.md is kept: what it names is there, and no retired word is in the sources.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readGlossary } from './glossary.ts';
import { type Passage, productSources, readSource, root, trackedFiles } from './product-text.ts';

const glossary = readGlossary();
const sources = productSources();

/** `letNewerTakeOver` -> ["let", "newer", "take", "over"]; file names alike. */
function wordsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []).map((word) => word.toLowerCase());
}

function holds(words: readonly string[], sought: readonly string[]): boolean {
  return words.some((_, start) => sought.every((word, index) => words[start + index] === word));
}

/** The list of retired words, and the table that is generated of test names. */
const notWritten = new Set(['docs/glossary.md', 'test/flow/scenarios.md']);

/** Names of the wire and of stored data: docs/glossary.md, "Frozen words". */
const frozenNames = new Set(['hastened']);

function retiredNamesIn(names: readonly Passage[]): readonly string[] {
  const byName = new Map<string, Passage>();
  for (const each of names) if (!byName.has(each.text)) byName.set(each.text, each);
  const hits: string[] = [];
  for (const [name, { file, line }] of byName) {
    if (frozenNames.has(name)) continue;
    const words = wordsOf(name);
    for (const retired of glossary.names)
      if (holds(words, wordsOf(retired.words)))
        hits.push(`${file}:${line} ${name}: "${retired.words}" is retired, use "${retired.use}"`);
  }
  return hits;
}

function retiredPhrasesIn(passages: readonly Passage[]): readonly string[] {
  return passages.flatMap(({ file, line, text }) =>
    glossary.phrases
      .filter(({ words }) =>
        new RegExp(`(?<![\\w-])${words}(?![\\w-])`, 'i').test(text.replaceAll(/\s+(?:\/\/ |\* )?/g, ' ')),
      )
      .map(({ words, use }) => `${file}:${line} "${words}" is retired, write "${use}": ${text.slice(0, 80)}`),
  );
}

describe('the glossary', () => {
  it('has rows to check', () => {
    expect(glossary.terms.length).toBeGreaterThan(120);
    expect(glossary.names.length).toBeGreaterThan(20);
    expect(glossary.phrases.length).toBeGreaterThan(10);
  });

  it('names places that exist', () => {
    const places = glossary.terms.flatMap(({ term, places: all }) =>
      all.map((place) => [term, place] as const),
    );
    expect(places.filter(([, place]) => !existsSync(path.join(root, place)))).toEqual([]);
  });

  it('names types and functions that exist', () => {
    const known = new Set(sources.flatMap(({ names }) => names.map(({ text }) => text)));
    const named = glossary.terms.flatMap(({ names }) => names).filter((name) => /^[A-Za-z]+$/.test(name));
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('retired names', () => {
  it('are in no name of the sources', () => {
    expect(sources.flatMap(({ names }) => retiredNamesIn(names))).toEqual([]);
  });

  it('are in no file name', () => {
    const files = trackedFiles('server', 'sdk', 'renderer', 'electron', 'test').map((file) => ({
      file,
      line: 1,
      text: path.basename(file).split('.')[0] ?? '',
    }));
    expect(retiredNamesIn(files)).toEqual([]);
  });

  it('are found where they are', () => {
    const { names } = readSource('planted.ts', 'const untoldChanges = 1; class Hastener { #hasten() {} }');
    expect(retiredNamesIn(names)).toHaveLength(2);
  });
});

describe('retired phrases', () => {
  it('are in no text that people read', () => {
    expect(sources.flatMap(({ texts }) => retiredPhrasesIn(texts))).toEqual([]);
  });

  it('are in no comment', () => {
    expect(sources.flatMap(({ comments }) => retiredPhrasesIn(comments))).toEqual([]);
  });

  it('are in no document', () => {
    const documents = trackedFiles('*.md').filter((file) => !notWritten.has(file));
    const lines = documents.flatMap((file) =>
      readFileSync(path.join(root, file), 'utf8')
        .split('\n')
        .map((text, index) => ({ file, line: index + 1, text })),
    );
    expect(retiredPhrasesIn(lines)).toEqual([]);
  });

  it('are found where they are', () => {
    const planted = "export const text = 'The mirror goes on by itself.'; // nobody is told\n";
    const { texts, comments } = readSource('planted.ts', planted);
    expect(retiredPhrasesIn(texts)).toHaveLength(2);
    expect(retiredPhrasesIn(comments)).toHaveLength(2);
  });
});
