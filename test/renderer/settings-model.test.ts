import { describe, expect, it, test } from 'vitest';
import { settingName, settingValue } from '../../renderer/model/access/setting-labels.ts';
import { snippetLanguages, snippetsOf } from '../../renderer/model/access/snippets.ts';
import { beginOfPattern, pathProblem, typedPath } from '../../renderer/model/access/token-path.ts';
import { isActive, permissionsOf, tokenStatus } from '../../renderer/model/access/token-view.ts';
import {
  newSigningSecret,
  newTarget,
  providerProblems,
  targetBody,
  targetProblems,
} from '../../renderer/model/outbound/provider-form.ts';
import type { AgentSetting } from '../../server/contract/agent.ts';
import type { AccessToken } from '../../server/contract/workspaces.ts';
import { settingNames } from '../../server/platform/config/settings.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const inHours = (hours: number) => new Date(nowMs + hours * 3_600_000).toISOString();
const token = (change: Partial<AccessToken> = {}): AccessToken => ({
  tokenId: 'tok_1',
  workspaceId: 'rw_1',
  agent: 'a',
  scopes: ['fs:read'],
  createdAt: inHours(-1),
  expiresAt: inHours(24 * 30),
  ...change,
});

describe('a token', () => {
  it('tells scopes and the paths that narrow them apart', () => {
    expect(permissionsOf(['fs:read', 'ops:read'])).toEqual({ scopes: ['fs:read', 'ops:read'], paths: [] });
    const narrowed = ['relayfile:fs:read:/docs/**', 'relayfile:fs:write:/docs/**', 'sync:read'];
    expect(permissionsOf(narrowed)).toEqual({
      scopes: ['fs:read', 'fs:write', 'sync:read'],
      paths: ['/docs/**'],
    });
  });

  it.each([
    [token(), 'Expires in 30 days', true],
    [token({ expiresAt: inHours(25) }), 'Expires in 1 day', true],
    [token({ expiresAt: inHours(12) }), 'Expires in 12 h', true],
    [token({ expiresAt: inHours(0) }), 'Expired', false],
    [token({ revokedAt: inHours(-1) }), 'Revoked', false],
  ])('%# reads %s', (given, word, active) => {
    expect([tokenStatus(given, nowMs).word, isActive(given, nowMs)]).toEqual([word, active]);
  });

  it('takes a path that begins with a slash and has a star at its end alone, or none', () => {
    const fine = ['', '/', '/docs', '/docs/', '/docs/**', '/docs/*', '/docs/a*'];
    expect(fine.map(pathProblem)).toEqual(fine.map(() => null));
    expect(pathProblem('docs/**')).toContain('Start the path with');
    for (const path of ['/a*/b', '/a/**b', '/docs**']) expect(pathProblem(path)).toContain('at the end only');
    for (const path of ['//', '/a//b', '/../a', '/a/./b']) expect(pathProblem(path)).toContain('Remove');
  });

  it('is limited to a folder, a file or a prefix', () => {
    expect(typedPath('/docs/')).toEqual({ kind: 'entry', path: '/docs' });
    expect(typedPath('/docs/**')).toEqual({ kind: 'below', folder: '/docs', pattern: '/docs/**' });
    expect(typedPath('/docs/a*')).toEqual({ kind: 'prefix', folder: '/docs', prefix: '/docs/a' });
    expect(typedPath('/a*')).toEqual({ kind: 'prefix', folder: '/', prefix: '/a' });
    const begins = [undefined, '/**', '/docs/*', '/docs/a*', '/a.md'].map(beginOfPattern);
    expect(begins).toEqual(['/', '/', '/docs', '/docs', '/a.md']);
  });
});

describe('a new provider', () => {
  const secret = newSigningSecret(new Uint8Array(32).fill(7));

  it('needs a name, and an address with a secret only where items are sent to', () => {
    const target = { ...newTarget, url: 'https://a.example/in', secret };
    const outside = { name: 'git', kind: 'http', target } as const;
    const nothing = { name: null, url: null, secret: null, refreshUrl: null, timeout: null };
    expect(providerProblems(outside)).toEqual(nothing);
    expect(providerProblems({ ...outside, kind: 'external', target: newTarget })).toEqual(nothing);
    const bad = { ...target, url: 'ftp://x', secret: 'whsec_short', refreshUrl: 'x', timeout: '121' };
    const wrong = providerProblems({ name: 'a/b', kind: 'http', target: bad });
    expect(Object.values(wrong).every((each) => each !== null)).toBe(true);
  });

  it('keeps its secret when it is edited, and loses its refresh URL when the field is emptied', () => {
    const target = { ...newTarget, url: ' https://a.example/in ', timeout: '2.5' };
    expect(targetProblems(target, { keepsSecret: true }).secret).toBeNull();
    expect(targetProblems(target, { keepsSecret: false }).secret).not.toBeNull();
    const url = 'https://a.example/in';
    const allowed = { allowPlainHttp: false, allowPrivateAddresses: false };
    expect(targetBody(target)).toEqual({ url, refreshUrl: null, timeoutMs: 2_500, ...allowed });
    expect(targetProblems({ ...target, timeout: '' }, { keepsSecret: true }).timeout).not.toBeNull();
  });

  it('gets a secret in the form of Standard Webhooks', () => {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });
});

test('every setting of the agent has a name for people, and values read as what they are', () => {
  const setting = (name: string, value: AgentSetting['value']): AgentSetting => ({
    name,
    value,
    isDefault: true,
    default: value,
    source: 'default',
    isEditable: false,
    flag: '',
    variable: '',
  });
  expect(settingNames.filter((name) => settingName(setting(name, null)) === name)).toEqual([]);
  const read = (name: string, value: AgentSetting['value']) => settingValue(setting(name, value));
  expect(read('maxBodyBytes', 96 * 1024 * 1024)).toBe('96 MiB');
  expect(read('historyDays', 1)).toBe('1 day');
  expect(read('envelopeAttempts', 5)).toBe('5 attempts');
  expect(read('envelopeQueueSize', 10_000)).toBe('10,000');
  expect(read('allowHost', [])).toBe('none');
  expect(read('ui', true)).toBe('yes');
});

test('snippets name address and workspace and never a token', () => {
  for (const language of snippetLanguages) {
    const code = snippetsOf(language, 'http://127.0.0.1:4417', 'rw_a1b2c3d4').map((each) => each.code);
    expect(code.length).toBeGreaterThan(0);
    for (const text of code) {
      expect(text).toContain('127.0.0.1:4417');
      expect(text).toContain('rw_a1b2c3d4');
      expect(text).toMatch(/MOORING_TOKEN/);
    }
  }
});
