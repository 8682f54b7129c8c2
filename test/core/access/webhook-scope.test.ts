import { describe, expect, it } from 'vitest';
import { grantsGlob } from '../../../server/core/access/webhook-scope.ts';

const everywhere = ['/**', '/p/**', '/p/*/x', '/p/a', '/q'];
const cases: readonly [name: string, scopes: readonly string[], allowed: readonly string[]][] = [
  ['no webhooks:write', ['fs:read', 'webhooks:read'], []],
  ['webhooks:write alone', ['webhooks:write'], everywhere],
  ['the scope of the whole namespace', ['relayfile:webhooks:write'], everywhere],
  [
    'a path grant and writing',
    ['relayfile:fs:write:/p/**', 'relayfile:webhooks:write:/p/**'],
    ['/p/**', '/p/*/x', '/p/a'],
  ],
  [
    'a path grant beside other files',
    ['relayfile:fs:read:/q', 'relayfile:webhooks:write:/p/**'],
    ['/p/**', '/p/*/x', '/p/a'],
  ],
  ['a path grant beside the bare scope', ['webhooks:write', 'relayfile:webhooks:write:/q'], ['/q']],
  [
    'no path, and reading below one',
    ['webhooks:write', 'relayfile:fs:read:/p/**'],
    ['/p/**', '/p/*/x', '/p/a'],
  ],
  ['no path, and writing one file', ['webhooks:write', 'relayfile:fs:write:/p/a'], ['/p/a']],
  [
    'no path, reading everything, writing below one',
    ['webhooks:write', 'fs:read', 'relayfile:fs:write:/p/**'],
    everywhere,
  ],
  ['every action below one path', ['relayfile:*:*:/p/**'], ['/p/**', '/p/*/x', '/p/a']],
  ['what lies below a directory without it', ['relayfile:webhooks:write:/p/*'], ['/p/*/x', '/p/a']],
  ['one file', ['relayfile:webhooks:write:/p/a'], ['/p/a']],
  ['a path that is not valid', ['relayfile:webhooks:write:/p/*/x'], []],
];

describe('globs that a token may register an endpoint for', () => {
  it.each(cases)('%s', (_name, scopes, allowed) => {
    expect(everywhere.filter((glob) => grantsGlob(scopes, 'webhooks:write', glob))).toEqual(allowed);
  });
});
