// The event feed of a workspace: by page, live, and by time.
import { type SubscribeOptions, type Subscription, subscribe } from './live.ts';
import { pagesOf } from './pages.ts';
import { workspaceRoute } from './routes.ts';
import { timeText } from './time.ts';
import type { Transport } from './transport.ts';
import type {
  CallOptions,
  ChangedResource,
  ChangeList,
  ChangesOptions,
  Events,
  EventsOptions,
  WorkspaceEvent,
} from './types.ts';

export class EventCalls {
  readonly #transport: Transport;
  readonly #webSocket: ((url: string) => WebSocket) | undefined;

  constructor(transport: Transport, webSocket: ((url: string) => WebSocket) | undefined) {
    this.#transport = transport;
    this.#webSocket = webSocket;
  }

  /** One page of events, oldest first unless `direction` is `desc`. */
  async page(workspaceId: string, options: EventsOptions = {}): Promise<Events> {
    const { path, provider, cursor, limit, direction } = options;
    const { body, headers } = await this.#transport.json<Omit<Events, 'cursorGap'>>({
      method: 'GET',
      route: workspaceRoute(workspaceId, 'fs/events'),
      query: { path, provider, cursor, limit, direction },
      call: options,
    });
    return { ...body, cursorGap: headers.get('mooring-cursor-gap') === '1' };
  }

  /** All events after a cursor. Without a cursor: all retained events. */
  async *all(
    workspaceId: string,
    options: EventsOptions = {},
  ): AsyncGenerator<WorkspaceEvent, void, undefined> {
    const readPage = async (query: EventsOptions) => await this.page(workspaceId, query);
    for await (const { events } of pagesOf(readPage, options)) yield* events;
  }

  /** Events as they happen, without gaps over reconnects. */
  subscribe(workspaceId: string, options: SubscribeOptions): Subscription {
    return subscribe(
      {
        token: () => this.#transport.token(),
        baseUrl: this.#transport.baseUrl,
        getEvents: (query) => this.page(workspaceId, query),
        ...(this.#webSocket === undefined ? {} : { webSocket: this.#webSocket }),
      },
      workspaceId,
      options,
    );
  }

  /** One page of changes since a time, or of the latest changes. */
  async changes(workspaceId: string, options: ChangesOptions = {}): Promise<ChangeList> {
    const { since, last, path, provider, limit, cursor } = options;
    return await this.#transport.call({
      method: 'GET',
      route: workspaceRoute(workspaceId, 'fs/changes'),
      query: { since: timeText(since), last, path, provider, limit, cursor },
      call: options,
    });
  }

  /** A resource as one change left it. */
  async changedResource(
    workspaceId: string,
    eventId: string,
    options?: CallOptions,
  ): Promise<ChangedResource> {
    const route = workspaceRoute(workspaceId, 'fs/changes/resource');
    return await this.#transport.call({ method: 'GET', route, query: { eventId }, call: options });
  }
}
