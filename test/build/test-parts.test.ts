// A test in a folder that no part of `npm test` names would never run.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import config from '../../vitest.config.ts';

const root = path.resolve(import.meta.dirname, '../..');

it('each test file is in exactly one part', () => {
  const projects = (config as { readonly test: { readonly projects: readonly object[] } }).test.projects;
  const patterns = projects.flatMap(
    (project) => (project as { readonly test: { readonly include: readonly string[] } }).test.include,
  );
  expect(patterns.length).toBeGreaterThan(20);
  const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.test\.tsx?$/.test(name));
  expect(files.length).toBeGreaterThan(300);
  const wrong = files.filter(
    (name) => patterns.filter((pattern) => path.matchesGlob(name, pattern)).length !== 1,
  );
  expect(wrong).toEqual([]);
});
