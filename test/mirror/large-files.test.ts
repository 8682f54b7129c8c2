import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readdirSync, truncateSync, writeSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { WorkerFolder } from '../../server/disk/worker/worker-folder.ts';
import { inPieces } from '../../server/mirror/actions/transfer.ts';
import { fileBytesMaxDefault as fileBytesMax, transferLimits } from '../../server/mirror/state/context.ts';
import type { WorkspaceService } from '../../server/workspaces/service.ts';
import { FolderCounter } from '../support/counting-folder.ts';
import { diskError } from '../support/engine-folder.ts';
import { type MirrorHarness, startMirrorHarness } from '../support/mirror-harness.ts';
import { waitFor } from '../support/wait-for.ts';

const mebibyte = 1024 * 1024;
const patienceMs = 60_000;
/** Three pieces. */
const largeBytes = Math.floor(2.5 * transferLimits.chunkBytes);

type Before = Parameters<FolderCounter['wrap']>[1];

function pattern(seed: number, sizeBytes: number): string {
  return createHash('sha512')
    .update(String(seed))
    .digest('hex')
    .repeat(Math.ceil(sizeBytes / 128))
    .slice(0, sizeBytes);
}

/** Never whole in the test's memory either. */
async function* blocks(count: number): AsyncGenerator<Uint8Array> {
  for (let seed = 0; seed < count; seed += 1) yield Buffer.from(pattern(seed, mebibyte));
}

async function hashOfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function bring(rig: MirrorHarness, name: string, source: AsyncIterable<Uint8Array>): Promise<string> {
  const { content } = await rig.workspaces.stageStream(source, 2 * fileBytesMax);
  await rig.change({
    kind: 'write_file',
    path: name,
    precondition: { kind: 'any' },
    content,
    defaultContentType: 'application/octet-stream',
    encoding: 'base64',
  });
  return content.hash;
}

async function settled(rig: MirrorHarness) {
  const { settled: isSettled, mirrors } = await rig.manager.settle({ timeoutMs: patienceMs });
  if (!isSettled) throw new Error(`not settled: ${JSON.stringify(mirrors, null, 1)}`);
  return mirrors[0];
}

function counting(counter: FolderCounter, before: Before = async () => undefined) {
  return (listener: ConstructorParameters<typeof WorkerFolder>[0]) =>
    counter.wrap(new WorkerFolder(listener), before);
}

/** Temporary files of either side. */
function leftovers(rig: MirrorHarness): readonly string[] {
  const inFolder = readdirSync(rig.root, { recursive: true })
    .map(String)
    .filter((name) => name.includes('.mooring-tmp-'));
  return [...inFolder, ...readdirSync(path.join(rig.dataDir, 'blobs/incoming'))];
}

/** Ends the only conflict with the folder's version. */
async function chooseFolder(rig: MirrorHarness): Promise<void> {
  const [conflict] = await rig.conflicts.list(rig.workspaceId);
  const by = {
    actor: { kind: 'token', name: 'person', tokenId: null },
    access: null,
    correlationId: 'choice',
  } as const;
  const answer = { keep: 'folder' } as const;
  const id = conflict?.row.conflictId ?? '';
  expect((await rig.conflicts.resolve(rig.workspaceId, id, answer, by)).kind).toBe('resolved');
}

describe('bytes of any lengths', () => {
  it('become pieces of one length, each in memory of its own', async () => {
    const source = (async function* () {
      for (const text of ['abc', '', 'defghijk', 'l']) yield Buffer.from(text);
    })();
    const pieces: string[] = [];
    const memories = new Set<ArrayBuffer>();
    for await (const piece of inPieces(source, 5)) {
      pieces.push(Buffer.from(piece).toString());
      memories.add(piece.buffer);
      expect(piece.buffer.byteLength).toBe(piece.byteLength);
    }
    expect(pieces).toEqual(['abcde', 'fghij', 'kl']);
    expect(memories.size).toBe(3);
  });
});

describe('a large file', () => {
  it('is never in memory whole, either way', { timeout: 3 * patienceMs }, async () => {
    const counter = new FolderCounter();
    let largestWhole = 0;
    const met = (service: WorkspaceService): WorkspaceService => ({
      ...service,
      stage(bytes) {
        largestWhole = Math.max(largestWhole, bytes.byteLength);
        return service.stage(bytes);
      },
      async readContent(hash) {
        const bytes = await service.readContent(hash);
        largestWhole = Math.max(largestWhole, bytes?.byteLength ?? 0);
        return bytes;
      },
    });
    const rig = await startMirrorHarness({ openFolder: counting(counter), met });
    const count = 60;
    const handle = openSync(rig.at('up.bin'), 'w');
    for await (const block of blocks(count)) writeSync(handle, block);
    closeSync(handle);
    const hash = await bring(rig, '/down.bin', blocks(count));
    rig.write('small', 'small');
    await rig.manager.add(rig.workspaceId, rig.root);
    await settled(rig);

    expect(await hashOfFile(rig.at('down.bin'))).toBe(hash);
    expect(await rig.workspaces.getEntry(rig.workspaceId, '/up.bin')).toMatchObject({
      hash,
      sizeBytes: count * mebibyte,
      encoding: 'utf-8',
    });
    expect(counter.carriedBytes, 'it was carried through the port').toBeGreaterThan(2 * count * mebibyte);
    expect(counter.largestBytes).toBe(transferLimits.chunkBytes);
    expect(counter.mostUnderWay).toBeLessThanOrEqual(2);
    expect(largestWhole).toBeLessThanOrEqual(transferLimits.wholeBytesMax);
    expect(leftovers(rig)).toEqual([]);
    const writes = (await rig.events()).filter((event) => event.path === '/up.bin');
    expect(
      writes.map(({ type }) => type),
      'one revision',
    ).toEqual(['file.created']);
  });

  it('that changes while it is read is not taken before it holds still', async () => {
    let rig: MirrorHarness | null = null;
    let changes = 0;
    const counter = new FolderCounter();
    const now = pattern(2, largeBytes);
    const openFolder = counting(counter, async (call, position) => {
      if (call !== 'readPiece' || position === 0 || changes > 0) return;
      changes += 1;
      rig?.save('large', now);
    });
    rig = await startMirrorHarness({ openFolder });
    rig.write('large', pattern(1, largeBytes));
    await rig.manager.add(rig.workspaceId, rig.root);
    await settled(rig);
    expect(changes).toBe(1);
    const entry = await rig.workspaces.getEntry(rig.workspaceId, '/large');
    expect(entry).toMatchObject({ hash: createHash('sha256').update(now).digest('hex') });
    const events = await rig.events();
    expect(
      events.map(({ type, path: at }) => `${type} ${at}`),
      'nothing mixed',
    ).toEqual(['file.created /large']);
    expect(leftovers(rig)).toEqual([]);
  });

  it.each(['readPiece', 'writePiece'] as const)(
    'whose mirror is stopped in the middle of a %s leaves nothing behind, and is carried later',
    async (stopAt) => {
      const held = Promise.withResolvers<void>();
      let arrived = false;
      const counter = new FolderCounter();
      const openFolder = counting(counter, async (call, position) => {
        if (call !== stopAt || position === 0 || arrived) return;
        arrived = true;
        await held.promise;
      });
      const rig = await startMirrorHarness({ openFolder });
      await rig.manager.add(rig.workspaceId, rig.root);
      await settled(rig);
      if (stopAt === 'readPiece') rig.save('large', pattern(1, 2 * mebibyte));
      else await bring(rig, '/large', blocks(2));
      await waitFor('the second piece', () => arrived);
      const stopped = rig.stop();
      held.resolve();
      await stopped;
      expect(leftovers(rig)).toEqual([]);
      expect(Object.keys(rig.folder()).length).toBe(stopAt === 'readPiece' ? 1 : 0);
      expect(counter.carriedBytes, 'it did stop').toBeLessThan(2 * mebibyte);
      await rig.start();
      await settled(rig);
      expect(Object.keys(await rig.both())).toEqual(['/large']);
      expect(leftovers(rig)).toEqual([]);
    },
  );

  it('that the store cannot give is listed, and the others go on', async () => {
    let broken = true;
    let passed = 0;
    const met = (service: WorkspaceService): WorkspaceService => ({
      ...service,
      async openContent(hash, range) {
        const content = await service.openContent(hash, range);
        if (!broken || content === null) return content;
        const torn = new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            passed += chunk.length;
            if (passed > mebibyte) throw diskError('EIO');
            controller.enqueue(chunk);
          },
        });
        return { ...content, stream: content.stream.pipeThrough(torn) };
      },
    });
    const rig = await startMirrorHarness({ met });
    await bring(rig, '/large', blocks(2));
    await rig.put('/other', 'goes on');
    await rig.manager.add(rig.workspaceId, rig.root);
    const view = await settled(rig);
    expect(view?.problemList).toMatchObject([{ kind: 'store_failed', path: '/large' }]);
    expect(rig.folder()).toEqual({ '/other': 'goes on' });
    expect(leftovers(rig)).toEqual([]);
    broken = false;
    await rig.restart();
    await settled(rig);
    expect(Object.keys(await rig.both())).toEqual(['/large', '/other']);
  });

  it('edited on both sides keeps both versions, whichever way the mirror carries', {
    timeout: 3 * patienceMs,
  }, async () => {
    for (const mode of ['two-way', 'to-workspace'] as const) {
      const rig = await startMirrorHarness();
      rig.write('large', pattern(1, largeBytes));
      const { mirrorId } = await rig.manager.add(rig.workspaceId, rig.root, { mode });
      await settled(rig);
      await rig.manager.pause(rig.workspaceId, mirrorId);
      rig.write('large', pattern(2, largeBytes));
      const theirs = await bring(rig, '/large', inPieces(blocks(2), mebibyte));
      await rig.manager.resume(rig.workspaceId, mirrorId);
      await settled(rig);
      const files = await rig.workspace();
      const copy = Object.keys(files).find((name) => name.includes('(conflict')) ?? '';
      expect(Object.keys(files).length, mode).toBe(2);
      expect(files[copy], mode).toBe(pattern(2, largeBytes));
      expect(
        createHash('sha256')
          .update(files['/large'] ?? '', 'latin1')
          .digest('hex'),
        mode,
      ).toBe(theirs);
      await chooseFolder(rig);
      await settled(rig);
      expect(await rig.workspace(), mode).toEqual({ '/large': pattern(2, largeBytes) });
    }
  });
});

describe('a file beyond the limit', () => {
  it('that grew is listed, and is carried again when it has shrunk', {
    timeout: 3 * patienceMs,
  }, async () => {
    const rig = await startMirrorHarness();
    rig.write('file', 'before');
    await rig.manager.add(rig.workspaceId, rig.root);
    await settled(rig);
    truncateSync(rig.at('file'), fileBytesMax + 1);
    expect((await settled(rig))?.problemList).toMatchObject([{ kind: 'too_large', path: '/file' }]);
    expect(await rig.workspace()).toEqual({ '/file': 'before' });
    rig.save('file', 'after');
    const view = await settled(rig);
    expect(view?.problemList).toEqual([]);
    expect(await rig.both()).toEqual({ '/file': 'after' });
    expect((await rig.events()).map(({ type }) => type)).toEqual(['file.created', 'file.updated']);
  });

  it('is measured by the limit that is set, either way', async () => {
    const rig = await startMirrorHarness({ fileBytesMax: 10 });
    rig.write('here', 'x'.repeat(11));
    rig.write('fits', 'x'.repeat(10));
    await rig.put('/there', 'y'.repeat(11));
    const view = await rig.mirror();
    expect(view.problemList.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      'too_large /here',
      'too_large /there',
    ]);
    expect(Object.keys(rig.folder())).toEqual(['/fits', '/here']);
    expect(Object.keys(await rig.workspace())).toEqual(['/fits', '/there']);
    await rig.restart({ fileBytesMax: 11 });
    await rig.settle();
    expect(Object.keys(await rig.both())).toEqual(['/fits', '/here', '/there']);
  });

  it('of the workspace stays there, is listed, and comes when it has shrunk', {
    timeout: 3 * patienceMs,
  }, async () => {
    const rig = await startMirrorHarness();
    rig.write('file', 'before');
    await rig.manager.add(rig.workspaceId, rig.root);
    await settled(rig);
    await bring(rig, '/file', blocks(fileBytesMax / mebibyte + 1));
    expect((await settled(rig))?.problemList).toMatchObject([{ kind: 'too_large', path: '/file' }]);
    expect(rig.folder(), 'it keeps what it has').toEqual({ '/file': 'before' });
    await rig.put('/file', 'after');
    expect((await settled(rig))?.problemList).toEqual([]);
    expect(await rig.both()).toEqual({ '/file': 'after' });
  });
});
