// What came from here comes back from its provider: it must not undo what was written since, and nothing else may be lost for it.
import { describe, expect, it } from 'vitest';
import { ingestWorkspace, openIngest } from '../support/ingest.ts';

async function withConsumer() {
  const given = await openIngest({ storeSettings: { externalWriteback: 'all' } });
  const write = async (path: string, content: string) => {
    const [result] = await given.workspaces.change({
      workspaceId: ingestWorkspace,
      changes: [
        {
          kind: 'write_file',
          path,
          precondition: { kind: 'any' },
          content: await given.workspaces.stage(Buffer.from(content)),
          defaultContentType: 'text/plain',
          encoding: 'utf-8',
        },
      ],
      atomic: true,
      actor: { kind: 'token', name: 'agent', tokenId: null },
      origin: 'agent_write',
      access: null,
      correlationId: `write of ${content}`,
      makesOperations: true,
    });
    if (!result?.ok || result.opId === null) throw new Error('the write was refused');
    return result.opId;
  };
  const remove = async (path: string) => {
    const [result] = await given.workspaces.change({
      workspaceId: ingestWorkspace,
      changes: [{ kind: 'delete_file', path, precondition: { kind: 'any' } }],
      atomic: true,
      actor: { kind: 'token', name: 'agent', tokenId: null },
      origin: 'agent_write',
      access: null,
      correlationId: 'remove',
      makesOperations: true,
    });
    if (!result?.ok || result.opId === null) throw new Error('the delete was refused');
    return result.opId;
  };
  const ack = async (opId: string, more: { canonicalPath?: string } = {}) => {
    await given.store.content.acknowledgeOperation({
      workspaceId: ingestWorkspace,
      opId,
      success: true,
      error: null,
      providerResult: null,
      atMs: given.clock.nowMs(),
      ...more,
    });
  };
  const hook = (content: string, data: object = {}, path = '/hub/a') =>
    given.deliverAndApply('file.updated', path, { content, ...data });
  const suppressed = async () =>
    (await given.events()).filter((event) => event === 'sync.suppressed /').length;
  return { ...given, write, remove, ack, hook, suppressed };
}

describe('an echo', () => {
  it('of an item that a consumer acknowledged does not undo what was written since', async () => {
    const { write, ack, hook, text, suppressed } = await withConsumer();
    await ack(await write('/hub/a', 'one'));
    await write('/hub/a', 'two');
    await hook('one');
    expect(await text('/hub/a')).toBe('two');
    expect(await suppressed()).toBe(1);
  });

  it('that comes before the acknowledgement is one, too', async () => {
    const { write, hook, text, suppressed } = await withConsumer();
    await write('/hub/a', 'one');
    await hook('one');
    expect(await text('/hub/a')).toBe('one');
    expect(await suppressed()).toBe(1);
  });

  it('of a delete does not delete what was written since', async () => {
    const { write, remove, ack, text, suppressed, deliverAndApply } = await withConsumer();
    await ack(await write('/hub/a', 'one'));
    await ack(await remove('/hub/a'));
    await write('/hub/a', 'two');
    await deliverAndApply('file.deleted', '/hub/a');
    expect(await text('/hub/a')).toBe('two');
    expect(await suppressed()).toBe(1);
  });

  it('is found at the place that the provider gave', async () => {
    const { write, ack, hook, text, suppressed } = await withConsumer();
    await ack(await write('/hub/draft', 'one'), { canonicalPath: '/hub/issues/1' });
    expect(await text('/hub/issues/1')).toBe('one');
    await write('/hub/issues/1', 'two');
    await hook('one', {}, '/hub/issues/1');
    expect(await text('/hub/issues/1')).toBe('two');
    expect(await suppressed()).toBe(1);
  });

  it('may name the operation at any time, or its correlation id for two minutes', async () => {
    const { write, ack, hook, text, suppressed, clock } = await withConsumer();
    const opId = await write('/hub/a', 'one');
    await ack(opId);
    clock.advance(60_000);
    await hook('normalised', { origin: 'relayfile', correlationId: 'write of one' });
    clock.advance(600_000);
    await hook('normalised', { origin: 'relayfile', opId });
    expect(await text('/hub/a')).toBe('one');
    expect(await suppressed()).toBe(2);
    await hook('news', { origin: 'relayfile', correlationId: 'write of one' });
    expect(await text('/hub/a')).toBe('news');
    await hook('more', { origin: 'relayfile', opId: 'op_999' });
    expect(await text('/hub/a')).toBe('more');
  });
});

describe('news', () => {
  it('is not an echo because it brings back what we once wrote', async () => {
    const { write, ack, hook, text, suppressed } = await withConsumer();
    await ack(await write('/hub/a', 'one'));
    await hook('theirs');
    await hook('one');
    expect(await text('/hub/a')).toBe('one');
    expect(await suppressed()).toBe(0);
  });

  it('that crossed our write leaves what the provider says last', async () => {
    const { write, ack, hook, text } = await withConsumer();
    // They change it, we write without knowing, theirs arrives, ours is taken over, its echo arrives.
    const opId = await write('/hub/a', 'ours');
    await hook('theirs');
    expect(await text('/hub/a')).toBe('theirs');
    await hook('ours');
    expect(await text('/hub/a')).toBe('ours');
    await hook('theirs');
    await ack(opId);
    await hook('ours');
    expect(await text('/hub/a')).toBe('ours');
  });

  it('without a consumer nothing was sent, so nothing is an echo', async () => {
    const given = await openIngest();
    await given.workspaces.change({
      workspaceId: ingestWorkspace,
      changes: [
        {
          kind: 'write_file',
          path: '/hub/a',
          precondition: { kind: 'any' },
          content: await given.workspaces.stage(Buffer.from('x')),
          defaultContentType: 'text/plain',
          encoding: 'utf-8',
        },
      ],
      atomic: true,
      actor: { kind: 'token', name: 'agent', tokenId: null },
      origin: 'agent_write',
      access: null,
      correlationId: 'c',
      makesOperations: true,
    });
    await given.deliverAndApply('file.updated', '/hub/a', { content: 'x' });
    expect(await given.events()).toEqual(['file.created /hub/a', 'file.updated /hub/a']);
  });
});
