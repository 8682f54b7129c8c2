import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileChange, Precondition, WriteFile } from '../../server/core/change.ts';
import { decide } from '../../server/core/decide.ts';
import type { ChangeContext, ChangeState, PathState } from '../../server/core/decision.ts';
import type { AccessSubject, FileEntry } from '../../server/core/entry.ts';

const hashA = 'a'.repeat(64);
const hashB = 'b'.repeat(64);
const file = (path: string, more: Partial<FileEntry> = {}): FileEntry => ({
  type: 'file',
  path,
  revision: 5,
  hash: hashA,
  sizeBytes: 1,
  contentType: 'text/plain',
  encoding: 'utf-8',
  provider: 'docs',
  providerObjectId: null,
  editedAtMs: 1,
  semantics: {},
  ...more,
});
const nothing: PathState = { entry: null, fileAbove: null, markers: [] };
const holding = (entry: FileEntry): PathState => ({ ...nothing, entry });
const at = (state: PathState, more: Partial<ChangeState> = {}): ChangeState => ({
  at: state,
  to: null,
  repeats: null,
  markerText: null,
  ...more,
});
const context: ChangeContext = {
  workspaceExists: true,
  access: null,
  atMs: 1000,
  nextRevision: 10,
  nextOperation: 3,
  makesOperations: true,
  hasConsumer: () => false,
};
const write = (path: string, more: Partial<WriteFile> = {}): WriteFile => ({
  kind: 'write_file',
  path,
  precondition: { kind: 'any' },
  content: { hash: hashB, sizeBytes: 2, staged: true },
  defaultContentType: 'text/markdown',
  encoding: 'utf-8',
  ...more,
});
const remove = (precondition: Precondition): FileChange => ({
  kind: 'delete_file',
  path: '/docs/a.md',
  precondition,
});
const agent: AccessSubject = { workspaceId: 'rw_1', agent: 'one', scopes: ['fs:read', 'fs:write'] };
const doc = file('/docs/a.md');
const revision5: Precondition = { kind: 'revision', revision: 'rev_5' };
const revision4: Precondition = { kind: 'revision', revision: 'rev_4' };

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
      effect: {
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
    expect(awaited).toMatchObject({ effect: { operations: [{ status: 'pending' }] } });
    expect(silent).toMatchObject({ effect: { operations: [] }, result: { opId: null } });
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
      effect: { written: { contentType: 'text/html', semantics: current.semantics } },
    });
    expect(replaced.ok && replaced.effect?.written).toMatchObject({
      contentType: 'x/y',
      semantics: { comments: ['a', 'b'] },
    });
    expect(replaced.ok && replaced.effect?.written?.semantics).toEqual({ comments: ['a', 'b'] });
  });

  it('of identical content is still a write', () => {
    const change = write('/docs/a.md', { content: { hash: hashA, sizeBytes: 1, staged: true } });
    expect(decide(change, at(holding(doc)), context)).toMatchObject({
      effect: { events: [{ type: 'file.updated' }] },
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
    const repeats = {
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
    expect(decide(change, at(holding(doc), { repeats }), context)).toEqual({
      ok: true,
      effect: null,
      result: { ...repeats, repeated: true },
    });
  });

  it.each([
    [undefined, 7 * 86_400],
    [60, 60],
    [0, 7 * 86_400],
    [10 ** 9, 30 * 86_400],
  ])('with an identity for %s seconds remembers it for %s', (ttlSeconds, seconds) => {
    const contentIdentity = { kind: 'k', key: '1', ...(ttlSeconds === undefined ? {} : { ttlSeconds }) };
    const decision = decide(write('/docs/a.md', { contentIdentity }), at(nothing), context);
    expect(decision).toMatchObject({ effect: { identity: { expiresAtMs: context.atMs + seconds * 1000 } } });
  });
});

describe('access rules', () => {
  const closed = [{ directory: '/docs', permissions: ['agent:two'] }];
  const as = { ...context, access: agent };

  it('a create needs the markers above, an update and a delete the effective rules', () => {
    const own = file('/docs/a.md', { semantics: { permissions: ['deny:agent:one'] } });
    expect(decide(write('/docs/a.md'), at({ ...nothing, markers: closed }), as)).toMatchObject({
      code: 'forbidden',
    });
    expect(decide(write('/docs/a.md'), at(holding(own)), as)).toMatchObject({ code: 'forbidden' });
    expect(decide(remove({ kind: 'any' }), at(holding(own)), as)).toMatchObject({ code: 'forbidden' });
    expect(decide(write('/docs/a.md'), at(nothing), as).ok).toBe(true);
    expect(decide(write('/docs/a.md'), at(holding(own)), context).ok).toBe(true);
  });

  it('a refusal for access does not tell whether the file exists', () => {
    const missing = decide(remove(revision4), at({ ...nothing, markers: closed }), as);
    const existing = decide(remove(revision4), at({ ...holding(doc), markers: closed }), as);
    expect(missing).toEqual(existing);
  });

  it('events carry the permissions in force after a write and before a delete, none where no rule is among them', () => {
    const semantics = { permissions: ['agent:one', 'tag'] };
    const written = decide(write('/docs/a.md', { semantics }), at({ ...nothing, markers: closed }), context);
    const tagged = decide(write('/docs/a.md', { semantics: { permissions: ['tag'] } }), at(nothing), context);
    const removed = decide(remove({ kind: 'any' }), at({ ...holding(doc), markers: closed }), context);
    expect(written).toMatchObject({
      effect: { events: [{ permissions: ['agent:two', 'agent:one', 'tag'] }] },
    });
    expect(tagged).toMatchObject({ effect: { events: [{ permissions: [] }] } });
    expect(removed).toMatchObject({ effect: { events: [{ permissions: ['agent:two'] }] } });
  });

  it('a marker file sets the rules of its directory, and only a valid one is taken', () => {
    const marker = '/docs/.relayfile.acl';
    const text = (aclText: string) => decide(write(marker, { aclText }), at(nothing), context);
    expect(text('{"semantics":{"permissions":["agent:one"]}}')).toMatchObject({
      effect: {
        markers: [{ directory: '/docs', permissions: ['agent:one'] }],
        events: [{ permissions: ['agent:one'] }],
      },
    });
    expect(text('not json')).toMatchObject({ ok: false, code: 'invalid_content' });
    expect(decide(write(marker), at(nothing), context)).toMatchObject({ ok: false, code: 'invalid_content' });
    const gone: FileChange = { kind: 'delete_file', path: marker, precondition: { kind: 'any' } };
    expect(decide(gone, at(holding(file(marker))), context)).toMatchObject({
      effect: { markers: [{ directory: '/docs', permissions: null }] },
    });
  });
});

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
      effect: {
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
      effect: {
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
    const closed = { ...nothing, markers: [{ directory: '/notes', permissions: ['agent:two'] }] };
    const decision = decide(move('/notes/b.md'), at(holding(moved), { to: closed }), {
      ...context,
      access: agent,
    });
    expect(decision).toMatchObject({ ok: false, code: 'forbidden' });
  });

  it('to the name of a marker sets rules by the text of the file', () => {
    const to = '/notes/.relayfile.acl';
    const markerText = '{"semantics":{"permissions":["agent:two"]}}';
    expect(decide(move(to), at(holding(moved), { to: nothing, markerText }), context)).toMatchObject({
      effect: { markers: [{ directory: '/notes', permissions: ['agent:two'] }] },
    });
    expect(decide(move(to), at(holding(moved), { to: nothing, markerText: 'x' }), context)).toMatchObject({
      ok: false,
      code: 'invalid_content',
    });
  });
});
