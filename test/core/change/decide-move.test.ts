import { describe, expect, it } from 'vitest';
import type { FileChange } from '../../../server/core/change/change.ts';
import { decide } from '../../../server/core/change/decide.ts';
import type { PathState } from '../../../server/core/change/decision.ts';
import { agent, at, context, file, hashA, hashB, holding, nothing } from './decide-fixtures.ts';

describe('a move', () => {
  const move = (to: string): FileChange => ({
    kind: 'move_file',
    from: '/docs/a.md',
    to,
    precondition: { kind: 'any' },
  });
  const moved = file('/docs/a.md', { providerObjectId: 'obj', semantics: { comments: ['c'] } });

  it('is a deletion and a creation of the same content, metadata and provider identity', () => {
    const decision = decide(move('/notes/b.md'), at(holding(moved), { to: nothing }), context);
    expect(decision).toMatchObject({
      accepted: {
        removed: { path: '/docs/a.md' },
        written: {
          path: '/notes/b.md',
          revision: 11,
          hash: hashA,
          provider: 'notes',
          providerObjectId: 'obj',
          semantics: moved.semantics,
        },
        content: null,
        history: [
          { path: '/docs/a.md', action: 'delete', revision: 10 },
          { path: '/notes/b.md', action: 'move', movedFrom: '/docs/a.md', revision: 11 },
        ],
        events: [
          { type: 'file.deleted', path: '/docs/a.md', revision: 10 },
          { type: 'file.created', path: '/notes/b.md', revision: 11 },
        ],
        operations: [
          { number: 3, action: 'file_delete', path: '/docs/a.md' },
          { number: 4, action: 'file_upsert', path: '/notes/b.md' },
        ],
      },
      result: { path: '/notes/b.md', revision: 11, opId: 'op_4' },
    });
  });

  it.each<[string, PathState, string]>([
    ['onto a file', holding(file('/notes/b.md')), 'path_conflict'],
    [
      'onto a directory',
      { ...nothing, entry: { type: 'dir', path: '/notes/b.md', files: 1, updatedAtMs: 1 } },
      'path_conflict',
    ],
    ['below another file', { ...nothing, fileAbove: '/notes' }, 'path_conflict'],
    ['below itself', { ...nothing, fileAbove: '/docs/a.md' }, 'ok'],
  ])('%s: %s', (_name, to, expected) => {
    const decision = decide(move('/notes/b.md'), at(holding(moved), { to }), context);
    expect(decision.ok ? 'ok' : decision.code).toBe(expected);
  });

  it('may bring new content along, and keeps what it does not name', () => {
    const change: FileChange = {
      kind: 'move_file',
      from: '/docs/a.md',
      to: '/notes/b.md',
      precondition: { kind: 'any' },
      replacement: { content: { hash: hashB, sizeBytes: 2, staged: true }, encoding: 'base64' },
    };
    expect(decide(change, at(holding(moved), { to: nothing }), context)).toMatchObject({
      accepted: {
        written: {
          path: '/notes/b.md',
          hash: hashB,
          sizeBytes: 2,
          encoding: 'base64',
          contentType: 'text/plain',
          providerObjectId: 'obj',
          semantics: moved.semantics,
        },
        content: { hash: hashB },
        history: [{ action: 'delete' }, { action: 'move', hash: hashB }],
        events: [{ type: 'file.deleted' }, { type: 'file.created', hash: hashB }],
      },
    });
  });

  it('needs access at both ends', () => {
    const closed = { ...nothing, aclFiles: [{ directory: '/notes', permissions: ['agent:two'] }] };
    const decision = decide(move('/notes/b.md'), at(holding(moved), { to: closed }), {
      ...context,
      access: agent,
    });
    expect(decision).toMatchObject({ ok: false, code: 'forbidden' });
  });

  it('to the name of a marker sets rules by the text of the file', () => {
    const to = '/notes/.relayfile.acl';
    const aclText = '{"semantics":{"permissions":["agent:two"]}}';
    expect(decide(move(to), at(holding(moved), { to: nothing, aclText }), context)).toMatchObject({
      accepted: { aclFiles: [{ directory: '/notes', permissions: ['agent:two'] }] },
    });
    expect(decide(move(to), at(holding(moved), { to: nothing, aclText: 'x' }), context)).toMatchObject({
      ok: false,
      code: 'invalid_content',
    });
  });
});
