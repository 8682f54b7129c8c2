// Sweeps drafts: deletes files that a client wrote under a draft's name, that were delivered, and that the provider gave no name of its
// own. It considers only files that the caller may delete.
import { isAclPath } from '../../core/access/acl.ts';
import { type Authority, accessOf, type DeleteLedger } from '../../core/access/authority.ts';
import type { ChangeFiles, ChangeResult } from '../../core/change/change.ts';
import type { Actor } from '../../core/entry.ts';
import { isDraftName, parseNameGlob } from '../../core/outbound/draft-names.ts';
import { isWithin, normalizeReadPath } from '../../core/paths/path.ts';
import { permittedRows } from '../../store/port/permits.ts';
import type { ContentReader, WritebackStore } from '../../store/port/store.ts';

export interface SweepRequest {
  readonly pathPrefix: string | null;
  /** Globs over names. */
  readonly patterns: readonly string[];
  /** false: only lists what would be deleted. */
  readonly apply: boolean;
  readonly correlationId: string;
  /** The caller. */
  readonly authority: Authority | null;
}

export interface SweepResult {
  readonly scanned: number;
  readonly removed: readonly { readonly path: string; readonly reason: 'space-uuid-draft' | 'pattern' }[];
  readonly skipped: readonly {
    readonly path: string;
    readonly reason: 'pending-writeback' | 'provider-linked';
  }[];
}

/** A pattern is not valid; the message names it. HTTP answers 400. */
export class BadPatternError extends Error {
  override readonly name = 'BadPatternError';
}

/** The deletions exceed the quota of the caller: nothing was deleted. HTTP answers 429. */
export class DeleteQuotaError extends Error {
  override readonly name = 'DeleteQuotaError';
}

const pageFiles = 1_000;
const changesMax = 500;
const systemActor: Actor = { kind: 'system', name: 'system', tokenId: null };

/** A file to delete. */
interface Draft {
  readonly path: string;
  readonly reason: 'space-uuid-draft' | 'pattern';
  readonly revision: string;
}

interface SweepDeps {
  readonly files: Pick<ContentReader, 'list' | 'allowEach'>;
  readonly writebacks: Pick<WritebackStore, 'unsentPaths' | 'deliveredDrafts'>;
  readonly deletes: DeleteLedger;
  change(command: Omit<ChangeFiles, 'kind'>): Promise<readonly ChangeResult[]>;
}

/** Throws a BadPatternError or a DeleteQuotaError. */
export type DraftSweep = (workspaceId: string, request: SweepRequest) => Promise<SweepResult>;

export async function sweepDrafts(
  deps: SweepDeps,
  workspaceId: string,
  request: SweepRequest,
): Promise<SweepResult> {
  const globs = request.patterns.map((pattern) => {
    const glob = parseNameGlob(pattern);
    if (glob === null) throw new BadPatternError(`${pattern} is not a pattern for file names`);
    return glob;
  });
  const base = normalizeReadPath(request.pathPrefix ?? '/');
  const unsent = new Set(await deps.writebacks.unsentPaths(workspaceId));
  const drafts: Draft[] = [];
  const skipped: SweepResult['skipped'][number][] = [];
  let scanned = 0;
  let afterPath: string | null = null;
  for (;;) {
    const page = await deps.files.list(workspaceId, base, afterPath, pageFiles);
    const candidates: Draft[] = [];
    const permitted = await permittedRows(deps.files, workspaceId, page, request.authority);
    for (const { path, providerObjectId, revision } of permitted) {
      if (!isWithin(base, path) || isAclPath(path)) continue;
      scanned += 1;
      const name = path.slice(path.lastIndexOf('/') + 1);
      const isDraft = isDraftName(name);
      if (!isDraft && !globs.some((glob) => glob.matches(name))) continue;
      if (providerObjectId !== null) skipped.push({ path, reason: 'provider-linked' });
      else if (unsent.has(path)) skipped.push({ path, reason: 'pending-writeback' });
      else {
        const reason = isDraft ? 'space-uuid-draft' : 'pattern';
        candidates.push({ path, reason, revision: `rev_${revision}` });
      }
    }
    drafts.push(...(await delivered(deps, workspaceId, candidates)));
    const last = page.at(-1);
    if (last === undefined || page.length < pageFiles) break;
    afterPath = last.path;
  }
  const removed = request.apply ? await removeDrafts(deps, workspaceId, request, drafts) : drafts;
  return { scanned, skipped, removed: removed.map(({ path, reason }) => ({ path, reason })) };
}

/** A file with a draft's name may have been edited since; a file that only a pattern matches must be unchanged. */
async function delivered(
  { writebacks }: SweepDeps,
  workspaceId: string,
  candidates: readonly Draft[],
): Promise<readonly Draft[]> {
  if (candidates.length === 0) return [];
  const paths = candidates.map(({ path }) => path);
  const rows = await writebacks.deliveredDrafts(workspaceId, paths);
  const created = new Map(rows.map((row) => [row.path, row.created]));
  return candidates.filter(({ path, reason }) =>
    reason === 'pattern' ? created.get(path) === true : created.has(path),
  );
}

/** Deletes the files that are still at the listed revision. No operation is created: providers do not see these deletions. */
async function removeDrafts(
  { change, deletes }: SweepDeps,
  workspaceId: string,
  { authority, correlationId }: SweepRequest,
  drafts: readonly Draft[],
): Promise<readonly Draft[]> {
  const limits = authority?.deleteLimits ?? [];
  if (!(await deletes.take(limits, drafts.length))) {
    throw new DeleteQuotaError(
      `Nothing was deleted: the delete quota of this token does not cover ${drafts.length} drafts. Wait a minute, or sweep fewer drafts with pathPrefix.`,
    );
  }
  const done: Draft[] = [];
  try {
    for (let start = 0; start < drafts.length; start += changesMax) {
      const chunk = drafts.slice(start, start + changesMax);
      const results = await change({
        workspaceId,
        changes: chunk.map(({ path, revision }) => ({
          kind: 'delete_file',
          path,
          precondition: { kind: 'revision', revision },
        })),
        atomic: false,
        actor: systemActor,
        origin: 'system',
        access: accessOf(authority),
        correlationId,
        makesOperations: false,
      });
      done.push(...chunk.filter((_, index) => results[index]?.ok === true));
    }
  } finally {
    await deletes.giveBack(limits, drafts.length - done.length);
  }
  return done;
}
