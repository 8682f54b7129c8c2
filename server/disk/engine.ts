// One mirrored folder on one disk: scan, read, write, recover. The same code runs in the worker thread on the real disk and,
// in the whole-engine tests, on a simulated one. Requests run one after the other; between two files it lets its thread
// breathe. It never decides what should be where.
import { parentOf } from '../core/path.ts';
import { DirtySet } from './dirty-set.ts';
import type { DiskTime, FileSystem } from './file-system.ts';
import type {
  FilePiece,
  FolderOperation,
  OpenFolder,
  OperationOutcome,
  PieceRequest,
  ProofRequest,
  ProofSlice,
  ReadOutcome,
  ReadRequest,
  RecoverIntent,
  RehashSlice,
  RootState,
  ScanProgress,
  ScanResult,
} from './folder.ts';
import { Ground } from './ground.ts';
import { IgnoreRules } from './ignore.ts';
import { fileNode, LocalTree } from './local-tree.ts';
import { folds, type NameRules } from './names.ts';
import { OpenedRoot } from './opened-root.ts';
import { dropPieces, writePiece } from './pieces.ts';
import { Proving } from './proving.ts';
import { readPiece } from './read-file.ts';
import { readFiles } from './reads.ts';
import { recoverAll } from './recovery.ts';
import { type Refused, refused } from './refusal.ts';
import { namesUnseen, probeNames, writeMarker } from './root.ts';
import { Scan } from './scanner.ts';
import { SecondLooks } from './second-looks.ts';
import { type NameHint, SettleTable } from './settle.ts';
import { Turns } from './turns.ts';
import { Unfinished } from './unfinished.ts';
import { Untold } from './untold.ts';
import { WriteBatch } from './writer.ts';

/** How often a long scan tells how far it is. */
const scanToldMs = 250;
/** Between two tries to make a directory durable. */
const syncAgainMs = 1000;

export interface EngineOptions {
  readonly fs: FileSystem;
  readonly time: DiskTime;
  /** Resolves when the thread has served what waits. */
  readonly breathe: () => Promise<void>;
  readonly isWindows: boolean;
  /** Told now and then while a scan takes long. */
  readonly onScanProgress?: (progress: ScanProgress) => void;
}

export class FolderEngine {
  readonly #options: EngineOptions;
  readonly #dirty = new DirtySet();
  readonly #settle = new SettleTable();
  readonly #secondLooks = new SecondLooks();
  #tree = new LocalTree();
  #ignore = new IgnoreRules();
  #root: OpenedRoot;
  #fileBytesMax = 0;
  #folds = false;
  #untold = new Untold();
  #proving: Proving | null = null;
  #unfinished: Unfinished;
  readonly #turns: Turns;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#turns = new Turns(options.time, options.breathe);
    this.#root = new OpenedRoot(options.fs, '');
    this.#unfinished = new Unfinished(options.fs, '');
  }

  get dirty(): DirtySet {
    return this.#dirty;
  }

  ignores(path: string): boolean {
    return this.#ignore.ignores(path, true);
  }

  hint(directory: string, name: string | null, hint: NameHint): void {
    this.#dirty.add(directory, name, hint, this.#options.time.monotonicMs());
  }

  open(options: OpenFolder): Promise<{ root: RootState; names: NameRules }> {
    return this.#turns.take(async () => {
      this.#root = new OpenedRoot(this.#options.fs, options.root);
      this.#fileBytesMax = options.fileBytesMax;
      this.#tree = LocalTree.from(options.known);
      this.#ignore = new IgnoreRules();
      this.#settle.clear();
      this.#untold = new Untold();
      // What is open in the journal is made durable by its replay.
      this.#unfinished = new Unfinished(this.#options.fs, options.root);
      this.#proving = null;
      const root = this.#root.open();
      const { fs, isWindows } = this.#options;
      const names =
        root.kind === 'present' ? probeNames(fs, options.root, isWindows) : namesUnseen(isWindows);
      this.#folds = folds(names);
      return { root, names };
    });
  }

  scan(scope: 'full' | 'dirty'): Promise<ScanResult> {
    return this.#turns.take(async () => {
      const { time, fs } = this.#options;
      const startMs = time.monotonicMs();
      const root = this.#root.look();
      if (root.kind !== 'present') return this.#nothingSeen(root);
      // What is known is known of the opened one, and must be still when that comes back.
      if (this.#root.isOther(root)) return this.#nothingSeen(root);
      this.#unfinished.tryAgain();
      const taken = this.#dirty.take();
      const full = scope === 'full' || taken.full;
      const scan = new Scan(
        {
          fs,
          time,
          root: this.#root.path,
          tree: this.#tree,
          ignore: this.#ignore,
          settle: this.#settle,
          fileBytesMax: this.#fileBytesMax,
          youngDirectories: this.#secondLooks.waiting,
          folds: this.#folds,
        },
        full ? 'full' : this.#placesToLook(taken.directories, startMs),
        taken.hints,
      );
      this.#settle.beginScan();
      let toldMs = startMs;
      await this.#turns.run(scan.run(), () => {
        if (time.monotonicMs() - toldMs < scanToldMs) return;
        toldMs = time.monotonicMs();
        this.#options.onScanProgress?.(scan.progress);
      });
      this.#settle.endScan();
      // A root that was exchanged while it was scanned: what was seen belongs to no single folder.
      const { after, exchanged } = this.#root.exchangedSince(root);
      const found = this.#untold.takeWith(scan);
      if (exchanged || scan.rootFailure !== null) {
        this.#dirty.markFull();
        this.#untold.keep(found);
        return this.#nothingSeen(
          scan.rootFailure === null ? after : { kind: 'unreadable', detail: scan.rootFailure },
        );
      }
      this.#secondLooks.add(scan.newDirectories, time.monotonicMs());
      return {
        root,
        changes: found.changes,
        ignoreFiles: found.ignoreChanged ? this.#ignore.files() : null,
        unsettled: [...this.#settle.paths(), ...this.#unfinished.paths],
        undurable: [...this.#unfinished.paths],
        arriving: this.#settle.arriving,
        recheckInMs: this.#recheckInMs(),
        durationMs: time.monotonicMs() - startMs,
      };
    });
  }

  read(requests: readonly ReadRequest[]): Promise<readonly ReadOutcome[]> {
    return this.#turns.take(async () => {
      const outcomes = await this.#turns.run(readFiles(this.#options.fs, this.#root.path, requests));
      for (const [index, { path }] of requests.entries())
        if (outcomes[index]?.ok !== true) this.hint(parentOf(path) ?? '/', null, 'renamed');
      return outcomes;
    });
  }

  readPiece({ path, expected, position, bytesMax }: PieceRequest): Promise<ReadOutcome> {
    return this.#turns.take(async () => {
      const bytes = readPiece(
        this.#options.fs,
        this.#root.path + path,
        fileNode(expected),
        position,
        bytesMax,
      );
      if (bytes !== null) return { ok: true, bytes };
      this.hint(parentOf(path) ?? '/', null, 'renamed');
      return { ok: false };
    });
  }

  writePiece(piece: FilePiece): Promise<OperationOutcome> {
    return this.#turns.take(async () => {
      if (!this.#root.isPlanned()) return piece.position === 0 ? otherRoot() : this.#outOfReach(piece);
      const { outcome, unsynced } = writePiece(this.#ground(), piece);
      for (const directory of unsynced) this.#unfinished.addDirectory(directory);
      if (!outcome.ok) this.hint(parentOf(piece.path) ?? '/', null, 'renamed');
      return outcome;
    });
  }

  dropPieces(path: string, tempName: string): Promise<boolean> {
    return this.#turns.take(async () => {
      const dropped = this.#root.isPlanned() && dropPieces(this.#ground(), path, tempName);
      if (!dropped) this.#unfinished.addTemp(path, tempName);
      return dropped;
    });
  }

  apply(operations: readonly FolderOperation[]): Promise<readonly OperationOutcome[]> {
    return this.#turns.take(async () => {
      if (!this.#root.isPlanned())
        return operations.map((operation) =>
          // Its pieces lie in the folder that went away.
          operation.kind === 'put' && operation.bytes === null ? this.#outOfReach(operation) : otherRoot(),
        );
      const batch = new WriteBatch(this.#ground());
      const below = operations.map((operation) =>
        operation.kind === 'move_aside'
          ? [operation.path, ...this.#tree.leaves(operation.path)]
          : [operation.path],
      );
      const outcomes = this.#withLeftovers(operations, await this.#turns.run(batch.run(operations)));
      for (const [index, operation] of operations.entries()) {
        const failed = outcomes[index]?.ok === false;
        const movedAside = operation.kind !== 'remove' && operation.asidePath !== null;
        if (failed || movedAside) this.hint(parentOf(operation.path) ?? '/', null, 'renamed');
        if (failed) this.#untold.keepHalfDone(this.#tree, operation, below[index] ?? []);
        if (outcomes[index]?.ok === false && outcomes[index].unfinished === true)
          this.#unfinished.addOperation(operation);
      }
      for (const directory of batch.unsynced) this.#unfinished.addDirectory(directory);
      return outcomes;
    });
  }

  recover(intents: readonly RecoverIntent[]): Promise<readonly boolean[]> {
    return this.#turns.take(async () => recoverAll(this.#options.fs, this.#root.path, intents));
  }

  mark(markerId: string): Promise<void> {
    return this.#turns.take(async () => {
      writeMarker(this.#options.fs, this.#root.path, markerId);
      this.#root.open();
    });
  }

  prove(request: ProofRequest | null): Promise<ProofSlice> {
    return this.#turns.take(async () => {
      if (this.#root.isOpened()) return this.#provingHere().list(request);
      const proof = {
        ownFiles: new Map(),
        files: [],
        hashedFiles: 0,
        hashedBytes: 0,
        unreadable: [],
        isMoving: true,
      };
      return { proof, tookMs: 0 };
    });
  }

  rehash(): Promise<RehashSlice> {
    return this.#turns.take(async () => {
      if (this.#root.isOpened()) return this.#provingHere().rehash();
      return { files: 0, bytes: 0, suspects: [], ended: false, tookMs: 0 };
    });
  }

  #provingHere(): Proving {
    this.#proving ??= new Proving(this.#options.time, {
      fs: this.#options.fs,
      root: this.#root.path,
      tree: this.#tree,
      ignore: this.#ignore,
      fileBytesMax: this.#fileBytesMax,
    });
    return this.#proving;
  }

  #ground(): Ground {
    return new Ground(this.#options.fs, this.#tree, this.#root.path, this.#folds);
  }

  /** The root went away meanwhile: where the temporary files are nobody knows, until it is back. */
  #withLeftovers(
    operations: readonly FolderOperation[],
    outcomes: readonly OperationOutcome[],
  ): readonly OperationOutcome[] {
    if (this.#root.isPlanned()) return outcomes;
    return outcomes.map((outcome, index) => {
      const operation = operations[index];
      if (outcome.ok || operation?.kind !== 'put') return outcome;
      this.#unfinished.addTemp(operation.path, operation.tempName);
      return { ...outcome, unfinished: true };
    });
  }

  #outOfReach({ path, tempName }: Pick<FilePiece, 'path' | 'tempName'>): OperationOutcome {
    this.#unfinished.addTemp(path, tempName);
    return { ...otherRoot(), unfinished: true };
  }

  #placesToLook(hinted: readonly string[], monotonicMs: number): readonly string[] {
    const places = new Set(hinted);
    for (const path of this.#settle.paths()) places.add(parentOf(path) ?? '/');
    for (const directory of this.#secondLooks.takeDue(monotonicMs)) places.add(directory);
    return [...places];
  }

  #recheckInMs(): number | null {
    const nowMs = this.#options.time.monotonicMs();
    const waits = [
      this.#settle.dueInMs(nowMs),
      this.#secondLooks.dueInMs(nowMs),
      this.#unfinished.paths.size > 0 ? syncAgainMs : null,
    ].filter((waitMs) => waitMs !== null);
    return waits.length === 0 ? null : Math.min(...waits);
  }

  #nothingSeen(root: RootState): ScanResult {
    return {
      root,
      changes: [],
      ignoreFiles: null,
      unsettled: [],
      undurable: [],
      arriving: 0,
      recheckInMs: null,
      durationMs: 0,
    };
  }
}

function otherRoot(): Refused {
  return refused('root', 'EROOT', 'The folder is not the one that was planned for.');
}
