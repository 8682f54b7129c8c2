// Sweeping drafts: files that a client wrote under a draft's name, that were carried away and never got their own. Only
// names decide what is looked at; what a provider knows or has still to get is never touched.
import type { ChangeFiles, ChangeResult } from '../core/change.ts';
import { isWithin, normalizeReadPath } from '../core/path.ts';
import { isDraftName, parseNameGlob } from '../core/writeback.ts';
import type { FileStore, WritebackStore } from '../store/port.ts';

export interface SweepRequest {
  readonly pathPrefix: string | null;
  /** Globs over names. */
  readonly patterns: readonly string[];
  /** false: only tells what would go. */
  readonly apply: boolean;
  readonly correlationId: string;
}

export interface SweepResult {
  readonly scanned: number;
  readonly removed: readonly { readonly path: string; readonly reason: 'space-uuid-draft' | 'pattern' }[];
  readonly skipped: readonly {
    readonly path: string;
    readonly reason: 'pending-writeback' | 'provider-linked';
  }[];
}

/** A pattern is none; the message names it. HTTP says 400. */
export class BadPatternError extends Error {
  override readonly name = 'BadPatternError';
}

const pageFiles = 1_000;
const changesMax = 500;

export async function sweepDrafts(
  rooms: {
    readonly files: Pick<FileStore, 'list'>;
    readonly writebacks: Pick<WritebackStore, 'unsentPaths'>;
    change(command: Omit<ChangeFiles, 'kind'>): Promise<readonly ChangeResult[]>;
  },
  workspaceId: string,
  request: SweepRequest,
): Promise<SweepResult> {
  const globs = request.patterns.map((pattern) => {
    const glob = parseNameGlob(pattern);
    if (glob === null) throw new BadPatternError(`${pattern} is no pattern for a name`);
    return glob;
  });
  const base = normalizeReadPath(request.pathPrefix ?? '/');
  const unsent = new Set(await rooms.writebacks.unsentPaths(workspaceId));
  const removed: { path: string; reason: 'space-uuid-draft' | 'pattern'; revision: string }[] = [];
  const skipped: SweepResult['skipped'][number][] = [];
  let scanned = 0;
  let afterPath: string | null = null;
  for (;;) {
    const page = await rooms.files.list(workspaceId, base, afterPath, pageFiles);
    for (const { path, providerObjectId, revision } of page) {
      if (!isWithin(base, path)) continue;
      scanned += 1;
      const name = path.slice(path.lastIndexOf('/') + 1);
      const isDraft = isDraftName(name);
      if (!isDraft && !globs.some((glob) => glob.matches(name))) continue;
      if (providerObjectId !== null) skipped.push({ path, reason: 'provider-linked' });
      else if (unsent.has(path)) skipped.push({ path, reason: 'pending-writeback' });
      else {
        const reason = isDraft ? 'space-uuid-draft' : 'pattern';
        removed.push({ path, reason, revision: `rev_${revision}` });
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageFiles) break;
    afterPath = last.path;
  }
  const gone = request.apply ? await removeAll() : removed;
  return { scanned, skipped, removed: gone.map(({ path, reason }) => ({ path, reason })) };

  /** Those that are still what was looked at. No operation is made: nothing of it must reach a provider. */
  async function removeAll(): Promise<typeof removed> {
    const done: typeof removed = [];
    for (let at = 0; at < removed.length; at += changesMax) {
      const some = removed.slice(at, at + changesMax);
      const results = await rooms.change({
        workspaceId,
        changes: some.map(({ path, revision }) => ({
          kind: 'delete_file',
          path,
          precondition: { kind: 'revision', revision },
        })),
        atomic: false,
        actor: { kind: 'system', name: 'system', tokenId: null },
        origin: 'system',
        access: null,
        correlationId: request.correlationId,
        makesOperations: false,
      });
      done.push(...some.filter((_, index) => results[index]?.ok === true));
    }
    return done;
  }
}
