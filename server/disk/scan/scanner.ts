// Scans the folder and compares it with the tree: lists directories, examines every name without following links, and reads only
// files whose identity does not prove that they are unchanged (docs/sync-rules.md#3 to docs/sync-rules.md#5). It changes nothing
// on the disk.
import { ancestorsOf, joinPath, nameOf, parentOf, parseWritePath } from '../../core/paths/path.ts';
import { noRow } from '../../core/paths/row-slots.ts';
import { ignoreFileName } from '../names/ignore.ts';
import { errorCode, type FileStat } from '../port/file-system.ts';
import type { BlockedReason, FolderEntry, ScanProgress } from '../port/folder.ts';
import { ChangeList } from '../tree/change-list.ts';
import {
  directoryNode,
  type FileNode,
  folderFile,
  type Identity,
  type Node,
  sameIdentity,
} from '../tree/local-tree.ts';
import { hashFile } from '../tree/read-file.ts';
import { FilesToRead } from './files-to-read.ts';
import { classifyMissing, dropBelow, replaceDirectory } from './missing-paths.ts';
import { exactLook, type Hints, readRules, type ScanContext } from './scan-context.ts';
import { ScanQueue } from './scan-queue.ts';

/** A file touched this shortly before it was hashed may change again without a trace (racy-clean, rule 5). */
const racyMs = 2000;

/** Names per step; between two steps its thread does other work. */
const namesPerStep = 64;

/** How often one scan repeats a listing because its directory was exchanged meanwhile: a program may do that without end. */
const exchangedMax = 100;

interface Amount {
  readonly files: number;
  readonly bytes: number;
}

/** One scan. `run` is a generator that yields between files and directories, so that its thread can breathe. */
export class Scan {
  readonly changes = new ChangeList();
  /** Directories that were not known before: their watches may have come too late. */
  readonly newDirectories: string[] = [];
  ignoreChanged = false;
  /** Why the root could not be listed: then nothing is known of what is below. */
  rootFailure: string | null = null;
  readonly #context: ScanContext;
  readonly #hints: Hints;
  readonly #queue: ScanQueue;
  readonly #exactly: (path: string) => FileStat | null;
  readonly #missing: string[] = [];
  /** Files at rest whose identity does not prove that they are unchanged, as they were listed. */
  readonly #toRead = new FilesToRead();
  #isListing = true;
  #exchanged = 0;
  #found: Amount = { files: 0, bytes: 0 };
  #read: Amount = { files: 0, bytes: 0 };
  /** Inodes met under a name that is new for them: what was renamed is not gone. */
  readonly #arrived = new Set<bigint>();

  constructor(context: ScanContext, scope: 'full' | readonly string[], hints: Hints) {
    this.#context = context;
    this.#hints = hints;
    this.#queue = new ScanQueue(scope);
    this.#exactly = exactLook(context);
  }

  get progress(): ScanProgress {
    return { done: this.#read, total: this.#isListing ? null : this.#found };
  }

  *run(): Generator<undefined, void> {
    yield* this.#look();
    if (this.#missing.length > 0) {
      // What is missing may have been moved there, and would else look deleted first and new later.
      for (const directory of this.#context.youngDirectories) this.#queue.addAgain(directory);
      yield* this.#look();
    }
    const { changes, ignoreChanged } = classifyMissing(this.#context, {
      missing: this.#missing,
      arrived: this.#arrived,
    });
    this.changes.addAll(changes);
    this.ignoreChanged = ignoreChanged || this.ignoreChanged;
  }

  *#look(): Generator<undefined, void> {
    while (!this.#queue.isEmpty || this.#toRead.size > 0) {
      yield* this.#list();
      yield* this.#readFound();
    }
  }

  *#list(): Generator<undefined, void> {
    this.#isListing = true;
    for (let next = this.#queue.next(); next !== undefined; next = this.#queue.next()) {
      yield* this.#directory(next.directory, next.deep);
      yield;
    }
    this.#isListing = false;
    const { size, bytes } = this.#toRead;
    this.#found = { files: this.#found.files + size, bytes: this.#found.bytes + bytes };
  }

  /** After the listing, so that it is known how much there is to read. A file changed since then no longer matches the listing. */
  *#readFound(): Generator<undefined, void> {
    for (const [path, stat] of this.#toRead.takeAll()) {
      const node = this.#context.tree.get(path);
      this.#hash(path, stat, node?.kind === 'file' ? node : null);
      this.#read = { files: this.#read.files + 1, bytes: this.#read.bytes + stat.sizeBytes };
      yield;
    }
  }

  *#directory(directory: string, deep: boolean): Generator<undefined, void> {
    const { fs, ignore, tree } = this.#context;
    if (directory !== '/' && ignore.ignores(directory, true)) return;
    const before = tree.get(directory);
    if (before === undefined || before.kind === 'file' || !this.#isRealDirectory(directory, deep)) {
      // New, gone, or of another kind than before: the parent's listing shows which, and queues it again if need be.
      this.#queue.undo(directory);
      this.#queue.addParentAgain(directory);
      return;
    }
    let listing: { names: readonly string[]; unreadableNames: readonly string[] };
    try {
      listing = fs.list(this.#absolute(directory));
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') this.#queue.addParentAgain(directory);
      else if (code === 'ESTALE' && directory !== '/' && this.#exchanged < exchangedMax) {
        this.#exchanged += 1;
        this.#queue.undo(directory);
        this.#queue.add(directory, deep);
      } else if (directory === '/') this.rootFailure = code;
      // What is below cannot be seen and is therefore neither changed nor gone.
      else this.#block(directory, 'unreadable', code);
      return;
    }
    if (before.kind === 'blocked') this.#report(directory, null);
    this.#readIgnoreFile(directory, listing.names.includes(ignoreFileName));
    for (const name of listing.unreadableNames) {
      this.#block(joinPath(directory, name), 'name', 'The bytes of the name are not UTF-8.');
    }
    const present = new Set([...listing.names, ...listing.unreadableNames]);
    for (const [index, name] of listing.names.entries()) {
      this.#entry(directory, name, deep);
      if (index % namesPerStep === namesPerStep - 1) yield;
    }
    for (const name of tree.namesMissing(directory, present)) this.#missing.push(joinPath(directory, name));
  }

  #entry(directory: string, name: string, deep: boolean): void {
    const { fs, ignore, tree } = this.#context;
    const path = joinPath(directory, name);
    const atRest = this.#toRead.take(path);
    if (this.#isUnchanged(path)) return;
    let stat: FileStat | null;
    try {
      stat = fs.lstat(this.#absolute(path));
    } catch (error) {
      // A name that is ignored, such as the mirror's own temporary files, is not reported.
      if (!ignore.ignoresHere(path, false)) this.#block(path, 'unreadable', errorCode(error));
      return;
    }
    if (stat === null) {
      if (tree.get(path) !== undefined) this.#missing.push(path);
      return;
    }
    // A tracked path that became ignored keeps its node: it is left alone and never looks deleted.
    if (ignore.ignoresHere(path, stat.kind === 'directory')) return;
    const parsed = parseWritePath(path);
    if (!parsed.ok) {
      this.#block(path, 'name', `A workspace cannot hold it: ${parsed.reason}.`);
      return;
    }
    switch (stat.kind) {
      case 'directory':
        // When that disk goes, all of it is gone at once: it would look deleted.
        if (stat.device !== this.#context.device)
          this.#block(path, 'other_disk', 'Another disk is mounted here; a mirror stays on its own.');
        else this.#subdirectory(path, deep);
        break;
      case 'file':
        this.#file(path, stat, atRest);
        break;
      case 'symlink':
        this.#block(path, 'symlink', 'Links are not followed and not synced.');
        break;
      case 'other':
        this.#block(path, 'special_file', 'Devices, pipes and sockets are not synced.');
        break;
    }
  }

  /** The usual case, and cheap where looking closer is not. */
  #isUnchanged(path: string): boolean {
    const { fs, ignore, settle, tree } = this.#context;
    const known = tree.trustedFile(path);
    if (fs.glance === undefined || known === noRow) return false;
    if (tree.hasChildren(path) || ignore.ignoresHere(path, false)) return false;
    const stat = glanceAt(fs.glance, this.#absolute(path));
    if (stat?.kind !== 'file' || !tree.isSameFile(known, stat)) return false;
    settle.forget(path);
    return true;
  }

  #subdirectory(path: string, deep: boolean): void {
    const { settle, time, tree } = this.#context;
    const node = tree.get(path);
    if (node?.kind === 'directory') {
      const isReplaced = this.#isReplaced(path);
      // All of it is another tree, which no hint describes, and which has no watches yet.
      if (isReplaced) this.#isNew(path);
      if (deep || isReplaced) this.#queue.add(path, true);
      return;
    }
    if (node?.kind === 'file') {
      // Not at once: by the second look the files of the directory are at rest, too, and both are one change of type.
      if (!settle.isGoneForGood(path, time.monotonicMs())) return;
      this.#report(path, { kind: 'directory' });
    }
    // An unreadable directory stays blocked until it can be listed.
    else if (node === undefined) tree.set(path, directoryNode);
    this.#isNew(path);
    this.#queue.add(path, true);
  }

  #isNew(directory: string): void {
    this.newDirectories.push(directory);
    this.#context.onNewDirectory(directory);
  }

  #isReplaced(path: string): boolean {
    const { replaced } = this.#context;
    if (replaced.size === 0) return false;
    return replaced.has(path) || ancestorsOf(path).some((ancestor) => replaced.has(ancestor));
  }

  /** `foundAtRest`: as this very scan has met it before, when its directory is listed once more. */
  #file(path: string, stat: FileStat, foundAtRest: Identity | undefined): void {
    const { settle, time, tree, fileBytesMax } = this.#context;
    const node = tree.get(path);
    const known = node?.kind === 'file' ? node : null;
    if (known !== null && tree.hasChildren(path)) this.changes.addAll(dropBelow(this.#context, path));
    if (known?.trusted === true && sameIdentity(known, stat)) {
      settle.forget(path);
      return;
    }
    if (stat.sizeBytes > fileBytesMax) {
      this.#block(
        path,
        'too_large',
        `It has ${stat.sizeBytes} bytes; files up to ${fileBytesMax} bytes are synced.`,
      );
      return;
    }
    if (known?.inode !== stat.inode) this.#followRename(path, stat);
    const unchanged = known !== null && sameIdentity(known, stat);
    // Asked twice, it would begin to wait anew, and in a directory that every scan lists twice for ever.
    const foundSo = foundAtRest !== undefined && sameIdentity(foundAtRest, stat);
    const hint = this.#hints.get(parentOf(path) ?? '/')?.get(nameOf(path));
    const atRest =
      unchanged ||
      foundSo ||
      settle.isFileAtRest(path, stat, known?.inode ?? null, hint, time.nowMs(), time.monotonicMs());
    if (atRest) this.#toRead.set(path, stat);
  }

  #hash(path: string, stat: Identity, known: FileNode | null): void {
    const { fs, settle, time } = this.#context;
    const trusted = time.nowMs() - Number(stat.ctimeNs / 1_000_000n) > racyMs;
    const outcome = hashFile(fs, this.#absolute(path), stat);
    if (outcome.kind === 'changed') {
      settle.restart(path, time.monotonicMs());
      return;
    }
    if (outcome.kind === 'unreadable') {
      this.#block(path, 'unreadable', outcome.detail);
      return;
    }
    const same = known !== null && known.hash === outcome.hash && sameIdentity(known, stat);
    if (same && known.trusted === trusted) return;
    if (this.#context.tree.hasChildren(path) || this.#context.tree.get(path)?.kind === 'directory')
      this.changes.addAll(replaceDirectory(this.#context, path));
    const { sizeBytes, mtimeNs, ctimeNs, inode, mode } = outcome.stat;
    const node: FileNode = {
      kind: 'file',
      hash: outcome.hash,
      sizeBytes,
      mtimeNs,
      ctimeNs,
      inode,
      mode,
      trusted,
    };
    this.#context.tree.set(path, node);
    this.changes.add({ path, entry: folderFile(node) });
  }

  /** This inode was known under another name. If that name lost it, look there in this very scan: it was one renaming. */
  #followRename(path: string, stat: FileStat): void {
    const { tree } = this.#context;
    const before = tree.pathOfInode(stat.inode);
    if (before === undefined || before === path || this.#arrived.has(stat.inode)) return;
    if (this.#exactly(before)?.inode === stat.inode) return;
    this.#arrived.add(stat.inode);
    this.#queue.addAgain(parentOf(before) ?? '/');
  }

  #readIgnoreFile(directory: string, isThere: boolean): void {
    const { ignore } = this.#context;
    const read = isThere ? readRules(this.#context, directory) : null;
    // Rules that cannot be read right now stay as they were: forgetting them would sync what must not be synced.
    if (read === 'unreadable') return;
    const isNew =
      read === 'oversize' ? ignore.setOversize(directory) : ignore.set(directory, read?.text ?? null);
    if (isNew) {
      this.ignoreChanged = true;
      // What the old rules hid may be below.
      for (const path of this.#context.tree.subdirectories(directory)) this.#queue.add(path, true);
    }
  }

  /** One that was found in a listing has that very name; what a hint calls so, on a disk that folds names, may have another. */
  #isRealDirectory(directory: string, listed: boolean): boolean {
    if (this.#context.folds && !listed && directory !== '/' && this.#exactly(directory) === null)
      return false;
    // Every parent too: nothing is read through a link out of the root, or on another disk.
    for (let at: string | null = directory; at !== null && at !== '/'; at = parentOf(at)) {
      const stat = this.#context.fs.lstat(this.#absolute(at));
      if (stat?.kind !== 'directory' || stat.device !== this.#context.device) return false;
    }
    return true;
  }

  /** What was known below stays known: it is out of sight, not gone, until another entry replaces this one. */
  #block(path: string, reason: BlockedReason, detail: string): void {
    const node = this.#context.tree.get(path);
    this.#context.settle.forget(path);
    if (node?.kind === 'blocked' && node.reason === reason && node.detail === detail) return;
    this.#report(path, { kind: 'blocked', reason, detail });
  }

  #report(path: string, entry: FolderEntry | null): void {
    const { tree } = this.#context;
    if (entry === null) tree.set(path, directoryNode);
    else tree.set(path, entry.kind === 'directory' ? directoryNode : (entry as Node));
    this.changes.add({ path, entry });
  }

  #absolute(path: string): string {
    return path === '/' ? this.#context.root : this.#context.root + path;
  }
}

function glanceAt(glance: (path: string) => FileStat | null, path: string): FileStat | null {
  try {
    return glance(path);
  } catch (error) {
    if (errorCode(error) === 'EUNKNOWN') throw error;
    // The closer look reports what the disk refuses.
    return null;
  }
}
