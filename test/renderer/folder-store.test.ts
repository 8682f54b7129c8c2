import { expect, it } from 'vitest';
import { FolderStore, pendingEventsMax } from '../../renderer/api/folder-store.ts';
import type { EventFrame } from '../../server/contract/events.ts';
import type { Tree, TreeEntry } from '../../server/contract/files.ts';
import { waitFor } from '../support/wait-for.ts';

const file = (path: string, revision: number): TreeEntry => ({
  path,
  type: 'file',
  revision: `rev_${revision}`,
});
const dir = (path: string): TreeEntry => ({ path, type: 'dir', revision: 'dir' });
const event = (type: EventFrame['type'], path: string, revision: number, content = 'x'): EventFrame => ({
  eventId: `evt_${revision}`,
  type,
  path,
  revision: `rev_${revision}`,
  origin: 'agent_write',
  timestamp: '2126-11-20T11:11:50.481Z',
  ...(type === 'file.deleted' ? {} : { content }),
});

/** Pages of folders, handed out when the test says so. */
class Pages {
  readonly asked: string[] = [];
  readonly #open: { readonly key: string; readonly answer: (tree: Tree) => void }[] = [];
  readonly store = new FolderStore({
    tree: async (path, cursor) =>
      await new Promise<Tree>((resolve) => {
        this.asked.push(path + (cursor ?? ''));
        this.#open.push({ key: path + (cursor ?? ''), answer: resolve });
      }),
    describe: (error) => ({ text: String(error), unreachable: false }),
    countsFiles: true,
  });

  async answer(
    key: string,
    entries: readonly TreeEntry[],
    nextCursor: string | null = null,
    isShown = true,
  ): Promise<void> {
    const open = await waitFor(`a request for ${key}`, () => this.#open.find((each) => each.key === key));
    this.#open.splice(this.#open.indexOf(open), 1);
    open.answer({ path: key, entries: [...entries], nextCursor, totalFiles: entries.length });
    const begun = this.store.version();
    if (isShown) await waitFor('the answer to be taken in', () => this.store.version() > begun);
  }

  names(path: string): readonly string[] {
    return this.store.view(path)?.entries.map((entry) => entry.path) ?? [];
  }

  async read(path: string, entries: readonly TreeEntry[]): Promise<void> {
    this.store.open(path);
    await this.answer(path, entries);
  }
}

it('a folder is read page by page, once, folders before files', async () => {
  const pages = new Pages();
  pages.store.open('/');
  pages.store.open('/');
  await pages.answer('/', [file('/a.md', 1)], '/a.md');
  expect(pages.store.view('/')?.state).toBe('reading');
  await pages.answer('//a.md', [dir('/b'), file('/c.md', 2)]);
  expect(pages.store.view('/')?.state).toBe('ready');
  expect(pages.names('/')).toEqual(['/b', '/a.md', '/c.md']);
  expect(pages.asked).toEqual(['/', '//a.md']);
});

it('events create, change and delete entries, and a stale one changes nothing', async () => {
  const pages = new Pages();
  await pages.read('/', [file('/a.md', 5)]);
  pages.store.apply([event('file.created', '/b.md', 6, 'four'), event('file.updated', '/a.md', 4)]);
  expect(pages.names('/')).toEqual(['/a.md', '/b.md']);
  expect(pages.store.find('/a.md')?.revision).toBe('rev_5');
  expect(pages.store.find('/b.md')).toMatchObject({ revision: 'rev_6', size: 4 });
  pages.store.apply([event('file.deleted', '/a.md', 7)]);
  expect(pages.names('/')).toEqual(['/b.md']);
});

it('an event that comes after the reading that counted it is not counted twice', async () => {
  const pages = new Pages();
  await pages.read('/', [file('/a.md', 5)]);
  const earlier = new Date((pages.store.view('/')?.loadBeganMs ?? 0) - 1).toISOString();
  pages.store.apply([{ ...event('file.created', '/a.md', 5), timestamp: earlier }]);
  expect(pages.store.view('/')?.totalFiles).toBe(1);
  pages.store.apply([event('file.created', '/b.md', 6)]);
  expect(pages.store.view('/')?.totalFiles).toBe(2);
});

it('a delete that arrives while the folder is read is not undone by a page from before it', async () => {
  const pages = new Pages();
  pages.store.open('/');
  pages.store.apply([event('file.deleted', '/a.md', 9)]);
  await pages.answer('/', [file('/a.md', 3), file('/b.md', 4)]);
  expect(pages.names('/')).toEqual(['/b.md']);
});

it('a file made again after its delete stays, whatever the order of page and events', async () => {
  const pages = new Pages();
  pages.store.open('/');
  pages.store.apply([event('file.deleted', '/a.md', 9), event('file.created', '/a.md', 10)]);
  await pages.answer('/', [file('/a.md', 10)]);
  expect(pages.store.find('/a.md')?.revision).toBe('rev_10');
});

it('a new file makes the folders above it, and the last delete takes them away', async () => {
  const pages = new Pages();
  await pages.read('/', []);
  pages.store.apply([event('file.created', '/a/b/c.md', 1)]);
  expect(pages.names('/')).toEqual(['/a']);
  await pages.read('/a', [dir('/a/b')]);
  await pages.read('/a/b', [file('/a/b/c.md', 1)]);
  pages.store.apply([event('file.deleted', '/a/b/c.md', 2)]);
  expect(pages.names('/a')).toEqual([]);
  expect(pages.names('/')).toEqual([]);
});

it('a delete in a folder that was never opened asks once whether the folder is still there', async () => {
  const pages = new Pages();
  await pages.read('/', [dir('/a'), file('/z.md', 1)]);
  pages.store.apply([event('file.deleted', '/a/x.md', 2), event('file.deleted', '/a/y.md', 3)]);
  await pages.answer('/a', []);
  expect(pages.names('/')).toEqual(['/z.md']);
  expect(pages.asked).toEqual(['/', '/a']);
});

it('the number of files below counts along for every open folder above', async () => {
  const pages = new Pages();
  await pages.read('/', [dir('/a')]);
  const before = pages.store.view('/')?.totalFiles ?? 0;
  pages.store.apply([event('file.created', '/a/1.md', 1), event('file.created', '/a/2.md', 2)]);
  expect(pages.store.view('/')?.totalFiles).toBe(before + 2);
  pages.store.apply([event('file.updated', '/a/1.md', 3), event('file.deleted', '/a/2.md', 4)]);
  expect(pages.store.view('/')?.totalFiles).toBe(before + 1);
});

it('a folder that is loaded again shows its entries until all pages are there', async () => {
  const pages = new Pages();
  await pages.read('/', [file('/a.md', 1), file('/b.md', 2), file('/c.md', 3)]);
  pages.store.reload();
  expect(pages.store.view('/')?.state).toBe('ready');
  expect(pages.names('/')).toEqual(['/a.md', '/b.md', '/c.md']);
  pages.store.apply([event('file.updated', '/b.md', 4)]);
  await pages.answer('/', [file('/a.md', 1)], '/a.md', false);
  expect(pages.names('/')).toEqual(['/a.md', '/b.md', '/c.md']);
  expect(pages.store.find('/b.md')?.revision).toBe('rev_4');
  await pages.answer('//a.md', [file('/b.md', 2)]);
  expect(pages.names('/')).toEqual(['/a.md', '/b.md']);
  expect(pages.store.find('/b.md')?.revision).toBe('rev_4');
});

it('what is created far below a folder while it is loaded again stays, and is counted once everywhere', async () => {
  const pages = new Pages();
  await pages.read('/', [file('/a.md', 1)]);
  await pages.read('/x', [file('/x/1.md', 2)]);
  pages.store.reload();
  await pages.answer('/', [dir('/x'), file('/a.md', 1)]);
  pages.store.apply([event('file.created', '/x/y/2.md', 5)]);
  await pages.answer('/x', [file('/x/1.md', 2)]);
  expect(pages.names('/x')).toEqual(['/x/y', '/x/1.md']);
  expect(pages.store.view('/x')?.totalFiles).toBe(2);
  expect(pages.store.view('/')?.totalFiles).toBe(3);
});

it('a folder loads again after more events than are held while it loads', async () => {
  const pages = new Pages();
  pages.store.open('/');
  const burst = Array.from({ length: pendingEventsMax }, (_, at) =>
    event('file.updated', '/busy.md', at + 2),
  );
  pages.store.apply(burst);
  pages.store.apply([event('file.created', '/late.md', 90_000)]);
  await pages.answer('/', [file('/busy.md', 1)]);
  expect(pages.asked).toEqual(['/', '/']);
  await pages.answer('/', [file('/busy.md', 80_000), file('/late.md', 90_000)]);
  expect(pages.names('/')).toEqual(['/busy.md', '/late.md']);
  expect(pages.asked).toEqual(['/', '/']);
});
