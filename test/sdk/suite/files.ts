// Files, trees, metadata, raw bytes, exports, history and forks.
import { bytesOf, NotFoundError, ParentMovedError, RevisionConflictError } from '../../../sdk/index.ts';
import { type Case, newDesk } from './bench.ts';
import { equal, failure, has, truthy } from './check.ts';

export const fileCases: readonly Case[] = [
  {
    name: 'writes with a precondition, gets a conflict, reads many files and deletes',
    run: async (bench) => {
      const { client, workspaceId } = await newDesk(bench);
      const { targetRevision } = await client.writeFile(workspaceId, '/a', 'one', { ifMatch: '0' });
      const again = client.writeFile(workspaceId, '/a', 'two', { ifMatch: '0' });
      const conflict = await failure(again, RevisionConflictError);
      equal([conflict.currentRevision, conflict.currentContentPreview], [targetRevision, 'one']);
      const bulk = await client.bulkWrite(workspaceId, [{ path: '/b', content: new Uint8Array([255]) }]);
      has(bulk, { written: 1, errorCount: 0 });
      const { files } = await client.files.readMany(workspaceId, ['/b', '/none', '/a']);
      const [bytes, none, text] = files;
      has(bytes ?? {}, { path: '/b', content: '/w==', encoding: 'base64' });
      equal(none !== undefined && 'error' in none ? none.error.status : null, 404);
      has(text ?? {}, { path: '/a', content: 'one' });
      equal(bytesOf(await client.readFile(workspaceId, '/b')), [255]);
      await client.deleteFile(workspaceId, '/a', { ifMatch: targetRevision });
      await failure(client.readFile(workspaceId, '/a'), NotFoundError);
    },
  },
  {
    name: 'finds files by their metadata',
    run: async (bench) => {
      const { client, workspaceId } = await newDesk(bench);
      const semantics = { properties: { state: 'open', size: 3 }, relations: ['/x'], comments: ['c'] };
      await client.writeFile(workspaceId, '/tickets/1', 'one', { semantics });
      await client.writeFile(workspaceId, '/tickets/2', 'two');
      const properties = { state: 'open', size: '3' };
      const found = await client.queryFiles(workspaceId, { provider: 'tickets', relation: '/x', properties });
      equal(
        found.items.map((item) => item.path),
        ['/tickets/1'],
      );
    },
  },
  {
    name: 'iterates over several pages of a tree and of the feed',
    run: async (bench) => {
      const { client, workspaceId } = await newDesk(bench);
      const paths = Array.from({ length: 1_500 }, (_, at) => `/many/${String(at).padStart(4, '0')}`);
      await client.bulkWrite(
        workspaceId,
        paths.map((path) => ({ path, content: path })),
      );
      const listed: string[] = [];
      for await (const page of client.files.treePages(workspaceId, { path: '/many' })) {
        listed.push(...page.entries.map((entry) => entry.path));
      }
      equal(listed, paths, 'the tree');
      const happened: string[] = [];
      for await (const event of client.events.all(workspaceId, { limit: 400, path: '/many' })) {
        if (event.type === 'file.created') happened.push(event.path);
      }
      equal(happened, paths, 'the feed');
    },
  },
  {
    name: 'raw bytes are written and read, whole and in ranges',
    run: async (bench) => {
      const { client, workspaceId } = await newDesk(bench);
      const bytes = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251);
      const bodies = [bytes, new Blob([bytes]), ...(bench.sendsStreams ? [new Blob([bytes]).stream()] : [])];
      for (const body of bodies) {
        const { targetRevision } = await client.files.writeRaw(workspaceId, '/b.bin', body);
        const whole = await client.files.readRaw(workspaceId, '/b.bin');
        has(whole, { revision: targetRevision, size: 200_000, part: { start: 0, end: 200_000 } });
        truthy(same(await collect(whole.stream), bytes), 'the bytes that were written');
      }
      const part = await client.files.readRaw(workspaceId, '/b.bin', { start: 5, end: 9 });
      has(part, { size: 200_000, part: { start: 5, end: 9 } });
      equal(await collect(part.stream), bytes.subarray(5, 9));
      has(await client.files.stat(workspaceId, '/b.bin'), { size: 200_000 });
    },
  },
  {
    name: 'an export is a stream, as an archive or as JSON',
    run: async (bench) => {
      const { client, workspaceId } = await newDesk(bench);
      const content = 'line\n'.repeat(1_000);
      await client.bulkWrite(workspaceId, [
        { path: '/a.md', content },
        { path: '/folder/b.md', content: 'b' },
      ]);
      const { stream } = await client.files.export(workspaceId, { format: 'tar' });
      const unpacked = stream.pipeThrough(
        new DecompressionStream('gzip') as ReadableWritablePair<Uint8Array>,
      );
      const text = new TextDecoder().decode(await collect(unpacked));
      for (const part of ['a.md', 'folder/b.md', content])
        truthy(text.includes(part), `${part.slice(0, 20)}`);
      const json = await client.files.export(workspaceId, { path: '/folder' });
      const files = JSON.parse(new TextDecoder().decode(await collect(json.stream))) as { path: string }[];
      equal(
        files.map((file) => file.path),
        ['/folder/b.md'],
      );
    },
  },
  {
    name: 'lists history, and restores a revision',
    run: async (bench) => {
      const { client, workspaceId } = await newDesk(bench);
      const first = await client.writeFile(workspaceId, '/plan.md', 'one\n');
      await client.writeFile(workspaceId, '/plan.md', 'two\n');
      const actions: string[] = [];
      for await (const { action } of client.history.entries(workspaceId, '/plan.md')) actions.push(action);
      equal(actions, ['write', 'write']);
      truthy((await client.history.diff(workspaceId, '/plan.md')).patch?.includes('-one\n+two\n'), 'a patch');
      await client.history.restore(workspaceId, { path: '/plan.md', revision: first.targetRevision });
      equal((await client.readFile(workspaceId, '/plan.md')).content, 'one\n');
    },
  },
  {
    name: 'a folder and its files are read at a point in time',
    run: async (bench) => {
      const { client, workspaceId } = await newDesk(bench);
      await client.writeFile(workspaceId, '/docs/a.md', 'one');
      const { targetRevision } = await client.writeFile(workspaceId, '/docs/b.md', 'gone later');
      const { entries } = await client.history.page(workspaceId, '/docs/b.md');
      const at = new Date(entries[0]?.at ?? 0);
      // The next change is a later one.
      while (Date.now() <= at.getTime()) await client.readFile(workspaceId, '/docs/a.md');
      await client.writeFile(workspaceId, '/docs/a.md', 'two');
      await client.deleteFile(workspaceId, '/docs/b.md');
      const then = await client.history.tree(workspaceId, at, { path: '/docs', depth: 1 });
      equal(
        then.entries.map(({ path }) => path),
        ['/docs/a.md', '/docs/b.md'],
      );
      equal(then.complete, true);
      equal((await client.readFile(workspaceId, '/docs/a.md', { at })).content, 'one');
      equal((await client.readFile(workspaceId, '/docs/b.md', { at })).revision, targetRevision);
      equal((await client.readFile(workspaceId, '/docs/a.md')).content, 'two');
    },
  },
  {
    name: 'files are moved in a fork with their content, type and metadata',
    run: async (bench) => {
      const { client, workspaceId } = await newDesk(bench);
      const files = [
        { name: 'tiny.bin', content: new Uint8Array([0, 255]), contentType: 'application/x-tiny' },
        { name: 'long.txt', content: 'grün\n'.repeat(250_000), contentType: 'text/x-long' },
        { name: 'long.bin', content: new Uint8Array(1_500_000).fill(255), contentType: 'application/x-long' },
      ];
      const semantics = { properties: { state: 'open' } };
      const told = {
        name: 'told.txt',
        content: 'x'.repeat(1_100_000),
        contentType: 'text/x-told',
        semantics,
      };
      const { forkId } = await client.forks.create(workspaceId, { proposalId: 'moves' });
      const before = [];
      for (const { name, content, ...options } of [...files, told]) {
        await client.writeFile(workspaceId, `/from/${name}`, content, options);
        before.push(await client.readFile(workspaceId, `/from/${name}`));
      }
      await client.forks.rebase(workspaceId, forkId);
      for (const { path, revision } of before) {
        const to = path.replace('/from', '/to');
        await client.files.stageMove(workspaceId, forkId, { from: path, revision, to });
      }
      has(await client.forks.commit(workspaceId, forkId), { writtenCount: 4, deletedCount: 4 });
      for (const { path, content, encoding, contentType, semantics } of before) {
        const after = await client.readFile(workspaceId, path.replace('/from', '/to'));
        truthy(after.content === content, `the content of ${path}`);
        equal([after.encoding, after.contentType, after.semantics], [encoding, contentType, semantics]);
        await failure(client.readFile(workspaceId, path), NotFoundError);
      }
      const again = { from: '/to/tiny.bin', revision: before[0]?.revision ?? '', to: '/to/told.txt' };
      const other = await client.forks.create(workspaceId, { proposalId: 'onto another' });
      await failure(client.files.stageMove(workspaceId, other.forkId, again), RevisionConflictError);
    },
  },
  {
    name: 'a fork shows its staged changes, and its commit is refused when the workspace has newer revisions',
    run: async (bench) => {
      const { client, workspaceId } = await newDesk(bench);
      await client.writeFile(workspaceId, '/a', 'live');
      const { forkId } = await client.forks.create(workspaceId, { proposalId: 'suite' });
      await client.writeFile(workspaceId, '/a', 'forked', { forkId });
      equal((await client.readFile(workspaceId, '/a', { forkId })).content, 'forked');
      equal((await client.readFile(workspaceId, '/a')).content, 'live');
      const { targetRevision } = await client.writeFile(workspaceId, '/a', 'faster');
      const moved = await failure(client.forks.commit(workspaceId, forkId), ParentMovedError);
      equal(
        moved.conflicts.map(({ path }) => path),
        ['/a'],
      );
      await client.forks.rebase(workspaceId, forkId);
      await client.writeFile(workspaceId, '/a', 'settled', { forkId, ifMatch: targetRevision });
      has(await client.forks.commit(workspaceId, forkId), { writtenCount: 1 });
      equal((await client.readFile(workspaceId, '/a')).content, 'settled');
    },
  },
];

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
