import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileEntry } from '../../../server/core/entry.ts';
import {
  decideInbound,
  type EventTime,
  type InboundChange,
  type InboundState,
  isStale,
  watermarkAfter,
} from '../../../server/core/inbound/decide-envelope.ts';

const content = { hash: 'h1', sizeBytes: 1, binary: '\0' };
const upsert: InboundChange = {
  kind: 'upsert',
  path: '/p/a',
  objectId: null,
  claim: null,
  content,
  encoding: 'utf-8',
  contentType: undefined,
  semantics: undefined,
};
const gone: InboundChange = { kind: 'delete', path: '/p/a', objectId: null, claim: null };
const now: EventTime = { occurredAtMs: null, acceptedAtMs: 100, number: 10 };
const nothing: InboundState = {
  watermarks: [],
  objectPath: null,
  atPath: null,
  atObject: null,
  sent: [],
  isEcho: false,
};
const file = (path: string, providerObjectId: string | null = null): FileEntry => ({
  type: 'file',
  path,
  revision: 1,
  hash: 'h0',
  sizeBytes: 1,
  contentType: 'text/plain',
  encoding: 'utf-8',
  provider: 'p',
  providerObjectId,
  editedAtMs: 0,
  semantics: {},
});

const decide = (
  delivery: InboundChange,
  state: Partial<InboundState> = {},
  moment = now,
  overwrite = false,
) => decideInbound(delivery, moment, { ...nothing, ...state }, overwrite);
const kinds = (decision: ReturnType<typeof decide>) =>
  decision.outcome === 'applied'
    ? decision.changes.map((change) =>
        change.kind === 'move_file'
          ? `move ${change.from} ${change.to}`
          : `${change.kind} ${'path' in change ? change.path : ''}`,
      )
    : decision.outcome;

describe('what a delivery does', () => {
  it('is noted and has no effect when it is not about files', () => {
    expect(kinds(decide({ kind: 'other', eventType: 'issue.closed', path: null }))).toBe('ignored');
  });

  it('writes, or deletes what is there', () => {
    expect(kinds(decide(upsert))).toEqual(['write_file /p/a']);
    expect(kinds(decide(gone))).toEqual([]);
    expect(kinds(decide(gone, { atPath: file('/p/a') }))).toEqual(['delete_file /p/a']);
  });

  it('moves a known object to its new place in one change that carries the new content', () => {
    const moved = decide(
      { ...upsert, objectId: 'o', path: '/p/b' },
      { objectPath: '/p/a', atObject: file('/p/a', 'o') },
    );
    expect(kinds(moved)).toEqual(['move /p/a /p/b']);
    expect(moved).toMatchObject({ changes: [{ replacement: { content } }], paths: ['/p/b', '/p/a'] });
  });

  it('lets what lies at the new place give way', () => {
    const state = { objectPath: '/p/a', atObject: file('/p/a', 'o'), atPath: file('/p/b', 'other') };
    expect(kinds(decide({ ...upsert, objectId: 'o', path: '/p/b' }, state))).toEqual([
      'delete_file /p/a',
      'write_file /p/b',
    ]);
  });

  it('deletes an object where it lies, and never another object', () => {
    const named: InboundChange = { ...gone, objectId: 'o' };
    expect(kinds(decide(named, { objectPath: '/p/z', atObject: file('/p/z', 'o') }))).toEqual([
      'delete_file /p/z',
    ]);
    expect(kinds(decide(named, { atPath: file('/p/a', 'another') }))).toEqual([]);
    expect(kinds(decide(named, { atPath: file('/p/a') }))).toEqual(['delete_file /p/a']);
  });

  it('does nothing when something newer was applied, unless that is wanted', () => {
    const watermarks = [{ atMs: 50, number: 11 }];
    expect(decide(upsert, { watermarks })).toEqual({ outcome: 'stale', newerAtMs: 50 });
    expect(kinds(decide(upsert, { watermarks }, now, true))).toEqual(['write_file /p/a']);
  });

  it('is an echo when it brings what was sent, or claims a write that there was', () => {
    expect(kinds(decide(upsert, { sent: [{ hash: 'h1' }] }))).toBe('suppressed');
    expect(kinds(decide(upsert, { sent: [{ hash: 'h2' }, { hash: null }] }))).toEqual(['write_file /p/a']);
    expect(kinds(decide(gone, { sent: [{ hash: null }], atPath: file('/p/a') }))).toBe('suppressed');
    expect(kinds(decide(upsert, { isEcho: true }))).toBe('suppressed');
  });
});

describe('the order in time', () => {
  const moment = fc.record({
    occurredAtMs: fc.option(fc.nat(5), { nil: null }),
    acceptedAtMs: fc.nat(5),
    number: fc.nat(20),
  });
  const mark = fc.record({ atMs: fc.nat(5), number: fc.nat(20) });

  it('never calls a delivery older than the watermark that it leaves', () => {
    fc.assert(
      fc.property(moment, (one) => {
        expect(isStale(one, watermarkAfter(one, null))).toBe(false);
      }),
    );
  });

  it('raises a watermark and never lowers it', () => {
    fc.assert(
      fc.property(moment, mark, (one, before) => {
        const after = watermarkAfter(one, before);
        expect(after.atMs).toBeGreaterThanOrEqual(before.atMs);
        expect(after.number).toBeGreaterThanOrEqual(before.number);
      }),
    );
  });

  it('of two with times the later one wins, whichever arrives first', () => {
    fc.assert(
      fc.property(fc.nat(9), fc.nat(9), (first, second) => {
        const one = { occurredAtMs: first, acceptedAtMs: 9, number: 1 };
        const other = { occurredAtMs: second, acceptedAtMs: 9, number: 2 };
        expect(isStale(other, watermarkAfter(one, null))).toBe(second < first);
      }),
    );
  });
});
