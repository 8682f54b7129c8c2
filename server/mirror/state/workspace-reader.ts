// Reads the workspace for a mirror: a full listing once, then the paths that the event feed names. It throws when a listing is
// incomplete, and changes nothing.
import { PathRows } from '../../core/paths/path-rows.ts';
import { noRow } from '../../core/paths/row-slots.ts';
import { TimeSlices } from '../../platform/event-loop.ts';
import { refreshWorkspace, type SyncContext } from './context.ts';
import { inSlices } from './slices.ts';

const listPageFiles = 1000;
/** More changed paths than this are read as a listing instead of one by one. */
const changedPathsMax = 2000;

/** The workspace was deleted; its folder stays unchanged. */
export class WorkspaceGoneError extends Error {
  override readonly name = 'WorkspaceGoneError';
}

export class WorkspaceReader {
  readonly #context: SyncContext;
  #eventCursor: number | null = null;

  constructor(context: SyncContext) {
    this.#context = context;
  }

  async mustExist(): Promise<void> {
    const { workspaces, workspaceId } = this.#context;
    if ((await workspaces.get(workspaceId)) === null)
      throw new WorkspaceGoneError('the workspace is deleted');
  }

  /** Reads the whole workspace. */
  async list(): Promise<void> {
    const { feed, workspaces, workspaceId, trees, clock } = this.#context;
    await this.mustExist();
    // Taken before the listing: what changes meanwhile is read again from its event.
    const cursor = await feed.position();
    const seen = new PathRows();
    const slices = new TimeSlices(clock);
    for (let after: string | null = null; ; ) {
      const page = await workspaces.listFiles(workspaceId, '/', after, listPageFiles);
      for (const { path, hash, revision, sizeBytes } of page) {
        seen.add(path);
        trees.setWorkspace(path, { hash, revision, sizeBytes });
      }
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.path;
      await slices.next();
    }
    // A workspace that was deleted meanwhile lists nothing, and nothing must follow from that.
    await this.mustExist();
    const isGone = (path: string) => seen.find(path) === noRow;
    const note = (path: string) => isGone(path) && trees.setWorkspace(path, null);
    await inSlices(trees.basePaths(), clock, note);
    await inSlices([...trees.differingPaths()], clock, note);
    this.#eventCursor = cursor;
  }

  /** Reads what changed since. false: nothing that this mirror did not do itself. */
  async readEvents(): Promise<boolean> {
    const { feed, trees, clock } = this.#context;
    const slices = new TimeSlices(clock);
    // By path, of those whose last change is none of this mirror's own: after a first mirror nearly all are its own.
    const foreign = new Set<string>();
    for (let more = true; more; ) {
      const page = await feed.page(this.#eventCursor);
      if (page === null) {
        await this.list();
        return true;
      }
      for (const { path, isKnown } of page.changes) {
        // What this mirror did itself is known already.
        if (isKnown(trees.workspaceAt(path))) foreign.delete(path);
        else foreign.add(path);
      }
      this.#eventCursor = page.position;
      more = page.more;
      await slices.next();
    }
    if (foreign.size === 0) return false;
    if (foreign.size > changedPathsMax) await this.list();
    else for (const path of foreign) await refreshWorkspace(this.#context, path);
    return true;
  }
}
