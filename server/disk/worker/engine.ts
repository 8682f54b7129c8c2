// One mirrored folder on one disk: scan, read, write, recover. The same code runs in the worker thread on the real disk and in the
// simulation. Requests run one after the other, in time slices.
import { joinPath, parentOf } from '../../core/paths/path.ts';
import type { DiskTime, FileSystem } from '../port/file-system.ts';
import type {
  Folder,
  OpenFolder,
  PresentRoot,
  RootState,
  ScanProgress,
  ScanResult,
  ScanScope,
} from '../port/folder.ts';
import { inspectRoot, writeMarker, writeNotes } from '../root/root.ts';
import { ProofScan } from '../scan/proof-scan.ts';
import { Scan } from '../scan/scanner.ts';
import { type NameHint, StabilityTracker } from '../scan/write-stability.ts';
import { fileNode } from '../tree/local-tree.ts';
import { readChunk, readFiles } from '../tree/read-file.ts';
import { DirtySet, NewDirectoryRescans } from '../watch/dirty-set.ts';
import { WatchCoverage } from '../watch/watch-coverage.ts';
import { recoverAll } from '../write/recovery.ts';
import { BatchApplier } from './apply-batch.ts';
import { OpenedFolder } from './open-folder.ts';
import { SerialQueue } from './serial-queue.ts';

/** How often a long scan reports its progress. */
const scanToldMs = 250;
/** More paths that the disk refuses are cheaper to scan with all others. */
const unreadableScannedMax = 1000;
/** Between two tries to make a directory durable. */
const syncAgainMs = 1000;

export interface EngineOptions {
  /** The disk below a root. */
  readonly fileSystemAt: (root: string) => FileSystem;
  readonly time: DiskTime;
  /** Resolves when the thread has served what waits. */
  readonly breathe: () => Promise<void>;
  /** Processor time of the thread so far, in milliseconds; absent: the time that passes counts. */
  readonly cpuMs?: () => number;
  readonly isWindows: boolean;
  /** Called at intervals during a long scan. */
  readonly onScanProgress?: (progress: ScanProgress) => void;
}

/** Before anything is open. */
const nowhere: OpenFolder = { root: '', known: [], fileBytesMax: 0 };

export class FolderEngine implements Omit<Folder, 'watch' | 'markDirty' | 'close'> {
  readonly #options: EngineOptions;
  readonly #dirty = new DirtySet();
  readonly #settle = new StabilityTracker();
  readonly #newDirectoryRescans = new NewDirectoryRescans();
  readonly #coverage = new WatchCoverage();
  #scannedRoot = '';
  /** Paths that the disk refused to show: it may show them later without an event. */
  readonly #unreadable = new Set<string>();
  #opened: OpenedFolder;
  #writer: BatchApplier;
  #proving: ProofScan | null = null;
  readonly #turns: SerialQueue;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#turns = new SerialQueue(options.time, options.breathe);
    this.#opened = new OpenedFolder(options.fileSystemAt(nowhere.root), nowhere);
    this.#writer = this.#writerOf(this.#opened);
  }

  get dirty(): DirtySet {
    return this.#dirty;
  }

  get coverage(): WatchCoverage {
    return this.#coverage;
  }

  ignores(path: string): boolean {
    return this.#opened.ignore.ignores(this.#opened.toldAs(path), true);
  }

  hint(directory: string, name: string | null, hint: NameHint): void {
    const opened = this.#opened;
    const at = name === null ? null : opened.toldAs(name);
    const path = opened.toldAs(directory);
    const nowMs = this.#options.time.monotonicMs();
    this.#dirty.add(path, at, hint, nowMs);
    if (at !== null && hint === 'renamed') this.#coverage.renamed(joinPath(path, at));
  }

  open: Folder['open'] = (options) =>
    this.#take(async () => {
      const { fileSystemAt, isWindows } = this.#options;
      this.#opened = new OpenedFolder(fileSystemAt(options.root), options);
      this.#writer = this.#writerOf(this.#opened);
      this.#settle.clear();
      this.#unreadable.clear();
      this.#proving = null;
      return this.#opened.open(isWindows);
    });

  scan: Folder['scan'] = (scope) =>
    this.#take(async () => {
      const { time } = this.#options;
      const { root: here, tree, ignore, unfinished } = this.#opened;
      const startMs = time.monotonicMs();
      const cpuStartMs = this.#cpuMs();
      const root = here.look();
      if (root.kind !== 'present') return this.#nothingSeen(root);
      // The known tree belongs to the opened root, and must be kept until that root is there again.
      if (here.isOther(root)) return this.#nothingSeen(root);
      unfinished.retry();
      const taken = this.#dirty.take();
      const full =
        scope === 'full' ||
        taken.full ||
        this.#isElsewhere(root) ||
        (scope === 'barrier' && !this.#isBarrierEnough());
      const allSeen = full ? this.#coverage.fullScanBegins() : () => undefined;
      const scan = this.#newScan(
        root,
        full ? 'full' : this.#placesToLook(taken.directories, startMs, scope),
        taken.hints,
      );
      this.#settle.beginScan();
      let toldMs = startMs;
      await this.#turns.runSliced(scan.run(), () => {
        if (time.monotonicMs() - toldMs < scanToldMs) return;
        toldMs = time.monotonicMs();
        this.#options.onScanProgress?.(scan.progress);
      });
      this.#settle.endScan();
      // A root that was exchanged while it was scanned: what was seen belongs to no single folder.
      const { after, exchanged } = here.exchangedSince(root);
      const delta = this.#opened.unreportedChanges.drainWith(scan);
      if (exchanged || scan.rootFailure !== null) {
        this.#dirty.markFull();
        this.#coverage.lost();
        this.#opened.unreportedChanges.keep(delta);
        return this.#nothingSeen(
          scan.rootFailure === null || exchanged ? after : { kind: 'unreadable', detail: scan.rootFailure },
        );
      }
      this.#newDirectoryRescans.add(scan.newDirectories, time.monotonicMs());
      this.#noteUnreadable(delta.changes);
      allSeen();
      // A known directory that was ignored when the watches were set has none.
      if (scan.ignoreChanged) this.#coverage.lost();
      if (full) this.#coverage.keepOnly((directory) => tree.get(directory)?.kind === 'directory');
      return {
        root,
        changes: delta.changes,
        ignoreFiles: delta.ignoreChanged ? ignore.files() : null,
        unsettled: [...this.#settle.paths(), ...unfinished.paths],
        undurable: [...unfinished.paths],
        arriving: this.#settle.arriving,
        recheckInMs: this.#recheckInMs(),
        durationMs: time.monotonicMs() - startMs,
        cpuMs: this.#cpuMs() - cpuStartMs,
        isFull: full,
        isWatched: this.#isBarrierEnough() && this.#unreadable.size === 0,
      };
    });

  read: Folder['read'] = (requests) =>
    this.#take(async () => {
      const outcomes = await this.#turns.runSliced(
        readFiles(this.#opened.fs, this.#opened.root.path, requests),
      );
      for (const [index, { path }] of requests.entries())
        if (outcomes[index]?.ok !== true) this.hint(parentOf(path) ?? '/', null, 'renamed');
      return outcomes;
    });

  readPiece: Folder['readPiece'] = ({ path, expected, position, bytesMax }) =>
    this.#take(async () => {
      const bytes = readChunk(
        this.#opened.fs,
        this.#opened.root.path + path,
        fileNode(expected),
        position,
        bytesMax,
      );
      if (bytes !== null) return { ok: true, bytes };
      this.hint(parentOf(path) ?? '/', null, 'renamed');
      return { ok: false };
    });

  writePiece: Folder['writePiece'] = (piece) => this.#take(async () => this.#writer.writePiece(piece));

  dropPieces: Folder['dropPieces'] = (path, tempName) =>
    this.#take(async () => this.#writer.dropPieces(path, tempName));

  apply: Folder['apply'] = (operations) =>
    this.#take(async () => await this.#turns.runSliced(this.#writer.apply(operations)));

  recover: Folder['recover'] = (intents) =>
    this.#take(async () => recoverAll(this.#opened.fs, this.#opened.root.path, intents));

  mark: Folder['mark'] = (markerId) =>
    this.#take(async () => {
      writeMarker(this.#opened.fs, this.#opened.root.path, markerId);
      this.#opened.root.open();
    });

  writeNotes: Folder['writeNotes'] = (notes) =>
    this.#take(async () => {
      const { fs, root } = this.#opened;
      const state = inspectRoot(fs, root.path);
      // Where the mirror was removed, the marker is gone and nothing may be created again.
      if (!root.isOpened() || state.kind !== 'present' || state.markerId === null) return false;
      writeNotes(fs, root.path, notes, this.#options.isWindows);
      return true;
    });

  prove: Folder['prove'] = (request) =>
    this.#take(async () => {
      if (this.#opened.root.isOpened()) return this.#provingHere().list(request);
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

  rehash: Folder['rehash'] = () =>
    this.#take(async () => {
      if (this.#opened.root.isOpened()) return this.#provingHere().rehash();
      return { files: 0, bytes: 0, suspects: [], ended: false, tookMs: 0 };
    });

  #newScan(
    root: PresentRoot,
    places: ConstructorParameters<typeof Scan>[1],
    hints: ConstructorParameters<typeof Scan>[2],
  ): Scan {
    const { fs, root: here, tree, ignore, fileBytesMax, folds } = this.#opened;
    return new Scan(
      {
        fs,
        time: this.#options.time,
        root: here.path,
        device: BigInt(root.device),
        tree,
        ignore,
        settle: this.#settle,
        fileBytesMax,
        youngDirectories: this.#newDirectoryRescans.waiting,
        folds,
        replaced: this.#coverage.takeReplaced(),
        onNewDirectory: (directory) => this.#coverage.found(directory),
      },
      places,
      hints,
    );
  }

  /** In its turn; between two requests nothing of the folder is open, so that its disk can be taken away. */
  #take<T>(act: () => Promise<T>): Promise<T> {
    return this.#turns.enqueue(async () => {
      try {
        return await act();
      } finally {
        this.#opened.fs.closeDirectories();
      }
    });
  }

  #cpuMs(): number {
    return this.#options.cpuMs?.() ?? this.#options.time.monotonicMs();
  }

  /** The disk was mounted again, or a copy with the same marker is in the place of the root: its watches are gone. */
  #isElsewhere({ device, inode }: PresentRoot): boolean {
    const root = `${device} ${inode}`;
    const isNew = this.#scannedRoot !== '' && this.#scannedRoot !== root;
    this.#scannedRoot = root;
    if (isNew) this.#coverage.lost();
    return isNew;
  }

  #isBarrierEnough(): boolean {
    // An event may spell a name otherwise than a disk that folds names.
    return this.#coverage.isComplete && !this.#opened.folds && this.#unreadable.size <= unreadableScannedMax;
  }

  #noteUnreadable(changes: ScanResult['changes']): void {
    for (const { path, entry } of changes)
      if (entry?.kind === 'blocked' && entry.reason === 'unreadable') this.#unreadable.add(path);
    for (const path of this.#unreadable) {
      const node = this.#opened.tree.get(path);
      if (node?.kind !== 'blocked' || node.reason !== 'unreadable') this.#unreadable.delete(path);
    }
  }

  #provingHere(): ProofScan {
    this.#proving ??= new ProofScan(this.#options.time, {
      fs: this.#opened.fs,
      root: this.#opened.root.path,
      tree: this.#opened.tree,
      ignore: this.#opened.ignore,
      fileBytesMax: this.#opened.fileBytesMax,
    });
    return this.#proving;
  }

  #writerOf(opened: OpenedFolder): BatchApplier {
    return new BatchApplier({
      opened,
      onSurprise: (directory) => this.hint(directory, null, 'renamed'),
    });
  }

  #placesToLook(hinted: readonly string[], monotonicMs: number, scope: ScanScope): readonly string[] {
    const places = new Set(hinted);
    if (scope === 'barrier') for (const path of this.#unreadable) places.add(path).add(parentOf(path) ?? '/');
    for (const path of this.#settle.paths()) places.add(parentOf(path) ?? '/');
    for (const directory of this.#newDirectoryRescans.takeDue(monotonicMs)) places.add(directory);
    return [...places];
  }

  #recheckInMs(): number | null {
    const nowMs = this.#options.time.monotonicMs();
    const waits = [
      this.#settle.dueInMs(nowMs),
      this.#newDirectoryRescans.dueInMs(nowMs),
      this.#opened.unfinished.paths.size > 0 ? syncAgainMs : null,
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
      cpuMs: 0,
      isFull: false,
      isWatched: false,
    };
  }
}
