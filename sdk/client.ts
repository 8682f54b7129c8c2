// The client: every call of the agent that a program needs, typed. It holds no state beside its options and may be shared.
// Files are in files.ts, operations in operations.ts, the owner's calls in management.ts and mirrors.ts; here is what joins them, and the feed.
import { ControlCalls } from './control.ts';
import { ForkCalls } from './forks.ts';
import { HistoryCalls } from './history.ts';
import { ImportCalls } from './imports.ts';
import { type SubscribeOptions, type Subscription, subscribe } from './live.ts';
import { SubscriptionCalls, WebhookCalls } from './notices.ts';
import { OperationCalls } from './operations.ts';
import { workspaceRoute } from './routes.ts';
import { SyncCalls } from './sync.ts';
import { Transport, type TransportOptions } from './transport.ts';
import type {
  CallOptions,
  ChangedResource,
  ChangeList,
  ChangesOptions,
  Events,
  EventsOptions,
  WorkspaceEvent,
} from './types.ts';

export interface ClientOptions extends TransportOptions {
  /** For `subscribe`, where there is no global WebSocket (before Node 22). */
  readonly webSocket?: (url: string) => WebSocket;
}

export class MooringClient extends OperationCalls {
  /** What comes in from providers: webhooks, sync status, dead letters, the admin plane. */
  readonly sync: SyncCalls;
  /** Addresses that are told of changes. */
  readonly webhooks: WebhookCalls;
  /** Events of one resource that wait until they are accepted. */
  readonly subscriptions: SubscriptionCalls;
  /** What was: revisions of files, differences, restoring. */
  readonly history: HistoryCalls;
  /** Views with changes of their own, committed as one or given up. */
  readonly forks: ForkCalls;
  /** Source tarballs of GitHub. */
  readonly imports: ImportCalls;
  /** How a program that knows only this agent's address and a token comes to a workspace. */
  readonly control: ControlCalls;
  readonly #transport: Transport;
  readonly #webSocket: ((url: string) => WebSocket) | undefined;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    super(transport);
    this.#transport = transport;
    this.sync = new SyncCalls(transport);
    this.webhooks = new WebhookCalls(transport);
    this.subscriptions = new SubscriptionCalls(transport);
    this.history = new HistoryCalls(transport);
    this.forks = new ForkCalls(transport);
    this.imports = new ImportCalls(transport);
    this.control = new ControlCalls(transport);
    this.#webSocket = options.webSocket;
  }

  async getEvents(workspaceId: string, options: EventsOptions = {}): Promise<Events> {
    const { path, provider, cursor, limit, direction } = options;
    const { body, headers } = await this.#transport.json<Omit<Events, 'cursorGap'>>({
      method: 'GET',
      route: workspaceRoute(workspaceId, 'fs/events'),
      query: { path, provider, cursor, limit, direction },
      call: options,
    });
    return { ...body, cursorGap: headers.get('mooring-cursor-gap') === '1' };
  }

  /** Every event that there is after a cursor (without one: every kept event), to the end of the feed. */
  async *events(
    workspaceId: string,
    options: EventsOptions = {},
  ): AsyncGenerator<WorkspaceEvent, void, undefined> {
    let cursor = options.cursor;
    for (;;) {
      const page = await this.getEvents(workspaceId, {
        ...options,
        ...(cursor === undefined ? {} : { cursor }),
      });
      yield* page.events;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }

  /** Events as they happen, without a gap over reconnects. See live.ts. */
  subscribe(workspaceId: string, options: SubscribeOptions): Subscription {
    return subscribe(
      {
        token: () => this.#transport.token(),
        baseUrl: this.#transport.baseUrl,
        getEvents: (query) => this.getEvents(workspaceId, query),
        ...(this.#webSocket === undefined ? {} : { webSocket: this.#webSocket }),
      },
      workspaceId,
      options,
    );
  }

  /** The feed by time: what changed since a moment, or lately. A page; go on with `nextCursor`. */
  async listChanges(workspaceId: string, options: ChangesOptions = {}): Promise<ChangeList> {
    const { since, last, path, provider, limit, cursor } = options;
    const moment = since instanceof Date ? since.toISOString() : since;
    const { body } = await this.#transport.json<ChangeList>({
      method: 'GET',
      route: workspaceRoute(workspaceId, 'fs/changes'),
      query: { since: moment, last, path, provider, limit, cursor },
      call: options,
    });
    return body;
  }

  /** A resource as one change left it. */
  async getChangedResource(
    workspaceId: string,
    eventId: string,
    options?: CallOptions,
  ): Promise<ChangedResource> {
    const { body } = await this.#transport.json<ChangedResource>({
      method: 'GET',
      route: workspaceRoute(workspaceId, 'fs/changes/resource'),
      query: { eventId },
      call: options,
    });
    return body;
  }
}
