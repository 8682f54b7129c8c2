import { describe, expect, it } from 'vitest';
import type { FileChange } from '../../../server/core/change/change.ts';
import { decide } from '../../../server/core/change/decide.ts';
import {
  agent,
  at,
  context,
  doc,
  file,
  holding,
  nothing,
  remove,
  revision4,
  write,
} from './decide-fixtures.ts';

describe('access rules', () => {
  const closed = [{ directory: '/docs', permissions: ['agent:two'] }];
  const as = { ...context, access: agent };

  it('a create needs the markers above, an update and a delete the effective rules', () => {
    const own = file('/docs/a.md', { semantics: { permissions: ['deny:agent:one'] } });
    expect(decide(write('/docs/a.md'), at({ ...nothing, aclFiles: closed }), as)).toMatchObject({
      code: 'forbidden',
    });
    expect(decide(write('/docs/a.md'), at(holding(own)), as)).toMatchObject({ code: 'forbidden' });
    expect(decide(remove({ kind: 'any' }), at(holding(own)), as)).toMatchObject({ code: 'forbidden' });
    expect(decide(write('/docs/a.md'), at(nothing), as).ok).toBe(true);
    expect(decide(write('/docs/a.md'), at(holding(own)), context).ok).toBe(true);
  });

  it('a refusal for access does not tell whether the file exists', () => {
    const missing = decide(remove(revision4), at({ ...nothing, aclFiles: closed }), as);
    const existing = decide(remove(revision4), at({ ...holding(doc), aclFiles: closed }), as);
    expect(missing).toEqual(existing);
  });

  it('events carry the permissions in force after a write and before a delete, none where no rule is among them', () => {
    const semantics = { permissions: ['agent:one', 'tag'] };
    const written = decide(write('/docs/a.md', { semantics }), at({ ...nothing, aclFiles: closed }), context);
    const tagged = decide(write('/docs/a.md', { semantics: { permissions: ['tag'] } }), at(nothing), context);
    const removed = decide(remove({ kind: 'any' }), at({ ...holding(doc), aclFiles: closed }), context);
    expect(written).toMatchObject({
      accepted: { events: [{ permissions: ['agent:two', 'agent:one', 'tag'] }] },
    });
    expect(tagged).toMatchObject({ accepted: { events: [{ permissions: [] }] } });
    expect(removed).toMatchObject({ accepted: { events: [{ permissions: ['agent:two'] }] } });
  });

  it('a marker file sets the rules of its directory, and only a valid one is taken', () => {
    const marker = '/docs/.relayfile.acl';
    const text = (aclText: string) => decide(write(marker, { aclText }), at(nothing), context);
    expect(text('{"semantics":{"permissions":["agent:one"]}}')).toMatchObject({
      accepted: {
        aclFiles: [{ directory: '/docs', permissions: ['agent:one'] }],
        events: [{ permissions: ['agent:one'] }],
      },
    });
    expect(text('not json')).toMatchObject({ ok: false, code: 'invalid_content' });
    expect(decide(write(marker), at(nothing), context)).toMatchObject({ ok: false, code: 'invalid_content' });
    const gone: FileChange = { kind: 'delete_file', path: marker, precondition: { kind: 'any' } };
    expect(decide(gone, at(holding(file(marker))), context)).toMatchObject({
      accepted: { aclFiles: [{ directory: '/docs', permissions: null }] },
    });
  });
});
