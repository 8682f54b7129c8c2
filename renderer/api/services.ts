// Everything that talks to the agent, made once per signed-in page, and the way components reach it.
// The renderer is an ordinary client: all of it goes through the SDK.
import { QueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import { MooringClient, MooringError, NoAnswerError, UnauthorizedError } from '../../sdk/index.ts';
import type { AgentStatus } from '../../server/contract/agent.ts';
import type { CurrentUser } from '../../server/contract/users.ts';
import type { Mirror, Workspace } from '../../server/contract/workspaces.ts';
import { AgentLink, type Failure, type LinkState, type StatusAnswer } from './agent-link.ts';
import { followChangedLists } from './changed-lists.ts';
import { agentUrl } from './desktop.ts';
import { type FolderCalls, FolderStore } from './folder-store.ts';
import { LiveFeed } from './live-feed.ts';
import { useObservable } from './observable.ts';
import type { Session } from './session.ts';
import { whenIdle } from './when-idle.ts';

/** A status request that takes longer counts as no response. */
const statusTimeoutMs = 5_000;
/** Enough for the recent activity, and for the chart of an ordinary hour. */
const recentPerWorkspace = 500;
/** Limit of workspaces with loaded folders. */
const folderStoresMax = 8;
/** Limit of points in time with loaded folders. */
const pastStoresMax = 3;

export interface Services {
  readonly client: MooringClient;
  readonly session: Session;
  readonly link: AgentLink;
  readonly live: LiveFeed;
  readonly queries: QueryClient;
  folders(workspaceId: string): FolderStore;
  /** The folders at a point in time. */
  pastFolders(workspaceId: string, atMs: number): FolderStore;
  start(): void;
  stop(): void;
}

/** One sentence for a failed request. */
export function describeError(error: unknown): string {
  if (error instanceof NoAnswerError) return 'Agent not responding.';
  if (error instanceof MooringError) return sentence(error.message);
  return error instanceof Error ? sentence(error.message) : String(error);
}

function sentence(text: string): string {
  const trimmed = text.trim();
  const closed = /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
  return closed.charAt(0).toUpperCase() + closed.slice(1);
}

function classify(error: unknown): Failure {
  if (error instanceof UnauthorizedError) return { kind: 'signed-out' };
  if (error instanceof MooringError) return { kind: 'refused', message: describeError(error) };
  return { kind: 'unreachable' };
}

export function createServices(session: Session): Services {
  const client = new MooringClient({ baseUrl: agentUrl(), token: session.token, retry: { retries: 1 } });
  const statusClient = new MooringClient({
    baseUrl: agentUrl(),
    token: session.token,
    retry: { retries: 0 },
    timeoutMs: statusTimeoutMs,
  });
  const queries = new QueryClient({
    defaultOptions: {
      // What is opened again is shown and loaded again: its screen was not there to hear of changes.
      queries: { retry: false, staleTime: 0, refetchOnWindowFocus: false },
    },
  });
  const { stores, allStores, folders, pastFolders } = createFolderStores(client);

  const live = new LiveFeed({
    open: (workspaceId, handlers) => client.subscribe(workspaceId, { from: 'now', ...handlers }),
    onEvents: (events) => {
      for (const [workspaceId, store] of stores) {
        store.apply(events.filter((event) => event.workspaceId === workspaceId).map((event) => event.frame));
      }
      for (const { workspaceId, frame } of events) {
        void queries.invalidateQueries({ queryKey: ['file', workspaceId, frame.path] });
      }
      link.refreshSoon();
    },
    onGap: (workspaceId) => {
      stores.get(workspaceId)?.reload();
      void queries.invalidateQueries({ queryKey: ['file', workspaceId] });
    },
    onBroken: () => link.refreshSoon(),
  });
  const link = new AgentLink({
    readStatus: statusReader(statusClient),
    classify,
    onSignedOut: () => session.end(),
    onBackOnline: () => {
      for (const store of allStores()) store.retryFailed();
      void queries.invalidateQueries();
    },
  });
  const unfollow = followWorkspaces(client, link, live);
  const lists = followChangedLists(client, queries, () => link.refreshSoon());

  return {
    client,
    session,
    link,
    live,
    queries,
    folders,
    pastFolders,
    start: () => {
      link.start();
      lists.start();
    },
    stop: () => {
      lists.stop();
      unfollow();
      link.stop();
      live.close();
      for (const store of allStores()) store.close();
    },
  };
}

/** The status, and who is signed in: the rights of the owner token never change, those of a user do. */
function statusReader(client: MooringClient): (signal: AbortSignal) => Promise<StatusAnswer> {
  let known: CurrentUser | null = null;
  return async (signal) => {
    const [status, viewer] = await Promise.all([
      client.agent.status({ signal }),
      known === null || known.user !== undefined ? client.users.me({ signal }) : known,
    ]);
    known = viewer;
    return { status, viewer };
  };
}

/**
 * Follows the events of workspaces, and loads their stored events once; a failure is retried with the next status. A stored event from
 * after the page was opened that no stream delivered may be missing in a list that was loaded before its stream began.
 */
function followWorkspaces(client: MooringClient, link: AgentLink, live: LiveFeed): () => void {
  const storedEventsLoaded = new Set<string>();
  const openedMs = Date.now();
  const loadStoredEvents = async (workspaceId: string): Promise<void> => {
    storedEventsLoaded.add(workspaceId);
    try {
      const page = await client.events.page(workspaceId, { direction: 'desc', limit: recentPerWorkspace });
      const undelivered = live.addStored(
        page.events.map((frame) => ({ workspaceId, frame })),
        page.nextCursor === null,
      );
      if (undelivered.some(({ frame }) => Date.parse(frame.timestamp) >= openedMs))
        live.reportGap(workspaceId);
    } catch {
      storedEventsLoaded.delete(workspaceId);
    }
  };
  return link.state.subscribe(() => {
    const { phase, status } = link.state.get();
    if (phase !== 'online' || status === null) return;
    const ids = status.workspaces.map((workspace) => workspace.workspaceId);
    const followed = live.follow(ids);
    // What the screen itself asks for comes first.
    whenIdle(() => {
      for (const id of followed) if (!storedEventsLoaded.has(id)) void loadStoredEvents(id);
    });
  });
}

/** The loaded folders of workspaces, now and at points in time. */
function createFolderStores(client: MooringClient) {
  const stores = new Map<string, FolderStore>();
  const pastStores = new Map<string, FolderStore>();
  const describe = (error: unknown) => ({
    text: describeError(error),
    unreachable: error instanceof NoAnswerError,
  });
  const pageOf = (path: string, cursor: string | null, signal: AbortSignal) => ({
    path,
    depth: 1,
    signal,
    ...(cursor === null ? {} : { cursor }),
  });
  return {
    stores,
    allStores: () => [...stores.values(), ...pastStores.values()],
    folders: (workspaceId: string) =>
      storeOf(stores, workspaceId, folderStoresMax, {
        tree: async (...page) => await client.listTree(workspaceId, pageOf(...page)),
        describe,
        countsFiles: true,
      }),
    pastFolders: (workspaceId: string, atMs: number) =>
      storeOf(pastStores, `${workspaceId} ${atMs}`, pastStoresMax, {
        tree: async (...page) => await client.history.tree(workspaceId, new Date(atMs), pageOf(...page)),
        describe,
        countsFiles: false,
      }),
  };
}

/** The store of that name, created if necessary; above `max` the oldest is closed. */
function storeOf(
  stores: Map<string, FolderStore>,
  name: string,
  max: number,
  calls: FolderCalls,
): FolderStore {
  const known = stores.get(name);
  if (known !== undefined) return known;
  const oldest = stores.keys().next().value;
  if (stores.size >= max && oldest !== undefined) {
    stores.get(oldest)?.close();
    stores.delete(oldest);
  }
  const store = new FolderStore(calls);
  stores.set(name, store);
  return store;
}

const ServicesContext = createContext<Services | null>(null);
export const ServicesProvider = ServicesContext.Provider;

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error('useServices must be used inside ServicesProvider');
  return services;
}

export function useLink(): LinkState {
  return useObservable(useServices().link.state);
}

export function useStatus(): AgentStatus | null {
  return useLink().status;
}

/** Why actions are disabled; null: the agent responds. */
export function useDisabledReason(): string | null {
  return useLink().phase === 'offline' ? 'Agent not responding.' : null;
}

export function workspaceName(workspaces: readonly Workspace[], workspaceId: string): string {
  return workspaces.find((workspace) => workspace.workspaceId === workspaceId)?.name ?? workspaceId;
}

export function mirrorOf(mirrors: readonly Mirror[], workspaceId: string): Mirror | undefined {
  return mirrors.find((mirror) => mirror.workspaceId === workspaceId);
}

/** The folder store of a workspace, now or at a point in time; the component renders when any of its folders changes. */
export function useFolders(workspaceId: string, atMs: number | null = null): FolderStore {
  const services = useServices();
  const store = useMemo(
    () => (atMs === null ? services.folders(workspaceId) : services.pastFolders(workspaceId, atMs)),
    [services, workspaceId, atMs],
  );
  useSyncExternalStore(store.subscribe, store.version);
  return store;
}

/** Loads a folder when it is shown. */
export function useOpenFolder(store: FolderStore, path: string | null): void {
  useEffect(() => {
    if (path !== null) store.open(path);
  }, [store, path]);
}
