import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aclFileName,
  effectivePermissions,
  effectiveRules,
  isAclPath,
  isAllowed,
  readAclFile,
} from '../../../server/core/access/acl.ts';
import type { AccessSubject } from '../../../server/core/entry.ts';

const ann: AccessSubject = {
  workspaceId: 'rw_aaaaaaaa',
  agent: 'ann',
  scopes: ['fs:read', 'relayfile:fs:write:/x'],
};

function allows(permissions: readonly string[], subject: AccessSubject | null = ann): boolean {
  return isAllowed(effectiveRules([], permissions), subject);
}

describe('access of a subject', () => {
  it.each<[string[], boolean]>([
    [[], true],
    [['role:finance', 'confidential', ''], true],
    [['public'], true],
    [['ANY'], true],
    [['allow:*'], true],
    [['deny:public'], false],
    [['agent:ann'], true],
    [['agent:Ann'], false],
    [['allow:agent:ben'], false],
    [['deny:agent:ben'], false],
    [['deny:agent:ben', 'public'], true],
    [['deny:agent:ann', 'public', 'agent:ann'], false],
    [['public', 'DENY: Agent : ann'], false],
    [['scope:fs:read'], true],
    [['scope:fs:write'], false],
    [['scope:fs'], false],
    [['workspace:rw_aaaaaaaa'], true],
    [['workspace:rw_bbbbbbbb'], false],
    [['agent:ben', 'workspace:rw_aaaaaaaa'], true],
    // values that cannot be: plain tags
    [['agent:two words'], true],
    [['agent:-x'], true],
    [[`agent:${'a'.repeat(129)}`], true],
    [['scope:fs:'], true],
    [['scope:relayfile:fs:write:/x'], true],
    [['workspace:rw.a'], true],
    [['deny:'], true],
    [['deny:role:finance'], true],
  ])('under %j: %j', (permissions, allowed) => {
    expect(allows(permissions)).toBe(allowed);
  });

  it('is never refused to the agent itself', () => {
    expect(allows(['deny:public'], null)).toBe(true);
  });

  it('follows from all markers above and the file itself', () => {
    const markers = [
      ['agent:ann', 'tag'],
      ['deny:agent:ben', 'tag'],
    ];
    expect(effectivePermissions(markers, ['public', 'agent:ann'])).toEqual([
      'agent:ann',
      'tag',
      'deny:agent:ben',
      'public',
    ]);
    const rules = effectiveRules(markers, ['public']);
    expect([isAllowed(rules, ann), isAllowed(rules, { ...ann, agent: 'ben' })]).toEqual([true, false]);
  });
});

describe('a marker', () => {
  it('is known by its name alone', () => {
    expect(
      [`/${aclFileName}`, `/a/${aclFileName}`, '/a/relayfile.acl', `/${aclFileName}/b`].map(isAclPath),
    ).toEqual([true, true, false, false]);
  });

  const json = (permissions: unknown) => JSON.stringify({ semantics: { permissions } });

  it.each<[string, Parameters<typeof readAclFile>, readonly string[]]>([
    ['its metadata', [{ permissions: ['public'] }, 'anything'], ['public']],
    ['its metadata before its content', [{ permissions: ['public'] }, json(['agent:a'])], ['public']],
    ['its metadata when the content is not text', [{ permissions: ['public'] }, null], ['public']],
    ['its content', [{}, json(['agent:a', 'tag'])], ['agent:a', 'tag']],
    [
      'its content when its metadata names none',
      [{ permissions: [], comments: ['c'] }, json(['agent:a'])],
      ['agent:a'],
    ],
    ['no list', [{}, json([])], []],
    ['blank content', [{}, ' \n'], []],
  ])('takes its permissions from %s', (_, [semantics, text], permissions) => {
    expect(readAclFile(semantics, text)).toEqual({ valid: true, permissions });
  });

  it.each<[string, Parameters<typeof readAclFile>]>([
    ['text that is not JSON', [{}, 'deny:agent:ann']],
    ['bytes', [{}, null]],
    ['a JSON list', [{}, '["public"]']],
    ['null', [{}, 'null']],
    ['a number', [{}, '7']],
    ['semantics that are null', [{}, '{"semantics":null}']],
    ['no permissions', [{}, '{"semantics":{}}']],
    ['permissions that are no list', [{}, json('public')]],
    ['a permission that is no text', [{}, json(['public', 1])]],
    ['inherited names', [{}, '{"__proto__":{"semantics":{"permissions":["public"]}}}']],
    ['a rule that could not work', [{}, json(['public', 'deny:agent:two words'])]],
    ['a rule about nothing', [{ permissions: ['deny:everyone'] }, null]],
  ])('is not valid with %s', (_, [semantics, text]) => {
    expect(readAclFile(semantics, text)).toMatchObject({ valid: false });
  });
});

const permission = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', 'allow:', 'deny:', 'Deny: '),
      fc.constantFrom(
        'public',
        '*',
        'agent:ann',
        'agent:ben',
        'scope:fs:read',
        'scope:fs:write',
        'workspace:w1',
        'workspace:w2',
        'tag',
        'agent:two words',
      ),
    )
    .map(([effect, target]) => effect + target),
  fc.string(),
);
const permissions = fc.array(permission, { maxLength: 6 });
const subject: fc.Arbitrary<AccessSubject> = fc.record({
  workspaceId: fc.constantFrom('w1', 'w2'),
  agent: fc.constantFrom('ann', 'ben', 'cyd'),
  scopes: fc.subarray(['fs:read', 'fs:write']),
});
const denial = fc
  .constantFrom('public', 'agent:ann', 'scope:fs:read', 'workspace:w1')
  .map((target) => `deny:${target}`);

describe('whatever the rules', () => {
  it('a further deny never widens access', () => {
    fc.assert(
      fc.property(permissions, denial, subject, (rules, deny, who) => {
        if (!allows(rules, who)) expect(allows([...rules, deny], who)).toBe(false);
      }),
    );
  });

  it('a rule further down never opens what a deny above closed', () => {
    fc.assert(
      fc.property(permissions, permissions, denial, subject, (above, own, deny, who) => {
        fc.pre(!isAllowed(effectiveRules([], [deny, 'public']), who));
        expect(isAllowed(effectiveRules([[...above, deny]], own), who)).toBe(false);
      }),
    );
  });

  it('order and repetition do not matter', () => {
    fc.assert(
      fc.property(permissions, subject, (rules, who) => {
        expect(allows([...rules.toReversed(), ...rules], who)).toBe(allows(rules, who));
      }),
    );
  });

  it('plain tags change nothing', () => {
    fc.assert(
      fc.property(
        permissions,
        fc.constantFrom('tag', 'role:x', 'agent:', 'deny:', 'scope:a b'),
        subject,
        (rules, tag, who) => {
          expect(allows([...rules, tag], who)).toBe(allows(rules, who));
        },
      ),
    );
  });

  it('a marker that is read never allows more than its text says', () => {
    fc.assert(
      fc.property(permissions, subject, (rules, who) => {
        const marker = readAclFile({}, JSON.stringify({ semantics: { permissions: rules } }));
        if (marker.valid) expect(allows(marker.permissions, who)).toBe(allows(rules, who));
      }),
    );
  });
});
