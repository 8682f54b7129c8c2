// A test in a folder that no part of `npm test` names would never run.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import config from '../../vitest.config.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Runs files of other parts once more. */
const repeats = 'engines';

it('each test file is in exactly one part', () => {
  interface Project {
    readonly test: { readonly name: string; readonly include: readonly string[] };
  }
  const { projects } = (config as unknown as { readonly test: { readonly projects: readonly Project[] } })
    .test;
  const patternsOf = (isRepeated: boolean) =>
    projects.filter(({ test }) => (test.name === repeats) === isRepeated).flatMap(({ test }) => test.include);
  const patterns = patternsOf(false);
  expect(patterns.length).toBeGreaterThan(20);
  const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.test\.tsx?$/.test(name));
  expect(files.length).toBeGreaterThan(300);
  const wrong = files.filter(
    (name) => patterns.filter((pattern) => path.matchesGlob(name, pattern)).length !== 1,
  );
  expect(wrong).toEqual([]);
  const empty = patternsOf(true).filter((pattern) => !files.some((name) => path.matchesGlob(name, pattern)));
  expect(empty).toEqual([]);
});
