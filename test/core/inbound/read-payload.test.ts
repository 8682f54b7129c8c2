import { describe, expect, it } from 'vitest';
import { readPayload } from '../../../server/core/inbound/read-payload.ts';

const upsert = (data: unknown, more: object = {}) => ({
  event_type: 'file.updated',
  path: '/hub/a.md',
  data,
  ...more,
});

describe('reading a delivery', () => {
  it.each([
    ['file.created', 'upsert'],
    ['file.updated', 'upsert'],
    ['file.deleted', 'delete'],
    ['issue.opened', 'other'],
    ['push', 'other'],
  ])('%s is %s', (event_type, kind) => {
    expect(readPayload('hub', upsert({ content: 'x' }, { event_type }))).toMatchObject({
      ok: true,
      delivery: { kind },
    });
  });

  it('takes what the file is from data, or from the payload itself when there is no data', () => {
    const fields = { content: 'x', contentType: 'text/plain', providerObjectId: 7 };
    const read = { content: 'x', contentType: 'text/plain', objectId: '7', path: '/hub/a.md' };
    expect(readPayload('hub', upsert(fields))).toMatchObject({ delivery: read });
    expect(
      readPayload('hub', { type: 'file.created', path: '/hub/a.md', ...fields, objectId: 'no' }),
    ).toMatchObject({ delivery: read });
  });

  it('understands each name of the metadata, and keeps values that are no texts as JSON', () => {
    const flat = {
      content: '',
      properties: { a: 1, b: { c: [true] } },
      relationIds: ['r'],
      acl: ['deny:agent:x'],
      commentIds: ['c'],
    };
    const semantics = {
      properties: { a: '1', b: '{"c":[true]}' },
      relations: ['r'],
      permissions: ['deny:agent:x'],
      comments: ['c'],
    };
    expect(readPayload('hub', upsert(flat))).toMatchObject({ delivery: { semantics } });
    expect(readPayload('hub', upsert({ content: '', semantics }))).toMatchObject({
      delivery: { semantics },
    });
    expect(readPayload('hub', upsert({ content: '' }))).toMatchObject({
      delivery: { semantics: undefined },
    });
  });

  it('hears an echo only when the delivery says that it is one', () => {
    const claim = (data: object) => readPayload('hub', upsert({ content: '', ...data }));
    expect(claim({ origin: 'relayfile', opId: 'op_1' })).toMatchObject({
      delivery: { claim: { opId: 'op_1', correlationId: null } },
    });
    expect(claim({ origin: 'hub', opId: 'op_1' })).toMatchObject({ delivery: { claim: null } });
  });

  it.each<[string, unknown, string]>([
    ['no object', 'text', 'payload_malformed'],
    [
      'an event type that is none',
      upsert({ content: '' }, { event_type: 'file updated' }),
      'event_type_malformed',
    ],
    ['no event type', { path: '/a' }, 'event_type_malformed'],
    ['no path', { event_type: 'file.deleted' }, 'path_invalid'],
    ['an escaping path', upsert({ content: '' }, { path: '/a/../b' }), 'path_invalid'],
    ['a long segment', upsert({ content: '' }, { path: `/${'é'.repeat(128)}` }), 'path_invalid'],
    ['a NUL', upsert({ content: '' }, { path: '/a\0b' }), 'path_invalid'],
    ['no content', upsert({}), 'payload_malformed'],
    ['content that is no text', upsert({ content: 5 }), 'payload_malformed'],
    ['data that is no object', upsert([1]), 'payload_malformed'],
    ['an encoding that is no text', upsert({ content: '', encoding: 1 }), 'content_undecodable'],
    ['relations that are no texts', upsert({ content: '', relations: [1] }), 'payload_malformed'],
    [
      'metadata beyond its bound',
      upsert({ content: '', comments: ['x'.repeat(300_000)] }),
      'payload_malformed',
    ],
    [
      'an object id beyond its bound',
      upsert({ content: '', objectId: 'x'.repeat(513) }),
      'payload_malformed',
    ],
  ])('%s is refused with its cause', (_, payload, cause) => {
    expect(readPayload('hub', payload)).toMatchObject({ ok: false, cause });
  });

  it('says that content is missing, not that it is no text', () => {
    expect(readPayload('hub', upsert({}))).toMatchObject({
      message: '"content" is missing: what the file holds',
    });
    expect(readPayload('hub', upsert({ content: 5 }))).toMatchObject({ message: '"content" is not a text' });
  });

  it('lets slack write into its own folders only', () => {
    const at = (path: string) => readPayload('slack', upsert({ content: '' }, { path }));
    expect(at('/slack/channels/a.md')).toMatchObject({ ok: true });
    expect(at('/slack/files/a.md')).toMatchObject({ ok: false, cause: 'path_refused_by_provider' });
    expect(at('/slack/channels')).toMatchObject({ ok: false, cause: 'path_refused_by_provider' });
  });
});
