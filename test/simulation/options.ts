// What kind of machine, disk and people a run has.
import type { SeededRandom } from '../support/trees.ts';
import type { DiskNames } from './disk.ts';

/** Not drawn, so that every third seed has it. */
const inPiecesOneIn = 3;
/** Nor this: runs in which files are emptied all the time. */
const truncatesOneIn = 9;

/** Not drawn either: of seven seeds two have a disk of another system. */
const namesOfSeed: readonly DiskNames[] = [
  'bytes',
  'bytes',
  'bytes',
  'folding',
  'bytes',
  'bytes',
  'decomposing',
];

export interface RunOptions {
  /** Of the times that the disk stamps. */
  readonly grainMs: number;
  readonly reusesInodes: boolean;
  readonly names: DiskNames;
  /** 0: no hints at all. */
  readonly hintsLostOneIn: number;
  /** How long a system call takes. */
  readonly callMs: number;
  readonly personBetweenOneIn: number;
  /** 0: the disk refuses nothing. */
  readonly refusedOneIn: number;
  readonly crashes: number;
  readonly folderActs: number;
  readonly workspaceActs: number;
  readonly thinkMs: readonly number[];
  readonly rootGoesAway: boolean;
  readonly clockJumps: boolean;
  /** Almost every file is a large one. */
  readonly inPieces: boolean;
  /** Programs truncate files, one or all. */
  readonly truncates: boolean;
}

export function drawOptions({ pick, below }: SeededRandom, seed: number): RunOptions {
  return {
    grainMs: pick([0.001, 4, 4, 10, 1000, 2000]),
    reusesInodes: below(2) === 0,
    hintsLostOneIn: pick([2, 10, 10, 100, 0]),
    callMs: pick([0, 0.01, 0.01, 0.3, 4]),
    personBetweenOneIn: pick([4, 20, 100]),
    refusedOneIn: pick([0, 0, 0, 400, 60]),
    crashes: below(5),
    folderActs: 4 + below(28),
    workspaceActs: 4 + below(28),
    thinkMs: pick([
      [0, 5, 40],
      [0, 5, 40, 400, 2500],
      [1, 70, 3000, 35_000],
    ]),
    rootGoesAway: below(12) === 0,
    clockJumps: below(10) === 0,
    inPieces: seed % inPiecesOneIn === 0,
    truncates: seed % truncatesOneIn === 0,
    names: namesOfSeed[seed % namesOfSeed.length] ?? 'bytes',
  };
}
