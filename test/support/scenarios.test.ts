import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { asMarkdown, scenarios } from './scenarios.ts';

const tests = path.resolve(import.meta.dirname, '..');

describe('the table of scenarios', () => {
  it('has every number once', () => {
    expect(scenarios.map(({ number }) => number)).toEqual(
      Array.from({ length: 101 }, (_, index) => index + 1),
    );
  });

  it('names only tests that there are', () => {
    const gone = scenarios.flatMap(({ number, proof }) =>
      ('tested' in proof ? proof.tested : [])
        .filter((test) => !isThere(test))
        .map((test) => `${number} ${test}`),
    );
    expect(gone).toEqual([]);
  });

  it('is the one that lies beside the flow tests', async () => {
    await expect(asMarkdown(scenarios)).toMatchFileSnapshot('../flow/scenarios.md');
  });
});

function isThere(test: string): boolean {
  const [file, title] = test.split(': ', 2) as [string, string];
  const source = [`${file}.test.ts`, `${file}.ts`].map((name) => path.join(tests, name)).find(existsSync);
  return source !== undefined && readFileSync(source, 'utf8').replaceAll("\\'", "'").includes(title);
}
