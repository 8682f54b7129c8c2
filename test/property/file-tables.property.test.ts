// The tables that keep files in columns, against Maps of objects: any sequence of changes leaves both with the same answers.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nameOf, parentOf } from '../../server/core/paths/path.ts';
import { PathRows } from '../../server/core/paths/path-rows.ts';
import { noRow } from '../../server/core/paths/row-slots.ts';
import type { FolderChange, FolderFile } from '../../server/disk/port/folder.ts';
import { FilesToRead } from '../../server/disk/scan/files-to-read.ts';
import { ChangeList } from '../../server/disk/tree/change-list.ts';
import { type FileNode, folderFile, LocalTree, type Node } from '../../server/disk/tree/local-tree.ts';
import { BaseTable } from '../../server/mirror/state/base-table.ts';
import { FolderDifferences } from '../../server/mirror/state/folder-differences.ts';
import type { BaseRow } from '../../server/store/port/store.ts';
import { scaled } from '../support/scale.ts';

const names = ['a', 'b', 'é', 'ÿ', '日本', '\u{1f600}', '\ud800', 'x'.repeat(255), 'index.js', 'Index.js'];
const anyName = fc.oneof(
  fc.constantFrom(...names),
  fc.nat(30).map((n) => `file-${n}`),
);
const anyPath = fc.array(anyName, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join('/')}`);
const anyHash = fc.oneof(
  fc.stringMatching(/^[0-9a-f]{64}$/),
  fc.constantFrom('h', '', 'A'.repeat(64), 'g'.repeat(64), `${'0'.repeat(63)}G`),
);
const anyNumber = fc.constantFrom(
  '0',
  '1',
  '-1',
  '-0',
  '007',
  '1732320000123456789',
  '8999999999999999999',
  '9223372036854775807',
  '18446744073709551615',
  '-1732320000123456789',
  'unknown',
);
const anyRow: fc.Arbitrary<BaseRow> = fc.record({
  path: anyPath,
  hash: anyHash,
  sizeBytes: fc.maxSafeNat(),
  mtimeNs: anyNumber,
  ctimeNs: anyNumber,
  inode: anyNumber,
  mode: fc.constantFrom(0, 0o644, 0xffff, 0x1_0000),
  trusted: fc.boolean(),
  revision: fc.maxSafeNat(),
});
const anyFile: fc.Arbitrary<FileNode> = fc.record({
  kind: fc.constant('file' as const),
  hash: anyHash,
  sizeBytes: fc.maxSafeNat(),
  mtimeNs: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  ctimeNs: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  inode: fc.oneof(fc.bigInt({ min: 0n, max: 5n }), fc.constant(2n ** 64n - 1n), fc.constant(2n ** 32n)),
  mode: fc.nat(0xffff),
  trusted: fc.boolean(),
});
const anyNode: fc.Arbitrary<Node> = fc.oneof(
  { weight: 4, arbitrary: anyFile },
  fc.constant<Node>({ kind: 'directory' }),
  fc.constant<Node>({ kind: 'blocked', reason: 'symlink', detail: 'a link' }),
);
const size = { minLength: 1, maxLength: 300, size: 'max' } as const;

function check<Step>(step: fc.Arbitrary<Step>, run: (steps: readonly Step[]) => void): void {
  const seed = Number(process.env.MOORING_TEST_SEED ?? Date.now() % 2 ** 31);
  console.log(`seed ${seed}`);
  fc.assert(fc.property(fc.array(step, size), run), { seed, numRuns: scaled(150, 20_000) });
}

it('gives a path one row for as long as it is there, and lists the rows of a directory in their order', () => {
  check(fc.record({ path: anyPath, gone: fc.boolean() }), (steps) => {
    const rows = new PathRows();
    const model = new Map<string, number>();
    for (const { path, gone } of steps) {
      const row = rows.find(path);
      expect(row).toBe(model.get(path) ?? noRow);
      if (!gone) model.set(path, rows.add(path));
      else if (row !== noRow) {
        rows.remove(row);
        model.delete(path);
      }
    }
    expect(rows.size).toBe(model.size);
    expect([...rows.rows()].map((row) => rows.pathOf(row)).sort()).toEqual([...model.keys()].sort());
    for (const [path, row] of model) {
      expect(rows.find(path)).toBe(row);
      expect(rows.pathOf(row)).toBe(path);
      const siblings = [...model.keys()].filter((other) => parentOf(other) === parentOf(path));
      expect([...rows.rowsIn(parentOf(path) ?? '/')].map((sibling) => rows.nameOf(sibling))).toEqual(
        siblings.map(nameOf),
      );
      expect(rows.countIn(parentOf(path) ?? '/')).toBe(siblings.length);
    }
  });
});

it('keeps the order, the rows and the names of many paths while it grows, and uses what was removed again', () => {
  const rows = new PathRows();
  const pathOf = (n: number) => `/d${n % 97}/file-${n}-${'日'.repeat(n % 3)}`;
  const rowOf: number[] = [];
  for (let n = 0; n < 20_000; n += 1) rowOf.push(rows.add(pathOf(n)));
  for (let n = 0; n < 20_000; n += 2) rows.remove(rows.find(pathOf(n)));
  for (let n = 20_000; n < 40_000; n += 1) rowOf.push(rows.add(pathOf(n)));
  expect(Math.max(...rowOf)).toBeLessThan(31_000);
  for (let n = 0; n < 40_000; n += 1) {
    const isGone = n < 20_000 && n % 2 === 0;
    if (rows.find(pathOf(n)) !== (isGone ? noRow : rowOf[n])) throw new Error(pathOf(n));
    if (!isGone && rows.pathOf(rowOf[n] ?? noRow) !== pathOf(n)) throw new Error(pathOf(n));
  }
});

it('answers the rows of the base as they were set', () => {
  check(fc.record({ row: anyRow, gone: fc.boolean() }), (steps) => {
    const table = new BaseTable();
    const model = new Map<string, BaseRow>();
    for (const { row, gone } of steps) {
      if (gone) {
        table.delete(row.path);
        model.delete(row.path);
      } else {
        table.set(row);
        model.set(row.path, row);
      }
      expect(table.get(row.path)).toEqual(model.get(row.path) ?? null);
    }
    expect(table.size).toBe(model.size);
    expect([...table.paths()].sort()).toEqual([...model.keys()].sort());
    for (const { row } of steps) {
      const expected = model.get(row.path) ?? null;
      expect(table.get(row.path)).toEqual(expected);
      expect(table.has(row.path)).toBe(expected !== null);
      expect(table.hasRevision(row.path, row.hash, row.revision)).toBe(
        expected?.hash === row.hash && expected.revision === row.revision,
      );
      if (expected !== null) {
        expect(table.hasRevision(row.path, expected.hash, expected.revision)).toBe(true);
        expect(table.hasRevision(row.path, expected.hash, expected.revision + 1)).toBe(false);
      }
    }
  });
});

/** What the local tree was before it had columns: a Map of names for each directory. */
class ModelTree {
  readonly nodes = new Map<string, Node>();
  readonly byInode = new Map<bigint, string>();

  set(path: string, node: Node): void {
    const parent = parentOf(path);
    if (parent === null) return;
    this.#unindex(path);
    if (parent !== '/' && this.below(parent).length === 0 && !this.nodes.has(parent))
      this.set(parent, { kind: 'directory' });
    this.nodes.set(path, node);
    if (node.kind === 'file') this.byInode.set(node.inode, path);
  }

  delete(path: string): void {
    for (const gone of [path, ...this.below(path)]) {
      this.#unindex(gone);
      this.nodes.delete(gone);
    }
  }

  below(path: string): readonly string[] {
    return [...this.nodes.keys()].filter((other) => other.startsWith(path === '/' ? '/' : `${path}/`));
  }

  children(directory: string): readonly string[] {
    return [...this.nodes.keys()].filter((path) => parentOf(path) === directory);
  }

  #unindex(path: string): void {
    const node = this.nodes.get(path);
    if (node?.kind === 'file' && this.byInode.get(node.inode) === path) this.byInode.delete(node.inode);
  }
}

it('answers what was seen in the folder as it was seen, by path, directory and inode', () => {
  check(
    fc.record({ path: anyPath, node: anyNode, verb: fc.constantFrom('set', 'set', 'delete') }),
    (steps) => {
      const tree = new LocalTree();
      const model = new ModelTree();
      for (const { path, node, verb } of steps) {
        if (verb === 'set') {
          tree.set(path, node);
          model.set(path, node);
        } else {
          tree.delete(path);
          model.delete(path);
        }
        if (node.kind === 'file') expect(tree.pathOfInode(node.inode)).toBe(model.byInode.get(node.inode));
      }
      for (const path of ['/', ...steps.map((step) => step.path), ...model.nodes.keys()])
        expectSame(tree, model, path);
      expect([...tree.leaves('/')].sort()).toEqual(
        [...model.nodes].flatMap(([path, { kind }]) => (kind === 'directory' ? [] : [path])).sort(),
      );
    },
  );
});

function expectSame(tree: LocalTree, model: ModelTree, path: string): void {
  const node = path === '/' ? { kind: 'directory' } : model.nodes.get(path);
  expect(tree.get(path)).toEqual(node);
  const children = model.children(path);
  expect(tree.names(path)).toEqual(children.map(nameOf));
  expect(tree.hasChildren(path)).toBe(children.length > 0);
  const present = new Set(['new', ...children.map(nameOf).filter((_, at) => at % 2 === 0)]);
  expect(tree.namesMissing(path, present)).toEqual(children.map(nameOf).filter((name) => !present.has(name)));
  expect(tree.namesMissing(path, new Set(['new', ...children.map(nameOf)]))).toEqual([]);
  expect(tree.subdirectories(path)).toEqual(
    children.filter((child) => model.nodes.get(child)?.kind === 'directory'),
  );
  const row = path === '/' ? noRow : tree.trustedFile(path);
  const seen = model.nodes.get(path);
  expect(row !== noRow).toBe(seen?.kind === 'file' && seen.trusted);
  if (row === noRow || seen?.kind !== 'file') return;
  expect(tree.isSameFile(row, seen)).toBe(true);
  expect(tree.isSameFile(row, { ...seen, ctimeNs: seen.ctimeNs ^ 1n })).toBe(false);
  expect(tree.isSameFile(row, { ...seen, inode: seen.inode ^ 1n })).toBe(false);
  expect(tree.isSameFile(row, { ...seen, sizeBytes: seen.sizeBytes + 1 })).toBe(false);
}

const scannedFile: fc.Arbitrary<FolderFile> = fc
  .tuple(anyFile, fc.stringMatching(/^[0-9a-f]{64}$/))
  .map(([file, hash]) => folderFile({ ...file, hash }));
const anyEntry: fc.Arbitrary<FolderChange['entry']> = fc.oneof(
  { weight: 4, arbitrary: scannedFile },
  fc.constantFrom<FolderChange['entry']>(
    null,
    { kind: 'directory' },
    { kind: 'blocked', reason: 'symlink', detail: 'a link' },
  ),
);

it('lists the changes of a scan as they were found, also after they crossed to another thread', () => {
  check(fc.record({ path: anyPath, entry: anyEntry }), (some) => {
    // More than stay objects: the list packs them.
    const changes = Array.from(
      { length: 2048 + some.length },
      (_, n) => some[n % some.length] as FolderChange,
    );
    for (const found of [some, changes]) {
      const list = new ChangeList();
      list.addAll(found);
      expect([...list]).toEqual(found);
      const { packed, open } = structuredClone(list.parts);
      const crossed = new ChangeList(packed, open);
      expect(crossed.length).toBe(found.length);
      expect([...crossed]).toEqual(found);
    }
  });
}, 180_000);

it('keeps the files that a scan will read as they were listed', () => {
  check(fc.record({ path: anyPath, file: anyFile, gone: fc.boolean() }), (steps) => {
    const files = new FilesToRead();
    const model = new Map<string, object>();
    for (const { path, file, gone } of steps) {
      const { sizeBytes, mtimeNs, ctimeNs, inode } = file;
      expect(gone ? files.take(path) : undefined).toEqual(gone ? model.get(path) : undefined);
      model.delete(path);
      if (gone) continue;
      files.set(path, file);
      model.set(path, { sizeBytes, mtimeNs, ctimeNs, inode });
    }
    expect(files.size).toBe(model.size);
    expect(new Map(files.takeAll())).toEqual(model);
    expect(files.size).toBe(0);
  });
});

it('answers what the folder has other than the base as it was set', () => {
  check(fc.record({ path: anyPath, entry: anyEntry, gone: fc.boolean() }), (steps) => {
    const differences = new FolderDifferences();
    const model = new Map<string, FolderChange['entry']>();
    for (const { path, entry, gone } of steps) {
      if (gone) differences.delete(path);
      else differences.set(path, entry);
      if (gone) model.delete(path);
      else model.set(path, entry);
      expect(differences.get(path)).toEqual(model.get(path));
    }
    expect(differences.size).toBe(model.size);
    expect([...differences.paths()].sort()).toEqual([...model.keys()].sort());
    for (const { path } of steps) expect(differences.has(path)).toBe(model.has(path));
  });
});

it('gives the columns of many differences back once there are none', () => {
  const differences = new FolderDifferences();
  const file = folderFile({
    kind: 'file',
    hash: 'a'.repeat(64),
    sizeBytes: 1,
    mtimeNs: 1n,
    ctimeNs: 1n,
    inode: 1n,
    mode: 0,
    trusted: true,
  });
  for (let round = 0; round < 2; round += 1) {
    for (let n = 0; n < 1500; n += 1) differences.set(`/f${n}`, file);
    expect(differences.get('/f7')).toEqual(file);
    for (let n = 0; n < 1500; n += 1) {
      differences.delete(`/f${n}`);
      if (n < 1499) expect(differences.get('/f1499')).toEqual(file);
    }
    expect([differences.size, differences.get('/f7')]).toEqual([0, undefined]);
  }
});
