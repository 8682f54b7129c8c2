// What was: the history of paths, what differs between two revisions, and bringing a past state back.
import type { Transport } from './transport.ts';
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

export class HistoryCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A page, newest first; renames are followed unless `follow` is false. */
  async page(workspaceId: string, path: string, options: HistoryOptions = {}): Promise<HistoryPage> {
    const { below, batch, follow, cursor, limit } = options;
    const { body } = await this.#transport.json<HistoryPage>({
      method: 'GET',
      route: route(workspaceId, 'history'),
      query: { path, below: textOf(below), batch, follow: textOf(follow), cursor, limit },
      call: options,
    });
    return body;
  }

  /** Every kept revision that the token may see, newest first. */
  async *entries(
    workspaceId: string,
    path: string,
    options: HistoryOptions = {},
  ): AsyncGenerator<HistoryEntry, void, undefined> {
    let cursor = options.cursor;
    for (;;) {
      const page = await this.page(workspaceId, path, {
        ...options,
        ...(cursor === undefined ? {} : { cursor }),
      });
      yield* page.entries;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }

  /**
   * A page of what lay below a path at a moment, a directory as if its path ended with `/`. It may be short and still have a
   * `nextCursor`. `complete` false: retention has let go of states from then. The content of a file then: `readFile` with `at`.
   */
  async tree(workspaceId: string, at: string | Date, options: PastTreeOptions = {}): Promise<TreeAt> {
    const { path, depth, cursor } = options;
    const { body } = await this.#transport.json<TreeAt>({
      method: 'GET',
      route: route(workspaceId, 'history/tree'),
      query: { at: momentText(at), path, depth, cursor },
      call: options,
    });
    return body;
  }

  /** From one revision to another; by default what the newest one changed. `0` stands for nothing. */
  async diff(workspaceId: string, path: string, options: DiffOptions = {}): Promise<FileDiff> {
    const { from, to } = options;
    const { body } = await this.#transport.json<FileDiff>({
      method: 'GET',
      route: route(workspaceId, 'diff'),
      query: { path, from, to },
      call: options,
    });
    return body;
  }

  /**
   * One atomic change; restoring the `batch` of the answer takes it back. InvalidStateError: files of a batch were changed
   * since (`body.details.paths`). NotFoundError: retention has let go of a state that is needed.
   */
  async restore(workspaceId: string, input: RestoreInput, options?: CallOptions): Promise<Restored> {
    const { at, ...rest } = input;
    const { body } = await this.#transport.json<Restored>({
      method: 'POST',
      route: route(workspaceId, 'restore'),
      body: { ...rest, at: momentText(at) },
      safe: input.dryRun === true,
      call: options,
    });
    return body;
  }
}

function route(workspaceId: string, rest: string): string {
  return `/v1/workspaces/${encodeURIComponent(workspaceId)}/fs/${rest}`;
}

export function momentText<T extends string | undefined>(at: T | Date): T | string {
  return at instanceof Date ? at.toISOString() : at;
}

function textOf(flag: boolean | undefined): string | undefined {
  return flag === undefined ? undefined : String(flag);
}
