import { expect, it, onTestFinished } from 'vitest';
import { comparePaths } from '../../server/core/paths/path.ts';
import { IndexDatabase } from '../../server/search/index-database.ts';
import { blockPaths } from '../../server/search/limits.ts';
import { tempFolder } from '../support/temp-folder.ts';

function open() {
  const index = IndexDatabase.open(tempFolder('mooring-names'), 'epoch', 0);
  onTestFinished(() => index.close());
  const put = (workspace: number, file: string) =>
    index.put(workspace, { path: file, hash: 'ab'.repeat(32), sizeBytes: 1 }, () => null);
  /** All names, through the blocks, and how many blocks there were. */
  const all = (workspace: number) => {
    const names: string[] = [];
    let blocks = 0;
    for (let from: string | null = ''; from !== null; blocks += 1) {
      const block = index.names.after(workspace, from);
      if (block.text !== '') names.push(...block.text.split('\0'));
      from = block.to;
    }
    return { names: names.toSorted(comparePaths), blocks };
  };
  return { index, put, all };
}

it('has all paths of a workspace, and follows what is added and removed', () => {
  const { index, put, all } = open();
  index.write.exec('BEGIN');
  const expected = new Set<string>();
  const add = (name: string) => {
    put(1, name);
    expected.add(name);
  };
  const check = () => expect(all(1).names).toEqual([...expected].toSorted(comparePaths));
  for (let number = 0; number < blockPaths * 2.5; number += 1) add(`/d${number % 50}/Datei ${number}.md`);
  put(2, '/of another workspace');
  check();
  expect(all(1).blocks).toBe(3);
  // Before all, after all, at a border of two blocks, and in between, also beyond the basic plane.
  const border = index.names.after(1, '').to ?? '';
  for (const name of ['/!', '/zzz', `${border}x`, `${border.slice(0, -1)}`, '/d1/\u{1f600}', '/d1/\ufffd']) {
    add(name);
    check();
  }
  for (const name of [border, '/!', '/zzz', ...[...expected].slice(0, 200)]) {
    index.remove(1, name);
    expected.delete(name);
  }
  check();
  for (let number = 0; number < blockPaths; number += 1) add(`/d1/more ${number}`);
  check();
  expect(all(2).names).toEqual(['/of another workspace']);
  index.write.exec('COMMIT');
});

it('has none of a workspace without files, and follows the first one', () => {
  const { put, all } = open();
  expect(all(1)).toEqual({ names: [], blocks: 1 });
  put(1, '/a');
  expect(all(1)).toEqual({ names: ['/a'], blocks: 1 });
});
