import { expect, it } from 'vitest';
import { looksLikeSecrets } from '../../../server/core/paths/secret-names.ts';

it.each([
  ['/.env', true],
  ['/app/.env.local', true],
  ['/app/.env.production.local', true],
  ['/.envrc', true],
  ['/.env.example', false],
  ['/.env.production.sample', false],
  ['/.environment', false],
  ['/env', false],
  ['/.env/file', false],
])('%s looks like a file of secrets: %s', (path, expected) => {
  expect(looksLikeSecrets(path)).toBe(expected);
});
