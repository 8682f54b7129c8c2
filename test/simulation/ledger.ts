// What people did, and therefore what must and must not be there: the judge of a simulated run. It watches every change of the
// folder and of the workspace, and knows for each content whether its author, or anyone who had seen it, has given it up.
// A1 lost update, A2 resurrection, A3 phantom delete, A4 divergence, A6 doubled effect, A7 stale over newer, A8 torn file.

import { isBuiltInIgnored, tempPrefix } from '../../server/disk/names/ignore.ts';
import { sha256Hex } from '../../server/platform/crypto/hashes.ts';
import { foldOf, type Inode } from './disk.ts';
import type { SimStore } from './store.ts';

/** The mirrored folder on the simulated disk. */
const root = '/r';

/** Wire path -> content of the files that are synced. */
export type View = ReadonlyMap<string, string>;

interface Version {
  readonly content: string;
  /** Where it stands: one place, or more when the mirror let it step aside. */
  readonly paths: Set<string>;
  givenUp: boolean;
}

export class Ledger {
  readonly violations: string[] = [];
  readonly #store: SimStore;
  readonly #versions = new Map<string, Version[]>();
  readonly #contents = new Map<string, string>();
  /** Content -> how often it was given up when the mirror had not agreed on it yet: it may live on, or not. */
  readonly #doubtful = new Map<string, number>();
  /** Path and content -> how often the folder came to hold it by other hands than the mirror's downloads. */
  readonly #arrivals = new Map<string, number>();
  /** Names that the mirror gave to what stepped aside, and what was there. */
  readonly #asides = new Map<string, string>();
  /** Second names of files that step aside, with the first. */
  readonly #links = new Map<string, string>();
  /** Second names -> how often the disk refused a call on either name since. */
  readonly #refusals = new Map<string, number>();
  /** Files that the mirror made, by name: where. */
  readonly #made = new Map<string, string>();
  readonly #changes = new Map<string, number>();
  readonly #folds: boolean;
  readonly #forkId: string | null;
  #restored = false;

  /** `folds`: names of the folder that differ in case or Unicode form alone are one name. */
  constructor(store: SimStore, folds: boolean, forkId: string | null) {
    this.#store = store;
    this.#forkId = forkId;
    this.#folds = folds;
    this.know('');
  }

  know(content: string): void {
    this.#contents.set(sha256Hex(Buffer.from(content, 'latin1')), content);
  }

  made(path: string): void {
    this.#made.set(path.slice(path.lastIndexOf('/') + 1), path);
  }

  /** A temporary file is still where the mirror made it. One that a person moved away with its directory is out of reach. */
  leftBehind(path: string): void {
    if (this.#made.get(path.slice(path.lastIndexOf('/') + 1)) === path)
      this.violate('A6', `${path} was left behind`);
  }

  /** The disk refused a call on a name. A file that could not step aside, and not take that back either, has two names, and they stay. */
  refused(path: string, folder: View): void {
    const name = path.slice(root.length);
    for (const [to, from] of this.#links) {
      const content = folder.get(to);
      if ((name !== to && name !== from) || content === undefined || folder.get(from) !== content) continue;
      const refusals = (this.#refusals.get(to) ?? 0) + 1;
      this.#refusals.set(to, refusals);
      if (refusals === 2) this.#doubt(content);
    }
  }

  contentOf(hash: string): string | undefined {
    return this.#contents.get(hash);
  }

  workspace(workspaceId: string): View {
    return new Map(
      [...this.#store.files(workspaceId, this.#forkId)].map(([path, hash]) => [
        path,
        this.contentOf(hash) ?? `unknown ${hash}`,
      ]),
    );
  }

  /** A person answered a halt with "bring them back": what was deleted may come back. */
  restored(): void {
    this.#restored = true;
  }

  /** How often people changed what is at a path, on either side. */
  changesAt(path: string): number {
    return this.#changes.get(path) ?? 0;
  }

  /** A person changed one side; both views are of that side, `other` is of the other. */
  byPerson(before: View, after: View, other: View, side: 'folder' | 'workspace'): void {
    for (const [path, content] of before) {
      if (after.get(path) === content) continue;
      this.#countChange(path);
      this.#giveUp(path, content);
    }
    for (const [path, content] of after) {
      if (before.get(path) === content) continue;
      this.#countChange(path);
      if (side === 'folder') this.#arrive(path, content);
      if (content === '') continue;
      // While a file steps aside it has two names, and whoever writes into it then has written once.
      const origin = this.#links.get(path);
      if (origin !== undefined && after.get(origin) === content && before.get(origin) !== content) continue;
      const versions = this.#versions.get(content) ?? [];
      this.#versions.set(content, versions);
      const paths = new Set([path, ...this.#secondNames(path, content, before, after)]);
      const stood = side === 'folder' ? this.#spelledBefore(path, content, before, after) : path;
      const broughtBack = this.#isAgreed(stood, content) && other.get(stood) !== content;
      versions.push({ content, paths, givenUp: broughtBack });
      if (broughtBack) this.#doubt(content);
    }
    if (side === 'folder')
      for (const path of this.#asides.keys())
        if (after.get(path) !== before.get(path)) this.#asides.delete(path);
  }

  /** The mirror changed the folder. */
  byMirror(before: View, after: View, call: string): void {
    for (const [path, content] of after) {
      if (before.get(path) === content) continue;
      if (!this.#contents.has(sha256Hex(Buffer.from(content, 'latin1'))))
        this.violate('A8', `${call} left ${path} with content that nobody wrote: ${JSON.stringify(content)}`);
      // A person spelled a directory otherwise while the mirror wrote below it: the file came under their name.
      if (this.#folds && !call.includes(`${root}${path}`)) {
        this.#arrive(path, content);
        this.#respelled(path, content);
      }
      for (const [origin, old] of before)
        if (old === content && after.get(origin) !== content) this.#moved(origin, path, content);
      if (isConflictName(path) && !call.includes(tempPrefix)) {
        this.#arrive(path, content);
        this.#asides.set(path, content);
        // A second name of the file that it was linked from; of an equal one elsewhere it is none.
        for (const origin of before.keys())
          if (call.startsWith(`link ${root}${origin} `)) this.#linked(origin, path, content);
      }
    }
    const left = new Set(after.values());
    for (const [path, content] of before) {
      if (after.get(path) === content || content === '' || left.has(content)) continue;
      // A fork has no history: what its author replaced there may be gone.
      if (this.#forkId !== null && !this.#isWanted(content)) continue;
      if (!this.#store.holdsContent(sha256Hex(Buffer.from(content, 'latin1'))))
        this.violate('A1', `${call} destroyed the only ${JSON.stringify(content)} at ${path}`);
    }
  }

  /** Everything is at rest. `listPendingDeletions`: what the folder's disk has no name for, because another spelling of it is taken. */
  judge(
    folder: View,
    workspaceId: string,
    { conflictCopies, heldBack }: Record<'conflictCopies' | 'heldBack', ReadonlySet<string>>,
  ): void {
    const workspace = this.workspace(workspaceId);
    for (const path of new Set([...folder.keys(), ...workspace.keys()])) {
      if (!folder.has(path) && heldBack.has(path)) continue;
      if (folder.get(path) !== workspace.get(path))
        this.violate(
          'A4',
          `${path}: folder ${show(folder.get(path))}, workspace ${show(workspace.get(path))}`,
        );
    }
    const counts = new Map<string, number>();
    // A directory with something new in it steps aside as a whole; what was deleted elsewhere goes along.
    const wentAlong = new Map<string, number>();
    for (const [path, content] of workspace) {
      counts.set(content, (counts.get(content) ?? 0) + 1);
      if (isConflictName(directoryOf(path))) wentAlong.set(content, (wentAlong.get(content) ?? 0) + 1);
    }
    for (const [content, versions] of this.#versions) {
      const wanted = versions.filter((version) => !version.givenUp);
      const found = counts.get(content) ?? 0;
      if (wanted.length > 0 && found === 0) {
        const where = wanted.map(({ paths }) => [...paths].join(' = ')).join(', ');
        this.violate('A1', `${show(content)} of ${where} is in no file (A3, A7)`);
      }
      const most =
        wanted.length +
        Math.min(wentAlong.get(content) ?? 0, versions.length - wanted.length) +
        (this.#doubtful.get(content) ?? 0) +
        (this.#restored ? versions.length : 0);
      if (found > most)
        this.violate(
          wanted.length === 0 ? 'A2' : 'A6',
          `${show(content)} is in ${found} files and should be in at most ${most}`,
        );
    }
    for (const [path, content] of this.#asides) {
      if (workspace.get(path) !== content) continue;
      if (![...conflictCopies].some((copy) => path === copy || path.startsWith(`${copy}/`)))
        this.violate('A4', `${path} stepped aside and is not listed as a conflict`);
    }
    if (this.#forkId === null) this.#judgeHistory();
  }

  #isWanted(content: string): boolean {
    return (this.#versions.get(content) ?? []).some(({ givenUp }) => !givenUp);
  }

  #judgeHistory(): void {
    const uploads = new Map<string, number>();
    for (const { path, hash, byMirror } of this.#store.written()) {
      const content = this.contentOf(hash);
      if (content === undefined)
        this.violate('A8', `the workspace was given content of ${path} that nobody wrote`);
      else if (byMirror) uploads.set(key(path, content), (uploads.get(key(path, content)) ?? 0) + 1);
    }
    for (const [at, count] of uploads) {
      const content = at.slice(at.indexOf('\0') + 1);
      const most = (this.#arrivals.get(at) ?? 0) + (this.#doubtful.get(content) ?? 0);
      if (count > most)
        this.violate('A6', `${show(at)} was sent ${count} times and came into the folder ${most} times`);
    }
  }

  #countChange(path: string): void {
    this.#changes.set(path, this.changesAt(path) + 1);
  }

  #giveUp(path: string, content: string): void {
    if (content === '') return;
    for (const version of this.#versions.get(content) ?? [])
      if (version.paths.has(path)) version.givenUp = true;
    if (!this.#isAgreed(path, content)) this.#doubt(content);
  }

  /** A file keeps its place on a disk that folds names when it is only spelled otherwise: what was to replace it still does. */
  #spelledBefore(path: string, content: string, before: View, after: View): string {
    if (!this.#folds) return path;
    const isSame = (other: string) => foldOf(other) === foldOf(path) && !after.has(other);
    return [...before].find(([other, old]) => old === content && isSame(other))?.[0] ?? path;
  }

  /**
   * What both sides last agreed on here. A side that changed it and then brought the same bytes back has changed nothing: bytes
   * decide, and they are known. So the other side's change or deletion since then holds (docs/sync-rules.md#2, docs/sync-rules.md#3).
   */
  #isAgreed(path: string, content: string): boolean {
    return this.#store.baseHash(path) === sha256Hex(Buffer.from(content, 'latin1'));
  }

  #doubt(content: string): void {
    this.#doubtful.set(content, (this.#doubtful.get(content) ?? 0) + 1);
  }

  /** Names that the mirror linked a file to, and that show what was just written into it. */
  #secondNames(origin: string, content: string, before: View, after: View): readonly string[] {
    return [...this.#links]
      .filter(([to, from]) => from === origin && after.get(to) === content && before.get(to) !== content)
      .map(([to]) => to);
  }

  #linked(from: string, to: string, content: string): void {
    this.#links.set(to, from);
    this.#refusals.delete(to);
    for (const version of this.#versions.get(content) ?? [])
      if (!version.givenUp && version.paths.has(from)) version.paths.add(to);
  }

  #moved(from: string, to: string, content: string): void {
    for (const version of this.#versions.get(content) ?? [])
      if (version.paths.has(from)) version.paths.add(to);
  }

  /** What was written to the other spelling stands here. */
  #respelled(path: string, content: string): void {
    for (const { paths } of this.#versions.get(content) ?? [])
      if ([...paths].some((other) => foldOf(other) === foldOf(path))) paths.add(path);
  }

  #arrive(path: string, content: string): void {
    this.#arrivals.set(key(path, content), (this.#arrivals.get(key(path, content)) ?? 0) + 1);
  }

  violate(anomaly: string, what: string): void {
    this.violations.push(`${anomaly}: ${what}`);
  }
}

/** The files below a directory that a mirror has to do with. */
export function viewOf(directory: Inode, prefix = '', into = new Map<string, string>()): Map<string, string> {
  for (const [name, inode] of directory.entries) {
    if (isBuiltInIgnored(name)) continue;
    if (inode.kind === 'directory') viewOf(inode, `${prefix}/${name}`, into);
    else if (inode.kind === 'file') into.set(`${prefix}/${name}`, inode.data.toString('latin1'));
  }
  return into;
}

function isConflictName(path: string): boolean {
  return path.includes(' (conflict ');
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function key(path: string, content: string): string {
  return `${path}\0${content}`;
}

function show(content: string | undefined): string {
  return content === undefined ? 'nothing' : JSON.stringify(content);
}
