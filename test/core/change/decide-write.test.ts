import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Precondition } from '../../../server/core/change/change.ts';
import { decide } from '../../../server/core/change/decide.ts';
import type { PathState } from '../../../server/core/change/decision.ts';
import {
  at,
  context,
  doc,
  file,
  hashA,
  hashB,
  holding,
  nothing,
  remove,
  revision4,
  revision5,
  write,
} from './decide-fixtures.ts';

describe('a precondition', () => {
  it.each<[string, Precondition, PathState, string]>([
    ['any, nothing there', { kind: 'any' }, nothing, 'ok'],
    ['any, a file there', { kind: 'any' }, holding(doc), 'ok'],
    ['absent, nothing there', { kind: 'absent' }, nothing, 'ok'],
    ['absent, a file there', { kind: 'absent' }, holding(doc), 'revision_conflict'],
    ['the current revision', revision5, holding(doc), 'ok'],
    ['another revision', revision4, holding(doc), 'revision_conflict'],
    ['a revision, nothing there', revision5, nothing, 'not_found'],
    ['the current content', { kind: 'content', hash: hashA }, holding(doc), 'ok'],
    ['another content', { kind: 'content', hash: hashB }, holding(doc), 'revision_conflict'],
    ['a content, nothing there', { kind: 'content', hash: hashA }, nothing, 'not_found'],
  ])('of a write: %s', (_name, precondition, state, expected) => {
    const decision = decide(write('/docs/a.md', { precondition }), at(state), context);
    expect(decision.ok ? 'ok' : decision.code).toBe(expected);
  });

  it.each<[string, Precondition, PathState, string]>([
    ['any, a file there', { kind: 'any' }, holding(doc), 'ok'],
    ['any, nothing there', { kind: 'any' }, nothing, 'not_found'],
    ['absent, a file there', { kind: 'absent' }, holding(doc), 'revision_conflict'],
    ['absent, nothing there', { kind: 'absent' }, nothing, 'not_found'],
    ['another revision', revision4, holding(doc), 'revision_conflict'],
    [
      'a directory there',
      { kind: 'any' },
      { ...nothing, entry: { type: 'dir', path: '/docs/a.md', files: 1, updatedAtMs: 1 } },
      'not_found',
    ],
  ])('of a delete: %s', (_name, precondition, state, expected) => {
    const decision = decide(remove(precondition), at(state), context);
    expect(decision.ok ? 'ok' : decision.code).toBe(expected);
  });

  it('that is stale is never accepted, and the refusal names both revisions', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (current, asked) => {
        fc.pre(current !== asked);
        const precondition: Precondition = { kind: 'revision', revision: `rev_${asked}` };
        const state = at(holding(file('/docs/a.md', { revision: current })));
        for (const change of [write('/docs/a.md', { precondition }), remove(precondition)]) {
          expect(decide(change, state, context)).toMatchObject({
            ok: false,
            code: 'revision_conflict',
            expectedRevision: `rev_${asked}`,
            currentRevision: `rev_${current}`,
          });
        }
      }),
    );
  });
});

describe('a write', () => {
  it('takes the next revision and makes history, an event and a settled operation', () => {
    expect(decide(write('/docs/a.md'), at(nothing), context)).toMatchObject({
      ok: true,
      accepted: {
        removed: null,
        written: {
          path: '/docs/a.md',
          revision: 10,
          hash: hashB,
          contentType: 'text/markdown',
          provider: 'docs',
        },
        history: [{ action: 'write', revision: 10, opId: 'op_3' }],
        events: [{ type: 'file.created', revision: 10, permissions: [] }],
        operations: [{ number: 3, action: 'file_upsert', status: 'succeeded' }],
      },
      result: { revision: 10, opId: 'op_3', repeated: false },
    });
  });

  it('leaves its operation pending where someone acknowledges it, and makes none when told so', () => {
    const awaited = decide(write('/docs/a.md'), at(nothing), {
      ...context,
      hasConsumer: (name) => name === 'docs',
    });
    const silent = decide(write('/docs/a.md'), at(nothing), { ...context, makesOperations: false });
    expect(awaited).toMatchObject({ accepted: { operations: [{ status: 'pending' }] } });
    expect(silent).toMatchObject({ accepted: { operations: [] }, result: { opId: null } });
  });

  it('keeps type and metadata when it brings none, and replaces metadata whole when it brings some', () => {
    const current = file('/docs/a.md', {
      contentType: 'text/html',
      semantics: { comments: ['old'], relations: ['r'] },
    });
    const kept = decide(
      write('/docs/a.md', { semantics: { comments: [' '] } }),
      at(holding(current)),
      context,
    );
    const replaced = decide(
      write('/docs/a.md', { semantics: { comments: ['b ', 'a', 'b'] }, contentType: 'x/y' }),
      at(holding(current)),
      context,
    );
    expect(kept).toMatchObject({
      accepted: { written: { contentType: 'text/html', semantics: current.semantics } },
    });
    expect(replaced.ok && replaced.accepted?.written).toMatchObject({
      contentType: 'x/y',
      semantics: { comments: ['a', 'b'] },
    });
    expect(replaced.ok && replaced.accepted?.written?.semantics).toEqual({ comments: ['a', 'b'] });
  });

  it('of identical content is still a write', () => {
    const change = write('/docs/a.md', { content: { hash: hashA, sizeBytes: 1, staged: true } });
    expect(decide(change, at(holding(doc)), context)).toMatchObject({
      accepted: { events: [{ type: 'file.updated' }] },
    });
  });

  it.each<[string, PathState, string]>([
    [
      'where a directory stands',
      { ...nothing, entry: { type: 'dir', path: '/a', files: 2, updatedAtMs: 1 } },
      '/a is a directory',
    ],
    ['below a file', { ...nothing, fileAbove: '/x' }, '/x is a file'],
  ])('%s is refused and names the other path', (_name, state, message) => {
    expect(decide(write('/a'), at(state), context)).toMatchObject({
      ok: false,
      code: 'path_conflict',
      message,
    });
  });

  it('of a path that may not be written is refused, also by callers that did not look', () => {
    for (const path of ['', '/', '/a/../b', '/a//b', 'a', '/a/']) {
      expect(decide(write(path), at(nothing), context)).toMatchObject({ ok: false, code: 'invalid_path' });
    }
  });

  it('to a workspace that is not there is refused', () => {
    expect(decide(write('/a'), at(nothing), { ...context, workspaceExists: false })).toMatchObject({
      ok: false,
      code: 'workspace_not_found',
    });
  });

  it('repeating a content identity answers the earlier result, before its precondition is looked at', () => {
    const result = {
      ok: true,
      path: '/docs/a.md',
      revision: 5,
      opId: 'op_1',
      provider: 'docs',
      contentType: 'text/plain',
      repeated: false,
    } as const;
    const change = write('/docs/a.md', {
      precondition: { kind: 'absent' },
      contentIdentity: { kind: 'k', key: '1' },
    });
    const earlier = { result, hash: hashB, at: holding(doc) };
    expect(decide(change, at(holding(doc), { earlier }), context)).toEqual({
      ok: true,
      accepted: null,
      result: { ...result, repeated: true },
    });
  });

  it.each([
    ['another content', '/docs/a.md', hashA, '/docs/**', true],
    ['another path', '/docs/b.md', hashB, '/docs/**', true],
    ['a content that nobody knows', '/docs/a.md', null, '/docs/**', true],
    ['a path that the caller may not read', '/secret/a.md', hashB, '/docs/**', false],
  ])('an identity of %s writes nothing and is a conflict', (_what, path, hash, readable, shown) => {
    const result = {
      ok: true,
      path,
      revision: 5,
      opId: 'op_1',
      provider: 'docs',
      contentType: 'text/plain',
      repeated: false,
    } as const;
    const access = {
      workspaceId: 'rw_a',
      agent: 'a',
      scopes: [`relayfile:fs:read:${readable}`, 'relayfile:fs:write:/docs/**'],
    };
    const change = write('/docs/a.md', { contentIdentity: { kind: 'k', key: '1' } });
    const earlier = { result, hash, at: holding(file(path)) };
    const refused = decide(change, at(holding(doc), { earlier }), { ...context, access });
    expect(refused).toMatchObject({ ok: false, code: 'revision_conflict', expectedRevision: '*' });
    expect('currentRevision' in refused).toBe(shown);
  });

  it.each([
    [undefined, 7 * 86_400],
    [60, 60],
    [0, 7 * 86_400],
    [10 ** 9, 30 * 86_400],
  ])('with an identity for %s seconds remembers it for %s', (ttlSeconds, seconds) => {
    const contentIdentity = { kind: 'k', key: '1', ...(ttlSeconds === undefined ? {} : { ttlSeconds }) };
    const decision = decide(write('/docs/a.md', { contentIdentity }), at(nothing), context);
    expect(decision).toMatchObject({
      accepted: { identity: { expiresAtMs: context.atMs + seconds * 1000 } },
    });
  });
});
