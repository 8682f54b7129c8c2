import { describe, expect, it } from 'vitest';
import {
  decideInFork,
  type ForkChange,
  type ForkPathState,
  forkExpiryMs,
  forkTtlSecondsDefault,
  forkTtlSecondsMax,
  hasUnseen,
  isMoved,
  isSameOutcome,
  planCommit,
} from '../../../server/core/change/forks.ts';
import type { FileEntry } from '../../../server/core/entry.ts';

function file(path: string, revision: number, more: Partial<FileEntry> = {}): FileEntry {
  return {
    type: 'file',
    path,
    revision,
    hash: 'a'.repeat(64),
    sizeBytes: 1,
    contentType: 'text/plain',
    encoding: 'utf-8',
    provider: 'p',
    providerObjectId: null,
    editedAtMs: 0,
    semantics: {},
    ...more,
  };
}

const base = file('/p/a', 5);
const own = file('/p/a', 1, { forkId: 'fork_1' });
const context = { workspaceExists: true, access: null, atMs: 0, nextRevision: 2 } as const;
const remove = (precondition: ForkChange['precondition']): ForkChange => ({
  kind: 'delete_file',
  path: '/p/a',
  precondition,
});
const write = (precondition: ForkChange['precondition']): ForkChange => ({
  kind: 'write_file',
  path: '/p/a',
  precondition,
  content: { hash: 'b'.repeat(64), sizeBytes: 1, binary: '\0' },
  defaultContentType: 'text/plain',
  encoding: 'utf-8',
});

function state(entry: FileEntry | null, more: Partial<ForkPathState> = {}): ForkPathState {
  return {
    view: { entry, fileAbove: null, aclFiles: [] },
    live: { entry: base, aclFiles: [] },
    base,
    staged: null,
    earlier: null,
    ...more,
  };
}

const stagedBy = (decision: ReturnType<typeof decideInFork>) =>
  decision.ok ? decision.staged : decision.code;

describe('what a change of a fork stages', () => {
  const any = { kind: 'any' } as const;
  const conflicting = { path: '/p/a', file: own, baseRevision: 4 };

  it.each([
    [
      'a first write is made on what the fork shows',
      write(any),
      state(base),
      { kind: 'write', baseRevision: 5 },
    ],
    ['a new file on nothing', write(any), state(null, { base: null }), { kind: 'write', baseRevision: 0 }],
    ['a deletion of what is there', remove(any), state(base), { kind: 'delete', baseRevision: 5 }],
    [
      'a deletion of what the fork alone has leaves nothing staged',
      remove(any),
      state(own, { base: null }),
      null,
    ],
    [
      'a later write stays made on the first one’s',
      write(any),
      state(own, { staged: conflicting }),
      { kind: 'write', baseRevision: 4 },
    ],
    [
      'naming the workspace’s revision settles a conflict',
      write({ kind: 'revision', revision: 'rev_5' }),
      state(own, { staged: conflicting }),
      { kind: 'write', baseRevision: 5 },
    ],
    [
      'and a deletion that the fork holds already',
      remove({ kind: 'revision', revision: 'rev_5' }),
      state(null, { staged: { path: '/p/a', file: null, baseRevision: 4 } }),
      { kind: 'delete', baseRevision: 5 },
    ],
    [
      'naming that there is none settles one with a deletion',
      write({ kind: 'absent' }),
      state(own, { base: null, staged: conflicting }),
      { kind: 'write', baseRevision: 0 },
    ],
    [
      'another revision settles nothing',
      write({ kind: 'revision', revision: 'rev_4' }),
      state(own, { staged: conflicting }),
      'revision_conflict',
    ],
    [
      'the fork’s own revision is one to name, too',
      write({ kind: 'revision', revision: 'fork:fork_1:1' }),
      state(own, { staged: conflicting }),
      { kind: 'write', baseRevision: 4 },
    ],
  ])('%s', (_name, change, given, expected) => {
    expect(stagedBy(decideInFork(change, given, context))).toEqual(expected);
  });

  it('is refused by the workspace’s rules of today, whatever the fork shows', () => {
    const access = { workspaceId: 'rw_1', agent: 'one', scopes: ['fs:write'] };
    const closed = { entry: null, aclFiles: [{ directory: '/p', permissions: ['deny:agent:one'] }] };
    const decision = decideInFork(write(any), state(base, { live: closed }), { ...context, access });
    expect(stagedBy(decision)).toBe('forbidden');
  });
});

describe('a commit', () => {
  it('deletes first, writes then, and brings rules last; each against what it was made on', () => {
    const marker = file('/p/.relayfile.acl', 3, { forkId: 'fork_1' });
    const planned = planCommit([
      { path: '/p/.relayfile.acl', file: marker, baseRevision: 0, aclText: '{}' },
      { path: '/p/b', file: file('/p/b', 2, { forkId: 'fork_1' }), baseRevision: 7, aclText: null },
      { path: '/p/b/c', file: null, baseRevision: 8, aclText: null },
    ]);
    expect(planned.map((change) => ['path' in change ? change.path : '', change])).toMatchObject([
      ['/p/b/c', { kind: 'delete_file', precondition: { kind: 'revision', revision: 'rev_8' } }],
      [
        '/p/b',
        {
          kind: 'write_file',
          precondition: { kind: 'revision', revision: 'rev_7' },
          replacesSemantics: true,
        },
      ],
      ['/p/.relayfile.acl', { kind: 'write_file', precondition: { kind: 'absent' }, aclText: '{}' }],
    ]);
  });

  it('meets a conflict where the revision is another one and the outcome is, too', () => {
    const staged = { path: '/p/a', file: own, baseRevision: 5 };
    expect(isMoved(staged, base)).toBe(false);
    expect(isMoved(staged, file('/p/a', 6))).toBe(true);
    expect(isSameOutcome(staged, file('/p/a', 6))).toBe(true);
    expect(isSameOutcome(staged, file('/p/a', 6, { contentType: 'text/html' }))).toBe(false);
    expect(isSameOutcome({ file: null }, null)).toBe(true);
    expect(isSameOutcome({ file: null }, base)).toBe(false);
  });
});

it('a fork lives as long as asked, a week when nothing is, never more than a month', () => {
  const seconds = (ttl: number | undefined) => forkExpiryMs(0, ttl) / 1000;
  expect([seconds(undefined), seconds(0), seconds(60), seconds(10 ** 12)]).toEqual([
    forkTtlSecondsDefault,
    forkTtlSecondsDefault,
    60,
    forkTtlSecondsMax,
  ]);
});

describe('a commit of what was seen', () => {
  const staged = (path: string, revision: number | null) => ({
    path,
    file: revision === null ? null : file(path, revision),
    baseRevision: 0,
  });
  const table: readonly (readonly [
    string,
    boolean,
    boolean,
    Parameters<typeof hasUnseen>[0],
    number,
    readonly ReturnType<typeof staged>[],
  ])[] = [
    ['nothing since', false, false, { stagedRevision: 3, own: [] }, 3, [staged('/a', 3)]],
    ['a change since', true, false, { stagedRevision: 3, own: [] }, 4, [staged('/a', 4)]],
    [
      'a revert since, of a path that is no longer staged',
      true,
      false,
      { stagedRevision: 3, own: [] },
      4,
      [],
    ],
    [
      'its own merge alone',
      false,
      false,
      { stagedRevision: 3, own: [{ path: '/a', revision: 4 }] },
      4,
      [staged('/a', 4)],
    ],
    [
      'its own merge and a change of others',
      true,
      false,
      { stagedRevision: 3, own: [{ path: '/a', revision: 5 }] },
      5,
      [staged('/a', 5)],
    ],
    ['in part: a change of another path', false, true, { stagedRevision: 3, own: [] }, 4, [staged('/a', 3)]],
    ['in part: a change of its path', true, true, { stagedRevision: 3, own: [] }, 4, [staged('/a', 4)]],
    [
      'in part: a deletion, which may be new',
      true,
      true,
      { stagedRevision: 3, own: [] },
      4,
      [staged('/a', null)],
    ],
    [
      'in part: its own merge, and a change of another path',
      false,
      true,
      { stagedRevision: 3, own: [{ path: '/a', revision: 4 }] },
      5,
      [staged('/a', 4)],
    ],
    [
      'in part: a change of its path after its own merge',
      true,
      true,
      { stagedRevision: 3, own: [{ path: '/a', revision: 4 }] },
      5,
      [staged('/a', 5)],
    ],
  ];
  it.each(table)('%s', (_name, expected, isPart, seen, lastRevision, committed) => {
    expect(hasUnseen(seen, { lastRevision }, committed, isPart)).toBe(expected);
  });
});
