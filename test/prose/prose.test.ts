// textlint over the documents and over the texts of the product, with the terms of technical English and the project's own rules.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import plainText from '@textlint/textlint-plugin-text';
import type { TextlintPluginCreator } from '@textlint/types';
import terminology from 'textlint-rule-terminology';
import { expect, it } from 'vitest';
import { productSources, root, trackedFiles } from './product-text.ts';
import { noRepeatedWords, ratesWithPer, sentenceCaseHeadings, shortSentences } from './rules.ts';

/** A CommonJS module with a default export: Node wraps it, Vitest does not. */
function pluginOf(
  module: TextlintPluginCreator | { readonly default: TextlintPluginCreator },
): TextlintPluginCreator {
  return 'default' in module ? module.default : module;
}

const kernel = new TextlintKernel();
/** Terms on which this project's glossary, or the name of a command or a file, decides otherwise. */
const terms = {
  exclude: ['ID', "id['’]?s", "API['’]?s", 'cURL', 'Git', 'host[- ]name(s)?', 'indexes\\b', 'readme(s)?'],
};

async function faultsOf(file: string, text: string, isDocument: boolean): Promise<readonly string[]> {
  const ext = isDocument ? '.md' : '.txt';
  const { messages } = await kernel.lintText(text, {
    ext,
    filePath: path.join(root, file),
    plugins: [
      isDocument
        ? { pluginId: 'markdown', plugin: pluginOf(markdown) }
        : { pluginId: 'text', plugin: pluginOf(plainText) },
    ],
    rules: [
      { ruleId: 'short-sentences', rule: shortSentences },
      { ruleId: 'no-repeated-words', rule: noRepeatedWords },
      { ruleId: 'rates-with-per', rule: ratesWithPer },
      { ruleId: 'sentence-case-headings', rule: sentenceCaseHeadings },
      ...(isDocument ? [{ ruleId: 'terminology', rule: terminology, options: terms }] : []),
    ],
  });
  return messages.map(({ line, message }) => `${file}:${line} ${message}`);
}

it('finds no fault in the documents', async () => {
  const documents = trackedFiles('*.md');
  const faults = await Promise.all(
    documents.map((file) => faultsOf(file, readFileSync(path.join(root, file), 'utf8'), true)),
  );
  expect(documents.length).toBeGreaterThan(10);
  expect(faults.flat()).toEqual([]);
});

it('finds no fault in the texts of the product', async () => {
  const faults = await Promise.all(
    productSources().map(({ file, texts }) =>
      faultsOf(file, texts.map(({ text }) => text).join('\n\n'), false),
    ),
  );
  expect(faults.flat()).toEqual([]);
});

it('finds what is planted', async () => {
  const planted =
    '# A Heading With Capitals\n\nThe the agent deletes 1,000 files a minute with javascript.\n';
  expect(await faultsOf('planted.md', planted, true)).toHaveLength(4);
});
