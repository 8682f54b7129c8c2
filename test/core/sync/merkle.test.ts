import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePaths, parentOf } from '../../../server/core/paths/path.ts';
import {
  differingDirectories,
  type MerkleTree,
  merkleTree,
  OwnFilesCollector,
} from '../../../server/core/sync/merkle.ts';
import { sha256Hex } from '../../../server/platform/crypto/hashes.ts';

type Tree = ReadonlyMap<string, string>;

/** Names that sort around the slash, and ones that hold what stands between two lines of a digest. */
const segment = fc.constantFrom('a', 'a!', 'a.b', 'a0', 'b', 'ü', '\u{1f600}', 'x\ny');
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join('/')}`);
const hash = fc.constantFrom('0a', '0b', '0c');
const tree = fc.array(fc.tuple(path, hash), { maxLength: 12 }).map((files): Tree => new Map(files));

function merkleOf(files: Iterable<readonly [string, string]>): MerkleTree {
  return treeOf([...files].sort(([left], [right]) => comparePaths(left, right)));
}

function treeOf(files: Iterable<readonly [string, string]>): MerkleTree {
  const own = new OwnFilesCollector(sha256Hex);
  for (const [file, content] of files) own.add(file, content, 1);
  return merkleTree(own.finish(), sha256Hex);
}

/** As a walk comes by them that lists a directory whole and then goes into the last one that it found. */
function walked(files: Tree): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  const open = ['/'];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const prefix = at === '/' ? '/' : `${at}/`;
    const inside = [...files].filter(([file]) => file.startsWith(prefix));
    found.push(...inside.filter(([file]) => parentOf(file) === at));
    const below = inside
      .map(([file]) => file.slice(prefix.length).split('/'))
      .filter(({ length }) => length > 1);
    open.push(...new Set(below.map(([name]) => prefix + name)));
  }
  return found;
}

function isEqual(left: Tree, right: Tree): boolean {
  return left.size === right.size && [...left].every(([file, content]) => right.get(file) === content);
}

function differing(left: Tree, right: Tree): ReadonlySet<string> {
  const paths = [...new Set([...left.keys(), ...right.keys()])];
  return new Set(paths.filter((one) => left.get(one) !== right.get(one)).map((one) => parentOf(one) ?? '/'));
}

describe('a Merkle tree of files', () => {
  it('has the same root exactly when the trees are equal, listed by path or walked through', () => {
    fc.assert(
      fc.property(tree, tree, (left, right) => {
        expect(treeOf(walked(left))).toEqual(merkleOf(left));
        expect(merkleOf(left).root === merkleOf(right).root).toBe(isEqual(left, right));
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses files of one directory in two parts', () => {
    const files = [
      ['/a/1', '0a'],
      ['/b/1', '0a'],
      ['/a/2', '0a'],
    ] as const;
    expect(() => treeOf(files)).toThrow('the files of /a were given in two parts');
  });

  it('leads to every directory in which files differ, and to no other', () => {
    fc.assert(
      fc.property(tree, tree, tree, (one, two, three) => {
        const found = differingDirectories([one, two, three].map(merkleOf), Number.POSITIVE_INFINITY);
        expect(new Set(found)).toEqual(new Set([...differing(one, two), ...differing(two, three)]));
      }),
      { numRuns: 2000 },
    );
  });

  it('finds a single difference in a large tree without going into what is equal', () => {
    const files = new Map<string, string>();
    for (let d = 0; d < 50; d += 1) for (let f = 0; f < 20; f += 1) files.set(`/d${d}/e/f${f}`, '0a');
    const changed = new Map(files).set('/d7/e/f3', '0b');
    expect(differingDirectories([merkleOf(files), merkleOf(changed)], 10)).toEqual(['/d7/e']);
    expect(merkleOf(files)).toMatchObject({ files: 1000, bytes: 1000 });
  });

  it('stops at the limit', () => {
    const left = new Map(Array.from({ length: 30 }, (_, index) => [`/d${index}/f`, '0a'] as const));
    expect(differingDirectories([merkleOf(left), merkleOf([])], 5)).toHaveLength(5);
  });
});
