import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseScopePath } from '../../../server/core/access/path-scope.ts';
import { bareScopes, grantsBelow, grantsScope, requireScope } from '../../../server/core/access/scope.ts';

// The reference's published cases lie beside the checkout, where they lie at all; they are not part of the project.
const published = path.resolve(import.meta.dirname, '../../../../shared/contract/fixtures');

function publishedCases(name: string): readonly Readonly<Record<string, unknown>>[] {
  const file = path.join(published, `${name}.json`);
  if (!existsSync(file)) {
    process.stderr.write(`skipped: the published ${name} cases are not on this machine (${file})\n`);
    return [];
  }
  return (JSON.parse(readFileSync(file, 'utf8')) as { cases: Readonly<Record<string, unknown>>[] }).cases;
}

describe('a required scope', () => {
  // scopes, required, path, granted
  it.each<[string[], string, string | null, boolean]>([
    // bare
    [['fs:read'], 'fs:read', '/a', true],
    [['fs:read'], 'fs:read', null, true],
    [[' fs:read '], 'fs:read', '/a', true],
    [['fs:read'], 'fs:write', '/a', false],
    [['FS:READ'], 'fs:read', '/a', false],
    [['fs:*'], 'fs:read', '/a', false],
    [['*'], 'fs:read', '/a', false],
    [['admin:read'], 'fs:read', '/a', false],
    // structured
    [['relayfile:fs:read'], 'fs:read', '/a', true],
    [['relayfile:ops:read'], 'ops:read', null, true],
    [['relayfile:*:read'], 'sync:read', null, true],
    [['*:fs:read'], 'fs:read', '/a', true],
    [['relayfile:fs:*'], 'fs:write', '/a', true],
    [['relayfile:fs:manage'], 'fs:read', '/a', true],
    [['relayfile:fs:manage'], 'fs:write', '/a', true],
    [['relayfile:ops:manage'], 'ops:replay', null, false],
    [['relayfile:fs:read'], 'fs:manage', '/a', false],
    [['other:fs:read'], 'fs:read', '/a', false],
    [['workspace:team:read'], 'fs:read', '/a', true],
    [['workspace:team:read'], 'ops:read', null, false],
    [['workspace:team:read:/a/**'], 'fs:read', '/a/b', true],
    [['workspace:team:read:/a/**'], 'fs:read', '/b', false],
    // paths
    [['relayfile:fs:read:*'], 'fs:read', '/a', true],
    [['relayfile:fs:read:/**'], 'fs:read', '/', true],
    [['relayfile:fs:read:/*'], 'fs:read', '/', false],
    [['relayfile:fs:read:/*'], 'fs:read', '/a/b', true],
    [['relayfile:fs:read:/'], 'fs:read', '/', true],
    [['relayfile:fs:read:/'], 'fs:read', '/a', false],
    [['relayfile:fs:read:/a/b'], 'fs:read', '/a/b', true],
    [['relayfile:fs:read:/a/b'], 'fs:read', '/a/b/', true],
    [['relayfile:fs:read:/a/b'], 'fs:read', '/a/b/c', false],
    [['relayfile:fs:read:/a/**'], 'fs:read', '/a', true],
    [['relayfile:fs:read:/a/**'], 'fs:read', '/ab', false],
    [['relayfile:fs:read:/a/*'], 'fs:read', '/a', false],
    [['relayfile:fs:read:/a/*'], 'fs:read', '/a/b/c', true],
    [['relayfile:fs:read:/a*'], 'fs:read', '/ab/c', true],
    [['relayfile:fs:read:/a*'], 'fs:read', '/', false],
    [['relayfile:fs:read:/a*/c'], 'fs:read', '/ab/c', false],
    [['relayfile:fs:read:/x:y/**'], 'fs:read', '/x:y/z', true],
    [['relayfile:fs:read:/x:y/**'], 'fs:read', '/x', false],
    [['relayfile:fs:read: /a '], 'fs:read', '/a', true],
    [['relayfile:fs:read:/a'], 'fs:read', ' /a ', true],
    // a name that ends in a space is another file
    [['relayfile:fs:read:/a'], 'fs:read', '/a ', false],
    // confinement
    [['fs:read', 'relayfile:fs:read:/a/**'], 'fs:read', '/b', false],
    [['relayfile:fs:read:/a/**', 'fs:read'], 'fs:read', '/b', false],
    [['fs:read', 'relayfile:fs:read:/a/**'], 'fs:read', '/a/b', true],
    [['fs:read', 'relayfile:fs:write:/a/**'], 'fs:read', '/b', true],
    [['fs:read', 'relayfile:fs:manage:/a/**'], 'fs:read', '/b', false],
    [['fs:read', 'relayfile:fs:read:'], 'fs:read', '/b', false],
    [['fs:read', 'relayfile:fs:read:/a/*/b'], 'fs:read', '/a/x/b', false],
    [['fs:read', 'relayfile:fs:read', 'relayfile:fs:read:/a'], 'fs:read', '/b', true],
    [['relayfile:fs:read:/a', 'relayfile:fs:read:/b'], 'fs:read', '/b', true],
    // routes without a path, checked again for each file
    [['relayfile:fs:write:/a/**'], 'fs:write', null, true],
    [['relayfile:fs:read:/a/**'], 'fs:write', null, false],
    [['relayfile:fs:write:'], 'fs:write', null, false],
  ])('%j for %s on %j: %j', (scopes, required, at, granted) => {
    expect(grantsScope(scopes, required, at)).toBe(granted);
  });

  it('is missed with a message that names it, and with another one when there are no scopes', () => {
    expect(requireScope(['fs:read'], 'fs:read', '/')).toEqual({ ok: true });
    expect(requireScope(['fs:read'], 'ops:read', null)).toEqual({
      ok: false,
      message: 'missing required scope: ops:read',
    });
    expect(requireScope([], 'fs:read', '/')).toEqual({ ok: false, message: 'no scopes granted' });
  });
});

describe('a path part', () => {
  it.each(['*', '/', '/a', '/a b/c', '/a/**', '/**', '/a/*', '/*', '/a/b-*', '/a*', '/x:y/**'])(
    '%j is valid',
    (text) => {
      expect(parseScopePath(text)).not.toBeNull();
    },
  );
  it.each([
    '',
    ' ',
    'a',
    'a/**',
    '**',
    '/a/',
    '//',
    '/a//b',
    '/./a',
    '/a/..',
    '/a/*/b',
    '/a/**/b',
    '/a*b',
    '/a/x**',
    '/a/***',
    '/*/*',
    '***',
  ])('%j is not', (text) => {
    expect(parseScopePath(text)).toBeNull();
  });
});

describe('the published cases', () => {
  it('of matching agree', () => {
    const cases = publishedCases('auth-matching');
    const wrong = cases.filter((one) => {
      const { auth_matches } = one.expect as { auth_matches: boolean };
      return grantsScope(one.scopes as string[], one.required as string, one.file as string) !== auth_matches;
    });
    expect(wrong.map((one) => one.name)).toEqual([]);
  });

  it('of scope paths agree', () => {
    const cases = publishedCases('scope-paths');
    const wrong = cases.filter((one) => {
      const scopePath = one.scope_path as string;
      const probes = (one.probe_files ?? []) as string[];
      const { valid } = one.expect as { valid: boolean };
      const opensAny = probes.some((file) =>
        grantsScope([`relayfile:fs:read:${scopePath}`], 'fs:read', file),
      );
      return (parseScopePath(scopePath) !== null) !== valid || opensAny;
    });
    expect(wrong.map((one) => one.name)).toEqual([]);
  });
});

const segment = fc.constantFrom('a', 'b', 'ab', 'a:b', 'a b', '.a', 'é');
const filePath = fc
  .array(segment, { minLength: 0, maxLength: 4 })
  .map((segments) => `/${segments.join('/')}`);
const directory = fc
  .array(segment, { minLength: 1, maxLength: 3 })
  .map((segments) => `/${segments.join('/')}`);
const pathPart = fc.oneof(
  directory,
  directory.map((one) => `${one}/**`),
  directory.map((one) => `${one}/*`),
  directory.map((one) => `${one}*`),
  directory.map((one) => `${one}/*/x`),
  fc.constantFrom('*', '/', '/**', '/*', '', 'a'),
);
const anyScope = fc.oneof(
  fc.constantFrom(...bareScopes),
  fc
    .tuple(
      fc.constantFrom('relayfile', '*', 'workspace', 'other'),
      fc.constantFrom('fs', 'ops', '*'),
      fc.constantFrom('read', 'write', 'manage', '*'),
    )
    .map((parts) => parts.join(':')),
  fc
    .tuple(fc.constantFrom('read', 'write', 'manage', '*'), pathPart)
    .map(([action, part]) => `relayfile:fs:${action}:${part}`),
);

describe('what lies below a directory', () => {
  it.each<[string[], string, boolean]>([
    [['fs:read'], '/a', true],
    [['relayfile:fs:read:*'], '/', true],
    [['relayfile:fs:read:/a/**'], '/a', true],
    [['relayfile:fs:read:/a/*'], '/a', true],
    [['relayfile:fs:read:/a*'], '/a', true],
    [['relayfile:fs:read:/a'], '/a', false],
    [['relayfile:fs:read:/a/b'], '/a', false],
    [['relayfile:fs:read:/'], '/', false],
    [['fs:read', 'relayfile:fs:read:/a'], '/a/', false],
    [['fs:write'], '/a', false],
  ])('is granted by %j for %s: %j', (scopes, dir, granted) => {
    expect(grantsBelow(scopes, 'fs:read', dir)).toBe(granted);
  });

  it('is granted only when each of it is', () => {
    fc.assert(
      fc.property(fc.array(anyScope, { maxLength: 5 }), directory, filePath, (scopes, dir, file) => {
        fc.pre(grantsBelow(scopes, 'fs:read', dir) && file !== '/');
        expect(grantsScope(scopes, 'fs:read', `${dir}${file}`)).toBe(true);
      }),
    );
  });
});

describe('whatever the scopes', () => {
  it('a grant below a directory gives nothing outside it, whatever bare scopes stand beside it', () => {
    fc.assert(
      fc.property(directory, filePath, fc.shuffledSubarray([...bareScopes]), (dir, file, bare) => {
        const scopes = [...bare, `relayfile:fs:read:${dir}/**`, `relayfile:fs:write:${dir}/**`];
        const inside = file === dir || file.startsWith(`${dir}/`);
        expect(grantsScope(scopes, 'fs:read', file)).toBe(inside);
        expect(grantsScope(scopes, 'fs:write', file)).toBe(inside);
      }),
    );
  });

  it('their order does not matter', () => {
    fc.assert(
      fc.property(
        fc.array(anyScope, { maxLength: 5 }),
        filePath,
        fc.constantFrom('fs:read', 'fs:write', 'ops:read'),
        (scopes, file, required) => {
          expect(grantsScope(scopes.toReversed(), required, file)).toBe(grantsScope(scopes, required, file));
        },
      ),
    );
  });

  it('what passes on a path passes without one', () => {
    fc.assert(
      fc.property(fc.array(anyScope, { maxLength: 5 }), filePath, (scopes, file) => {
        fc.pre(grantsScope(scopes, 'fs:read', file));
        expect(grantsScope(scopes, 'fs:read', null)).toBe(true);
      }),
    );
  });

  it('a further narrow grant opens no more than its own path', () => {
    fc.assert(
      fc.property(fc.array(anyScope, { maxLength: 4 }), pathPart, filePath, (scopes, part, file) => {
        const more = `relayfile:fs:read:${part}`;
        fc.pre(grantsScope([...scopes, more], 'fs:read', file));
        const already = grantsScope(scopes, 'fs:read', file);
        const byItself = grantsScope([more], 'fs:read', file);
        expect(already || byItself).toBe(true);
      }),
    );
  });

  it('any text is answered without an error', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.string({ unit: 'binary' }), (scopes, file) => {
        expect(
          grantsScope(
            scopes.map((one) => `relayfile:${one}`),
            'fs:read',
            file,
          ),
        ).toBeTypeOf('boolean');
      }),
    );
  });
});
