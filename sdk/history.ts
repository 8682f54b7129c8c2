// History of paths: revisions, diffs, trees at a point in time, and restores.
import { CallGroup, pagesOf, timeText, workspaceRoute } from './call-group.ts';
import type {
  CallOptions,
  DiffOptions,
  FileDiff,
  HistoryEntry,
  HistoryOptions,
  HistoryPage,
  PastTreeOptions,
  Restored,
  RestoreInput,
  TreeAt,
} from './types.ts';

export class HistoryCalls extends CallGroup {
  /** One page, newest first. Moves are followed unless `follow` is false. */
  async page(workspaceId: string, path: string, options: HistoryOptions = {}): Promise<HistoryPage> {
    const { below, deleted, batch, follow, cursor, limit } = options;
    return await this.transport.get(workspaceRoute(workspaceId, 'fs/history'), options, {
      path,
      below: textOf(below),
      deleted: textOf(deleted),
      batch,
      follow: textOf(follow),
      cursor,
      limit,
    });
  }

  /** All retained revisions that the token can read, newest first. */
  async *entries(
    workspaceId: string,
    path: string,
    options: HistoryOptions = {},
  ): AsyncGenerator<HistoryEntry, void, undefined> {
    const readPage = async (query: HistoryOptions) => await this.page(workspaceId, path, query);
    for await (const { entries } of pagesOf(readPage, options)) yield* entries;
  }

  /**
   * One page of the entries below a path at a point in time, ordered as if directory paths ended with `/`. A short page can have a
   * `nextCursor`. `complete` false: retention has deleted states of that time. For the content of a file use `files.read` with `at`.
   */
  async tree(workspaceId: string, at: string | Date, options: PastTreeOptions = {}): Promise<TreeAt> {
    const { path, depth, cursor } = options;
    return await this.transport.get(workspaceRoute(workspaceId, 'fs/history/tree'), options, {
      at: timeText(at),
      path,
      depth,
      cursor,
    });
  }

  /** The diff between two revisions. Default: the changes of the newest revision. `0`: no file. */
  async diff(workspaceId: string, path: string, options: DiffOptions = {}): Promise<FileDiff> {
    const { from, to } = options;
    return await this.transport.get(workspaceRoute(workspaceId, 'fs/diff'), options, { path, from, to });
  }

  /**
   * One atomic change. To undo it, restore the `batch` of the answer. InvalidStateError: files of the batch have later changes
   * (`body.details.paths`). NotFoundError: retention has deleted a required state.
   */
  async restore(workspaceId: string, input: RestoreInput, options?: CallOptions): Promise<Restored> {
    const { at, ...rest } = input;
    return await this.transport.call({
      method: 'POST',
      route: workspaceRoute(workspaceId, 'fs/restore'),
      body: { ...rest, at: timeText(at) },
      safe: input.dryRun === true,
      call: options,
    });
  }
}

function textOf(flag: boolean | undefined): string | undefined {
  return flag === undefined ? undefined : String(flag);
}
