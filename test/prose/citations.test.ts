// What the sources and the documents cite is in the repository: `docs/x.md#heading` in comments, links in documents.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Passage, productSources, readSource, root, trackedFiles } from './product-text.ts';

/** As GitHub makes anchors of headings; a numbered rule is cited by its number. */
function anchorsOf(document: string): ReadonlySet<string> {
  const headings = [...readFileSync(path.join(root, document), 'utf8').matchAll(/^#+ (.*)$/gm)];
  return new Set(
    headings.flatMap(([, heading = '']) => {
      const number = /^([A-Z]?\d+)[. ]/.exec(heading)?.[1];
      const anchor = heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(/\s/g, '-');
      return number === undefined ? [anchor] : [anchor, number.toLowerCase()];
    }),
  );
}

const anchors = new Map<string, ReadonlySet<string>>();

function faultOf(document: string, anchor: string | undefined): string | null {
  if (!existsSync(path.join(root, document))) return 'no such document';
  if (anchor === undefined || !document.endsWith('.md')) return null;
  const known = anchors.get(document) ?? anchorsOf(document);
  anchors.set(document, known);
  return known.has(anchor.toLowerCase()) ? null : 'no such heading';
}

function brokenIn({ file, line, text }: Passage): readonly string[] {
  return [...text.matchAll(/(?<![\w/#'])(docs\/[\w-]+\.md)(?:#([\w-]+))?/g)].flatMap(
    ([cited, document = '', anchor]) => {
      const fault = faultOf(document, anchor);
      return fault === null ? [] : [`${file}:${line} ${cited}: ${fault}`];
    },
  );
}

/** Documents that are not in the repository. */
const outside =
  /contract rulings?\b|\bcontract \d|sync-engine rules?\b|\banomaly A\d|DESIGN(-2)?\.md|\bruling \d/i;

function commentsOf(...folders: readonly string[]): readonly Passage[] {
  return trackedFiles(...folders)
    .filter((file) => /\.(ts|tsx|mjs|cjs)$/.test(file) && !file.startsWith('test/prose/'))
    .flatMap((file) => readSource(file, readFileSync(path.join(root, file), 'utf8')).comments);
}

const comments = [...productSources().flatMap((source) => source.comments), ...commentsOf('test', 'build')];

it('finds each cited section', () => {
  expect(comments.filter(({ text }) => text.includes('docs/')).length).toBeGreaterThan(50);
  expect(comments.flatMap(brokenIn)).toEqual([]);
});

it('finds no citation of a document outside the repository', () => {
  const cited = comments.filter(({ text }) => outside.test(text));
  expect(cited.map(({ file, line, text }) => `${file}:${line} ${text.slice(0, 80)}`)).toEqual([]);
});

it('finds the target of each link of the documents', () => {
  const broken = trackedFiles('*.md').flatMap((file) =>
    [
      ...readFileSync(path.join(root, file), 'utf8').matchAll(
        /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([\w-]+))?\)/g,
      ),
    ].flatMap(([link, target = '', anchor]) => {
      const document = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
      const fault = faultOf(document, anchor);
      return fault === null ? [] : [`${file} ${link}: ${fault}`];
    }),
  );
  expect(broken).toEqual([]);
});

it('finds a broken citation', () => {
  const planted = 'const a = 1; // docs/wire-contract.md#no-such-heading, docs/sync-rules.md#7\n';
  expect(readSource('planted.ts', planted).comments.flatMap(brokenIn)).toHaveLength(1);
});
