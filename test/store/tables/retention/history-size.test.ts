// The limit of the history by size: the oldest goes first, and nothing goes that somebody still needs.
import { describe, expect, it } from 'vitest';
import { dayMs, openTestStore, testWorkspace } from '../../../support/store.ts';

const kib = 1024;
const text = (fill: string) => fill.repeat(10 * kib);

async function withLimit(contents: number) {
  const rig = await openTestStore({
    settings: { historyBytesMax: contents * 10 * kib, externalWriteback: 'off' },
  });
  const isKept = async (path: string, revision: number) => {
    const row = await rig.store.files.revision(testWorkspace, path, revision, null);
    return row !== null;
  };
  const sweep = async () => await rig.store.maintenance.applyRetention(rig.clock.now);
  return { ...rig, isKept, sweep };
}

describe('a history beyond its size', () => {
  it('lets go of what was replaced or deleted first, and keeps what stands', async () => {
    const { put, remove, clock, isKept, sweep, textOf, store } = await withLimit(2);
    const replaced = await put('/replaced', text('a'));
    const deleted = await put('/deleted', text('b'));
    const late = await put('/late', text('c'));
    await put('/stands', text('d'));
    clock.now += dayMs;
    await put('/replaced', text('e'));
    clock.now += dayMs;
    await remove('/deleted');
    clock.now += dayMs;
    // Written before the others were over, and over after them.
    await put('/late', text('f'));
    clock.now += 2 * dayMs;
    expect(await sweep()).toMatchObject({ revisions: 1, blobs: 1 });
    expect(await isKept('/replaced', replaced)).toBe(false);
    expect(await isKept('/deleted', deleted)).toBe(true);
    expect(await isKept('/late', late)).toBe(true);
    expect(await textOf('/replaced')).toBe(text('e'));
    expect(await textOf('/stands')).toBe(text('d'));
    expect(await sweep()).toMatchObject({ revisions: 0, blobs: 0 });
    expect(await store.maintenance.integrityCheck()).toEqual([]);
  });

  it('does not count what stands somewhere, and counts each content once', async () => {
    const { put, remove, clock, isKept, sweep } = await withLimit(1);
    const first = await put('/a', text('a'));
    await remove('/a');
    await put('/b', text('a'));
    await put('/c', text('c'));
    await remove('/c');
    await put('/d', text('c'));
    await remove('/d');
    clock.now += 5 * dayMs;
    expect(await sweep()).toMatchObject({ revisions: 0 });
    expect(await isKept('/a', first)).toBe(true);
  });

  it('keeps what was over within a day, and goes on later', async () => {
    const { put, clock, isKept, sweep, log } = await withLimit(1);
    const first = await put('/a', text('a'));
    await put('/a', text('b'));
    await put('/a', text('c'));
    expect(await sweep()).toMatchObject({ revisions: 0 });
    expect(log.map(({ message }) => message)).toContain('the history is larger than its limit');
    clock.now += dayMs + 1;
    await sweep();
    expect(await isKept('/a', first)).toBe(false);
  });

  it('never lets go of what a pending operation is to send', async () => {
    const rig = await openTestStore({ settings: { historyBytesMax: kib, externalWriteback: 'all' } });
    const waiting = await rig.put('/crm/a', text('a'));
    rig.clock.now += 3 * dayMs;
    await rig.remove('/crm/a');
    rig.clock.now += 3 * dayMs;
    expect(await rig.store.maintenance.applyRetention(rig.clock.now)).toMatchObject({
      revisions: 0,
      blobs: 0,
    });
    expect(await rig.store.files.revision(testWorkspace, '/crm/a', waiting, null)).not.toBeNull();
  });
});
