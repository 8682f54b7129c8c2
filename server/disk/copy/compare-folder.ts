// Compares what the folder of a run has and no mirror syncs with what was copied into it. It reads both folders and changes nothing; neither
// is left through a link.
import { diffBytesMax } from '../../core/merge/text-diff.ts';
import { comparePaths, joinPath } from '../../core/paths/path.ts';
import { privateFolderName, tempPrefix } from '../names/ignore.ts';
import { errorCode, type FileStat } from '../port/file-system.ts';
import { hashFile, readWhole } from '../tree/read-file.ts';
import type { CompareRequest, IgnoredChange, IgnoredChanges, IgnoredTexts } from './copied-files.ts';
import { type CopiedFile, identityText } from './copied-list.ts';
import { FolderRules } from './folder-rules.ts';
import { absolute, namesIn, type Sides } from './plan-copies.ts';

/** Changes that are listed; further ones are counted. */
const changesMax = 100_000;

type Change = Omit<IgnoredChange, 'texts'>;

interface Found {
  readonly path: string;
  readonly stat: FileStat;
}

export function compareFolder(
  sides: Pick<Sides, 'source' | 'target'>,
  request: CompareRequest,
  copied: ReadonlyMap<string, CopiedFile>,
): IgnoredChanges {
  const comparison = new Comparison(sides, request, copied);
  const { counts, changes } = comparison.all();
  const { after, limit, hasTexts } = request.page;
  const following = changes.filter(({ path }) => comparePaths(path, after) > 0);
  const page = following.sort((left, right) => comparePaths(left.path, right.path)).slice(0, limit);
  return {
    counts,
    page: page.map((change) => ({ ...change, texts: hasTexts ? comparison.texts(change) : null })),
    hasMore: following.length > limit,
  };
}

class Comparison {
  readonly #sides: Pick<Sides, 'source' | 'target'>;
  readonly #request: CompareRequest;
  readonly #copied: ReadonlyMap<string, CopiedFile>;

  constructor(
    sides: Pick<Sides, 'source' | 'target'>,
    request: CompareRequest,
    copied: ReadonlyMap<string, CopiedFile>,
  ) {
    this.#sides = sides;
    this.#request = request;
    this.#copied = copied;
  }

  all(): { readonly counts: IgnoredChanges['counts']; readonly changes: Change[] } {
    const counts = { created: 0, updated: 0, deleted: 0 };
    const changes: Change[] = [];
    const add = (change: Change | null) => {
      if (change === null) return;
      counts[change.type] += 1;
      if (changes.length < changesMax) changes.push(change);
    };
    const found = new Set<string>();
    for (const { path, stat } of this.#unsynced()) {
      found.add(path);
      add(this.#changeOf(path, stat));
    }
    for (const [path, before] of this.#copied) if (!found.has(path)) add(this.#deletion(path, before));
    return { counts, changes };
  }

  /** The files and links of the run's folder that no mirror syncs. */
  *#unsynced(): Generator<Found, void, undefined> {
    const { fileBytesMax, to } = this.#request;
    const { target } = this.#sides;
    const rules = new FolderRules(target, to, fileBytesMax);
    const waiting = [{ directory: '/', isUnsynced: false }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { directory } = next;
      // Without its rules it is not known what is synced in it.
      if (!next.isUnsynced && !rules.read(directory)) continue;
      for (const name of namesIn(target, absolute(to, directory))) {
        if (!next.isUnsynced && (name === privateFolderName || name.startsWith(tempPrefix))) continue;
        const path = joinPath(directory, name);
        const stat = this.#statOf(path);
        if (stat === null) continue;
        const isUnsynced = next.isUnsynced || rules.isUnsynced(path, stat);
        if (stat.kind === 'directory') waiting.push({ directory: path, isUnsynced });
        else if (isUnsynced) yield { path, stat };
      }
    }
  }

  #statOf(path: string): FileStat | null {
    try {
      return this.#sides.target.lstat(this.#request.to + path);
    } catch {
      // It changes at this moment, or may not be looked at.
      return null;
    }
  }

  /** null: it is what was copied, or neither a file nor a link. */
  #changeOf(path: string, stat: FileStat): Change | null {
    const before = this.#copied.get(path);
    if (stat.kind !== 'file' && stat.kind !== 'symlink') return null;
    const kind = stat.kind === 'file' ? 'file' : 'link';
    const now = kind === 'file' ? stat.mode : null;
    if (before === undefined) {
      const isLiveChanged = this.#liveState(path) !== null;
      return {
        path,
        type: 'created',
        kind,
        sizeBytes: stat.sizeBytes,
        modes: { before: null, now },
        isLiveChanged,
      };
    }
    const state = kind === 'file' ? identityText(stat) : this.#targetOf(path);
    if (state === before.copy) return null;
    const isLiveChanged = this.#liveState(path) !== before.source;
    const modes = { before: before.kind === 'file' ? before.mode : null, now };
    if (kind === 'file' && before.kind === 'file' && modes.now === modes.before && !isLiveChanged)
      if (this.#hasEqualContents(path, stat.sizeBytes)) return null;
    return { path, type: 'updated', kind, sizeBytes: stat.sizeBytes, modes, isLiveChanged };
  }

  #deletion(path: string, { kind, mode, source }: CopiedFile): Change | null {
    // It is there, and synced: a change of the run like any other.
    if (this.#statOf(path) !== null) return null;
    const modes = { before: kind === 'file' ? mode : null, now: null };
    return {
      path,
      type: 'deleted',
      kind,
      sizeBytes: null,
      modes,
      isLiveChanged: this.#liveState(path) !== source,
    };
  }

  #hasEqualContents(path: string, sizeBytes: number): boolean {
    const { source, target } = this.#sides;
    const { from, to } = this.#request;
    if (source.lstat(from + path)?.sizeBytes !== sizeBytes) return false;
    const [before, now] = [hashFile(source, from + path, null), hashFile(target, to + path, null)];
    return before.kind === 'hashed' && now.kind === 'hashed' && before.hash === now.hash;
  }

  /** What the mirrored folder has at the path; null: no file and no link. */
  #liveState(path: string): string | null {
    const { source } = this.#sides;
    try {
      const stat = source.lstat(this.#request.from + path);
      if (stat?.kind === 'symlink') return source.readLink(this.#request.from + path);
      return stat?.kind === 'file' ? identityText(stat) : null;
    } catch (error) {
      return errorCode(error);
    }
  }

  #targetOf(path: string): string {
    try {
      return this.#sides.target.readLink(this.#request.to + path);
    } catch (error) {
      return errorCode(error);
    }
  }

  /** null: what was copied is not there any more. */
  texts({ path, type, isLiveChanged }: Change): IgnoredTexts | null {
    if (isLiveChanged && type !== 'created') return null;
    const before = type === 'created' ? null : this.#textAt('source', path);
    const now = type === 'deleted' ? null : this.#textAt('target', path);
    if (before === 'too_large' || now === 'too_large') return { isTooLarge: true, before: null, now: null };
    return { isTooLarge: false, before, now };
  }

  #textAt(side: 'source' | 'target', path: string): Uint8Array | 'too_large' | null {
    const fs = this.#sides[side];
    const at = (side === 'source' ? this.#request.from : this.#request.to) + path;
    try {
      const stat = fs.lstat(at);
      if (stat?.kind === 'symlink') return new TextEncoder().encode(fs.readLink(at));
      if (stat === null || stat.sizeBytes > diffBytesMax) return stat === null ? null : 'too_large';
      const outcome = readWhole(fs, at, diffBytesMax);
      return outcome.kind === 'read' ? outcome.bytes : null;
    } catch {
      return null;
    }
  }
}
