// What all groups of calls share: the transport, routes, times, and reading a list page by page.
import { InvalidArgumentError } from './errors.ts';
import type { Transport } from './transport.ts';

/** A subject of calls. */
export abstract class CallGroup {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }
}

/** One segment of a route. Throws InvalidArgumentError for text that would lead to another route, or to none. */
export function segment(text: string): string {
  // Each URL parser resolves both, also in their percent-encoded form.
  if (text === '.' || text === '..') throw new InvalidArgumentError(`"${text}" is not an id`);
  if (!text.isWellFormed())
    throw new InvalidArgumentError(`${JSON.stringify(text)} is not an id: it contains an unpaired surrogate`);
  return encodeURIComponent(text);
}

/** `rest` without a leading slash. Absent: the workspace itself. */
export function workspaceRoute(workspaceId: string, rest?: string): string {
  const workspace = `/v1/workspaces/${segment(workspaceId)}`;
  return rest === undefined ? workspace : `${workspace}/${rest}`;
}

/** An RFC 3339 time for a Date. Text is sent unchanged. */
export function timeText<T extends string | undefined>(time: T | Date): T | string {
  return time instanceof Date ? time.toISOString() : time;
}

/** Yields every page, from `options.cursor` or the first page to the last one. */
export async function* pagesOf<
  Options extends { readonly cursor?: string },
  Page extends { readonly nextCursor: string | null },
>(readPage: (options: Options) => Promise<Page>, options: Options): AsyncGenerator<Page, void, undefined> {
  let page = await readPage(options);
  yield page;
  while (page.nextCursor !== null) {
    page = await readPage({ ...options, cursor: page.nextCursor });
    yield page;
  }
}
