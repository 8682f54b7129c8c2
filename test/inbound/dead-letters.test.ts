import { describe, expect, it } from 'vitest';
import { mergePatch } from '../../server/core/merge/json-merge-patch.ts';
import { editedLengthMax } from '../../server/inbound/context.ts';
import type { Fields } from '../../server/inbound/envelope.ts';
import { caseContentBytesMax, deadLetterCases, takenPath } from '../support/dead-letter-cases.ts';
import { ingestWorkspace, openIngest } from '../support/ingest.ts';

const asItIs = { payload: null, overwriteNewer: false, by: null };
const everything = { provider: null, cause: null, text: null, failedBeforeMs: null, envelopeIds: null };

async function withBroken(contentBytesMax = caseContentBytesMax) {
  const given = await openIngest({ settings: { contentBytesMax } });
  await given.deliverAndApply('file.created', takenPath, { content: 'here' });
  const break_ = async ({ provider, payload }: { provider: string; payload: Fields }) => {
    const id = await given.deliverAndApply('', '', {}, { provider, payload, headers: { 'x-from': 'hub' } });
    given.clock.advance(1);
    return id ?? '';
  };
  return { ...given, deadLetters: given.ingest.deadLetters, break_ };
}

describe('a dead letter', () => {
  it.each(deadLetterCases)('of $cause keeps the whole, tells its cause, and is mended', async (broken) => {
    const { deadLetters, break_, text, ingest, store } = await withBroken();
    const id = await break_(broken);
    expect(await text(broken.path)).toBeNull();
    const detail = await deadLetters.detail(ingestWorkspace, id);
    expect(detail).toMatchObject({
      row: { state: 'dead_letter', cause: broken.cause, attempts: 1, provider: broken.provider },
      envelope: { payload: broken.payload, headers: { 'x-from': 'hub' } },
      editedPayload: null,
      attempts: [{ attempt: 1, cause: broken.cause }],
    });
    expect(detail?.row.lastError).not.toBe('');

    // As it is it fails again, and says so before.
    expect(await deadLetters.preview(ingestWorkspace, id, asItIs)).toMatchObject({
      outcome: 'failed',
      cause: broken.cause,
    });
    await deadLetters.replay(ingestWorkspace, id, asItIs);
    await ingest.idle();
    expect((await deadLetters.detail(ingestWorkspace, id))?.attempts).toHaveLength(2);

    const payload = mergePatch(broken.payload, broken.patch) as Fields;
    const mended = { payload, overwriteNewer: false, by: null };
    expect(await deadLetters.preview(ingestWorkspace, id, mended)).toMatchObject({
      outcome: 'applied',
      path: broken.path,
      before: null,
    });
    expect(await text(broken.path)).toBeNull();
    expect(await deadLetters.replay(ingestWorkspace, id, mended)).toBe('queued');
    await ingest.idle();
    expect(await text(broken.path)).toBe(broken.content);
    expect(await deadLetters.get(ingestWorkspace, id, null)).toBeNull();
    // The original stays beside the correction.
    expect(await deadLetters.detail(ingestWorkspace, id)).toMatchObject({
      row: { state: 'settled', outcome: 'applied' },
      envelope: { payload: broken.payload },
      editedPayload: payload,
    });
    expect(await store.maintenance.integrityCheck()).toEqual([]);
  });

  it('of a workspace that is deleted waits until it is restored', async () => {
    const { deadLetters, deliver, store, ingest, clock, text } = await withBroken();
    await ingest.idle();
    await ingest.stop();
    const id = (await deliver('file.created', '/hub/a', { content: 'a' })) ?? '';
    await store.workspaces.setDeleted({ workspaceId: ingestWorkspace, deletedAtMs: clock.nowMs() });
    const [pending] = await store.ingest.pending(null, 1);
    const prepared = {
      ok: true as const,
      delivery: {
        kind: 'upsert' as const,
        path: '/hub/a',
        objectId: null,
        claim: null,
        content: await store.content.stage(Buffer.from('a')),
        encoding: 'utf-8' as const,
        contentType: undefined,
        semantics: undefined,
      },
    };
    const apply = async () => {
      const input = { number: pending?.number ?? 0, prepared, mayDelete: true };
      return (
        await store.content.applyEnvelopes({
          workspaceId: ingestWorkspace,
          inputs: [input],
          atMs: clock.nowMs(),
        })
      )[0];
    };
    expect(await apply()).toMatchObject({ outcome: 'failed', cause: 'workspace_gone' });
    await store.workspaces.setDeleted({ workspaceId: ingestWorkspace, deletedAtMs: null });
    expect(await deadLetters.replay(ingestWorkspace, id, asItIs)).toBe('queued');
    expect(await apply()).toMatchObject({ outcome: 'applied' });
    expect(await apply()).toEqual({ outcome: 'gone' });
    expect(await text('/hub/a')).toBe('a');
  });

  it('never goes over something newer without being told to', async () => {
    const { deadLetters, break_, deliverAndApply, ingest, text, clock, events } = await withBroken();
    const payload = { event_type: 'file.updated', path: '/hub/a', data: { content: 'x', encoding: 'none' } };
    const id = await break_({ provider: 'hub', payload });
    await deliverAndApply('file.updated', '/hub/a', { content: 'newer' });
    const newerAtMs = clock.nowMs();
    clock.advance(1_000);
    const mended = { ...payload, data: { content: 'older' } };
    expect(
      await deadLetters.preview(ingestWorkspace, id, { payload: mended, overwriteNewer: false, by: null }),
    ).toEqual({
      outcome: 'stale',
      newerAtMs,
    });
    expect(
      await deadLetters.preview(ingestWorkspace, id, { payload: mended, overwriteNewer: true, by: null }),
    ).toMatchObject({
      outcome: 'applied',
      before: { sizeBytes: 5 },
    });
    await deadLetters.replay(ingestWorkspace, id, { payload: mended, overwriteNewer: true, by: null });
    await ingest.idle();
    expect(await text('/hub/a')).toBe('older');

    const other = await break_({ provider: 'hub', payload: { ...payload, path: '/hub/b' } });
    await deliverAndApply('file.updated', '/hub/b', { content: 'newer' });
    await deadLetters.replay(ingestWorkspace, other, {
      payload: { ...mended, path: '/hub/b' },
      overwriteNewer: false,
      by: null,
    });
    await ingest.idle();
    expect(await text('/hub/b')).toBe('newer');
    expect((await events()).at(-1)).toBe('sync.stale /');
  });

  it('that is acknowledged is put away, and its delivery id stays taken', async () => {
    const { deadLetters, break_, store, deliverAndApply } = await withBroken();
    const payload = { event_type: 'file.updated', path: '/hub/../a', data: { content: 'x' } };
    const id = (await deliverAndApply('', '', {}, { payload, deliveryId: 'd' })) ?? '';
    expect(await deadLetters.acknowledge(ingestWorkspace, id, null)).toBe(true);
    expect(await deadLetters.acknowledge(ingestWorkspace, id, null)).toBe(false);
    expect(await deadLetters.replay(ingestWorkspace, id, asItIs)).toBe('unknown');
    expect(await deliverAndApply('file.updated', '/hub/a', { content: 'y' }, { deliveryId: 'd' })).toBe(id);
    const [row] = await store.ingest.ingress(ingestWorkspace);
    expect(row).toMatchObject({ dead: 0, deadLettered: 1, acknowledged: 1, deduped: 1 });
    await break_({ provider: 'hub', payload });
    expect(await store.maintenance.integrityCheck()).toEqual([]);
  });
});

describe('many dead letters', () => {
  const wrong = (index: number) => ({
    provider: index % 2 === 0 ? 'hub' : 'mail',
    payload: { event_type: 'file.updated', path: `/hub/${index}`, data: { content: 'x', encoding: 'none' } },
  });

  it('are listed newest first, filtered and in pages', async () => {
    const { deadLetters, break_, clock } = await withBroken();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push(await break_(wrong(index)));
    await break_({ provider: 'hub', payload: { event_type: '!', path: '/hub/x' } });
    const list = async (query: object) => {
      const page = await deadLetters.list({
        ...everything,
        workspaceId: ingestWorkspace,
        cursor: null,
        limit: 100,
        ...query,
      });
      return page?.items.map((row) => row.envelopeId);
    };
    expect(await list({ cause: 'content_undecodable' })).toEqual(ids.toReversed());
    expect(await list({ provider: 'mail' })).toEqual([ids[3], ids[1]]);
    expect(await list({ text: '/HUB/4' })).toEqual([ids[4]]);
    expect(await list({ text: 'neither' })).toEqual([]);
    expect(await list({ envelopeIds: [ids[0], ids[2]] })).toEqual([ids[2], ids[0]]);
    expect(await list({ failedBeforeMs: clock.nowMs() - 4 })).toEqual([ids[1], ids[0]]);
    expect(await list({ cursor: ids[3], limit: 2 })).toEqual([ids[2], ids[1]]);
    expect(await list({ cursor: 'env_none' })).toBeUndefined();
  });

  it('are listed without what was sent, which may be megabytes each', async () => {
    const { deadLetters, break_ } = await withBroken();
    await break_(wrong(0));
    const query = { ...everything, workspaceId: ingestWorkspace, cursor: null, limit: 1 };
    const [head] = (await deadLetters.list(query))?.items ?? [];
    expect(head).toMatchObject({ path: '/hub/0', cause: 'content_undecodable' });
    expect(Object.keys(head ?? {})).not.toContain('body');
    expect(Object.keys(head ?? {})).not.toContain('edited');
  });

  it('of many megabytes are mended by one edit, a few at a time', async () => {
    const { deadLetters, break_, ingest, text } = await withBroken(editedLengthMax);
    const large = 'x'.repeat(editedLengthMax - 1_000);
    const data = { content: large, encoding: 'none' };
    await break_({ provider: 'hub', payload: { event_type: 'file.updated', path: '/hub/0', data } });
    for (const index of [1, 2]) await break_(wrong(index));
    const options = { patch: { data: { encoding: null } }, overwriteNewer: false, dryRun: false, by: null };
    expect(await deadLetters.replayMany(ingestWorkspace, everything, options)).toMatchObject({
      matched: 3,
      done: 3,
    });
    await ingest.idle();
    expect(await text('/hub/0')).toHaveLength(large.length);
    expect(await text('/hub/2')).toBe('x');
  });

  it('are mended by one edit and replayed in the order of their arrival', async () => {
    const { deadLetters, break_, ingest, store, text } = await withBroken();
    for (let index = 0; index < 6; index += 1) await break_(wrong(index));
    const patch = { data: { encoding: 'utf-8' } };
    const hub = { ...everything, provider: 'hub' };
    const options = { patch, overwriteNewer: false, dryRun: true, by: null };
    expect(await deadLetters.replayMany(ingestWorkspace, hub, options)).toMatchObject({
      matched: 3,
      done: 0,
    });
    expect(await deadLetters.replayMany(ingestWorkspace, hub, { ...options, dryRun: false })).toMatchObject({
      matched: 3,
      done: 3,
      more: false,
    });
    await ingest.idle();
    expect(await text('/hub/4')).toBe('x');
    expect(await text('/hub/5')).toBeNull();
    expect(
      await deadLetters.acknowledgeMany(ingestWorkspace, everything, { by: null, dryRun: false }),
    ).toMatchObject({
      matched: 3,
      done: 3,
    });
    expect((await store.ingest.deadLetterCauses(null)).length).toBe(0);
    expect(await store.maintenance.integrityCheck()).toEqual([]);
  });
});
