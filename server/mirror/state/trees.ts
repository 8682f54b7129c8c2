// The three trees of one mirror in memory: the whole base, and folder and workspace only where they differ from it. An idle mirror
// costs one row of columns per file (state/base-table.ts), and planning reads only the differences. No I/O.
import { isAclPath } from '../../core/access/acl.ts';
import type { SyncedFile } from '../../core/change/change.ts';
import { ancestorsOf, ownText } from '../../core/paths/path.ts';
import { looksLikeSecrets } from '../../core/paths/secret-names.ts';
import type { Trees, WorkspaceEntry } from '../../core/sync/plan.ts';
import type { FolderEntry, FolderFile } from '../../disk/port/folder.ts';
import type { BaseRow } from '../../store/port/store.ts';
import { BaseTable } from './base-table.ts';
import { FolderDifferences, fileOf } from './folder-differences.ts';
import { isRuleFile } from './plan-order.ts';

export interface WorkspaceFile {
  readonly hash: string;
  readonly revision: number;
  readonly sizeBytes: number;
}

export class MirrorTrees {
  readonly #base = new BaseTable();
  readonly #local = new FolderDifferences();
  /** Links, special and unreadable files at whose paths nothing is agreed on, and nothing is in the workspace. There may be many. */
  readonly #localOnlyBlocked = new Map<string, FolderEntry>();
  readonly #workspace = new Map<string, WorkspaceFile | null>();
  readonly #localBelow = new Map<string, number>();
  readonly #workspaceBelow = new Map<string, number>();
  #localFiles = 0;
  /** Called when a file of the folder has come or gone. */
  onPresence: ((path: string, isThere: boolean) => void) | null = null;
  readonly #secrets = new Set<string>();
  readonly #ruleFiles = new Set<string>();

  constructor(rows: Iterable<BaseRow> = []) {
    this.load(rows);
  }

  /** What was agreed on before, and what nothing else is known of yet. */
  load(rows: Iterable<BaseRow>): void {
    for (const row of rows) {
      this.#base.set(row);
      this.#mark(row.path);
      count(this.#localBelow, row.path, 1);
      count(this.#workspaceBelow, row.path, 1);
      this.#localFiles += 1;
    }
  }

  /** Files that both sides once agreed on. */
  get tracked(): number {
    return this.#base.size;
  }

  /** Those of them whose names say that they hold secrets. */
  get secrets(): ReadonlySet<string> {
    return this.#secrets;
  }

  /** Those that say what is ignored, or who may see what. */
  get ruleFiles(): ReadonlySet<string> {
    return this.#ruleFiles;
  }

  /** Files of the folder as last seen. */
  get localFiles(): number {
    return this.#localFiles;
  }

  basePaths(): IterableIterator<string> {
    return this.#base.paths();
  }

  baseAt(path: string): BaseRow | null {
    return this.#base.get(path);
  }

  localAt(path: string): FolderEntry | null {
    const seen = this.#local.get(path);
    if (seen !== undefined) return seen;
    const blocked = this.#localOnlyBlocked.get(path);
    if (blocked !== undefined) return blocked;
    const row = this.#base.get(path);
    return row === null ? null : fileOf(row);
  }

  workspaceAt(path: string): WorkspaceFile | null {
    const seen = this.#workspace.get(path);
    return seen === undefined ? this.baseAt(path) : seen;
  }

  /** As `workspaceAt(path) !== null`; it reads no row. */
  isInWorkspace(path: string): boolean {
    const seen = this.#workspace.get(path);
    return seen === undefined ? this.#base.has(path) : seen !== null;
  }

  /** As `localAt(path)?.kind === 'blocked'`; it reads no row. */
  isBlocked(path: string): boolean {
    return this.#local.isBlocked(path) || this.#localOnlyBlocked.has(path);
  }

  localHolds(path: string): boolean {
    return (this.#localBelow.get(path) ?? 0) > 0;
  }

  workspaceHolds(path: string): boolean {
    return (this.#workspaceBelow.get(path) ?? 0) > 0;
  }

  /** Is anything known to stand at the path, or below it, on either side? */
  isTaken(path: string): boolean {
    return (
      this.localAt(path) !== null ||
      this.workspaceAt(path) !== null ||
      this.localHolds(path) ||
      this.workspaceHolds(path)
    );
  }

  /** Does something stand above the path in the folder that cannot be looked into? */
  isUnreadable(path: string): boolean {
    return ancestorsOf(path).some((ancestor) => this.localAt(ancestor)?.kind === 'blocked');
  }

  /** Paths of files (and of blocked things) that the folder holds below a directory. Looks at all; for rare events. */
  localPathsBelow(directory: string): readonly string[] {
    const prefix = `${directory}/`;
    const below: string[] = [];
    for (const path of this.#everLocal())
      if (path.startsWith(prefix) && isPresent(this.localAt(path))) below.push(path);
    return below;
  }

  /**
   * Of paths that are missing in the folder, those whose files it has under another name, with the same content: they were moved.
   * Looks at all, in steps; for rare events.
   */
  *movedAway(paths: readonly string[]): Generator<void, ReadonlySet<string>> {
    const missing = new Map<string, string[]>();
    for (const path of paths) {
      yield;
      const row = this.baseAt(path);
      if (row === null) continue;
      const same = missing.get(identityOf(row));
      if (same === undefined) missing.set(identityOf(row), [path]);
      else same.push(path);
    }
    const moved = new Set<string>();
    for (const paths of [this.#base.paths(), this.#local.paths()]) {
      for (const path of paths) {
        yield;
        const entry = this.localAt(path);
        if (entry?.kind !== 'file') continue;
        for (const from of missing.get(identityOf(entry)) ?? []) moved.add(from);
      }
    }
    return moved;
  }

  *#everLocal(): IterableIterator<string> {
    yield* this.#base.paths();
    for (const path of this.#local.paths()) if (!this.#base.has(path)) yield path;
    yield* this.#localOnlyBlocked.keys();
  }

  /** Every path at which any two trees differ, as far as they are known to. */
  candidates(): ReadonlySet<string> {
    return new Set(this.differingPaths());
  }

  /**
   * The candidates that a plan depends on. What is blocked and only in the folder stays unchanged, and matters only to a plan that may
   * replace a directory above it. Nothing may be set meanwhile.
   */
  *plannable(): IterableIterator<string> {
    let mayReplace = false;
    for (const paths of [this.#local.paths(), this.#workspaceAlone()]) {
      for (const path of paths) {
        mayReplace ||= this.localHolds(path) || this.localAt(path)?.kind === 'directory';
        yield path;
      }
    }
    if (mayReplace) yield* this.#localOnlyBlocked.keys();
  }

  /** The same, one after the other; nothing may be set meanwhile. */
  *differingPaths(): IterableIterator<string> {
    yield* this.#local.paths();
    yield* this.#localOnlyBlocked.keys();
    yield* this.#workspaceAlone();
  }

  *#workspaceAlone(): IterableIterator<string> {
    for (const path of this.#workspace.keys()) if (!this.#local.has(path)) yield path;
  }

  /** What cannot be synced, and is only in the folder. Nothing may be set meanwhile. */
  localOnlyBlocked(): { readonly size: number; keys(): IterableIterator<string> } {
    return this.#localOnlyBlocked;
  }

  /** At most so many paths are candidates. */
  get differing(): number {
    return this.#local.size + this.#localOnlyBlocked.size + this.#workspace.size;
  }

  setLocal(path: string, entry: FolderEntry | null): void {
    const before = this.localAt(path);
    const row = this.baseAt(path);
    this.#forgetLocal(path);
    if (!isSameLocal(row, entry)) this.#local.set(path, entry);
    this.#placeBlocked(path);
    const change = Number(isPresent(entry)) - Number(isPresent(before));
    if (change === 0) return;
    count(this.#localBelow, path, change);
    this.#localFiles += change;
    this.onPresence?.(path, change > 0);
  }

  setWorkspace(path: string, file: WorkspaceFile | null): void {
    const seen = this.#workspace.get(path);
    const isAgreed = this.#base.has(path);
    const before = seen === undefined ? isAgreed : seen !== null;
    const same = file === null ? !isAgreed : this.#base.hasRevision(path, file.hash, file.revision);
    if (same) this.#workspace.delete(path);
    else this.#workspace.set(path, file);
    this.#placeBlocked(path);
    count(this.#workspaceBelow, path, Number(file !== null) - Number(before));
  }

  /** Sets what is agreed on; what is known of the two sides stays what it is. null: nothing is. */
  agree(path: string, row: BaseRow | null): void {
    const local = this.localAt(path);
    const workspace = this.workspaceAt(path);
    this.#forgetLocal(path);
    this.#local.set(path, local);
    this.#workspace.set(path, workspace);
    if (row === null) this.#base.delete(path);
    else this.#base.set(row);
    if (row !== null) this.#mark(path);
    else {
      this.#secrets.delete(path);
      this.#ruleFiles.delete(path);
    }
    this.setLocal(path, local);
    this.setWorkspace(path, workspace);
  }

  #forgetLocal(path: string): void {
    this.#local.delete(path);
    this.#localOnlyBlocked.delete(path);
  }

  /** Moves what is known of the folder at the path to where it belongs. */
  #placeBlocked(path: string): void {
    const entry = this.#local.get(path) ?? this.#localOnlyBlocked.get(path);
    if (entry?.kind !== 'blocked') return;
    this.#forgetLocal(path);
    if (this.workspaceAt(path) === null && !this.#base.has(path)) this.#localOnlyBlocked.set(path, entry);
    else this.#local.set(path, entry);
  }

  #mark(path: string): void {
    if (looksLikeSecrets(path)) this.#secrets.add(ownText(path));
    if (isRuleFile(path) || isAclPath(path)) this.#ruleFiles.add(ownText(path));
  }

  /** The view that the planner takes. `held`: a workspace file that this folder must not or cannot hold. */
  forPlanner(candidates: Iterable<string>, held: (path: string, file: WorkspaceFile) => boolean): Trees {
    return {
      candidates,
      base: (path) => this.baseAt(path),
      local: (path) => this.localAt(path),
      workspace: (path): WorkspaceEntry | null => {
        const file = this.workspaceAt(path);
        if (file === null) return null;
        return { kind: held(path, file) ? 'blocked' : 'file', hash: file.hash };
      },
      localHolds: (path) => this.localHolds(path),
      workspaceHolds: (path) => this.workspaceHolds(path),
    };
  }
}

export function baseEntry(path: string, file: FolderFile): SyncedFile {
  const { hash, sizeBytes, mtimeNs, ctimeNs, inode, mode, trusted } = file;
  return { path, hash, sizeBytes, mtimeNs, ctimeNs, inode, mode, trusted };
}

export function baseRow(path: string, file: FolderFile, revision: number): BaseRow {
  return { ...baseEntry(path, file), revision };
}

function isSameLocal(row: BaseRow | null, entry: FolderEntry | null): boolean {
  if (row === null || entry === null) return row === null && entry === null;
  if (entry.kind !== 'file') return false;
  return (
    entry.hash === row.hash &&
    entry.trusted === row.trusted &&
    entry.ctimeNs === row.ctimeNs &&
    entry.mtimeNs === row.mtimeNs &&
    entry.inode === row.inode &&
    entry.sizeBytes === row.sizeBytes &&
    entry.mode === row.mode
  );
}

function identityOf({ inode, hash }: { readonly inode: string; readonly hash: string }): string {
  return `${inode} ${hash}`;
}

function isPresent(entry: FolderEntry | null): boolean {
  return entry !== null && entry.kind !== 'directory';
}

function count(below: Map<string, number>, path: string, change: number): void {
  if (change === 0) return;
  for (const ancestor of ancestorsOf(path)) {
    const now = (below.get(ancestor) ?? 0) + change;
    if (now === 0) below.delete(ancestor);
    else below.set(now === change ? ownText(ancestor) : ancestor, now);
  }
}
