// Refresh: what a provider has is pulled from its refresh address and compared with the workspace; every difference goes the
// way of a webhook. It never overwrites a local change that its provider has not seen yet.
import { normalizeReadPath, providerOf } from '../core/path.ts';
import type { Clock } from '../platform/clock.ts';
import { sha256Hex } from '../platform/crypto.ts';
import type { Ids } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { ProviderRow, Store } from '../store/port.ts';
import { type Provider, type PulledFile, PullFailedError } from './provider.ts';
import type { ProviderRegistry } from './registry.ts';

/** A delivery as a provider would send it. */
export interface PulledDelivery {
  readonly workspaceId: string;
  readonly provider: string;
  readonly deliveryId: string;
  readonly correlationId: string;
  readonly occurredAtMs: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface RefreshParts {
  readonly store: Pick<Store, 'providers' | 'writebacks' | 'files' | 'maintenance'>;
  readonly registry: ProviderRegistry;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'text'>;
  readonly logger: Logger;
  /** Where webhooks go. `full`: there is no room right now. */
  readonly accept: (delivery: PulledDelivery) => Promise<'accepted' | 'full'>;
}

export interface Refresher {
  /** Takes up what was asked for before the agent ended. */
  start(): Promise<void>;
  /** Durable when it resolves; the pull follows. null as name: every provider of the workspace. */
  request(
    workspaceId: string,
    name: string | null,
    asked: { readonly reason: string | null; readonly correlationId: string },
  ): Promise<string>;
  stop(): Promise<void>;
}

const pagesMax = 10_000;
const filesMax = 1_000_000;
const fullRetryMs = 200;
/** A list that says that most is gone is more likely broken than right (sync-engine, mass change). */
const deletesCheckedFrom = 10;
const deletesShareMax = 0.5;
const entriesPage = 1_000;

export function createRefresher(parts: RefreshParts): Refresher {
  const { store, registry, clock, ids, logger } = parts;
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();

  function begin(row: ProviderRow): void {
    const key = JSON.stringify([row.workspaceId, row.name]);
    if (running.has(key) || stopping.signal.aborted) return;
    const work = runDue(row.workspaceId, row.name).finally(() => running.delete(key));
    running.set(key, work);
  }

  /** Until nothing is due any more: a request that came while one ran is served by another pull. */
  async function runDue(workspaceId: string, name: string): Promise<void> {
    for (;;) {
      const row = await registry.get(workspaceId, name);
      const due = row?.refresh ?? null;
      if (row === null || due === null || due.finishedAtMs !== null || stopping.signal.aborted) return;
      const error = await pullAndTell(row, due);
      if (stopping.signal.aborted) return;
      const now = await registry.get(workspaceId, name);
      if (now?.refresh?.id !== due.id) continue;
      await store.providers.update(workspaceId, name, {
        refresh: { ...due, finishedAtMs: clock.nowMs(), error },
      });
    }
  }

  async function pullAndTell(
    row: ProviderRow,
    due: NonNullable<ProviderRow['refresh']>,
  ): Promise<string | null> {
    const about = { workspaceId: row.workspaceId, provider: row.name, correlationId: due.correlationId };
    const provider = registry.callable(row);
    if (provider === null || provider.pull === null) return null;
    try {
      const counts = await pull(parts, row, provider, due, stopping.signal);
      logger.info({ ...about, ...counts }, 'a provider was refreshed');
      return null;
    } catch (error) {
      logger.warn({ ...about, err: error }, 'a refresh failed');
      return error instanceof PullFailedError ? error.message : 'the agent could not finish it';
    }
  }

  return {
    async start() {
      for (const row of await registry.all()) {
        if (row.refresh !== null && row.refresh.finishedAtMs === null) begin(row);
      }
    },
    async request(workspaceId, name, { reason, correlationId }) {
      const id = `sync_${ids.text(12)}`;
      const rows = await registry.list(workspaceId);
      const meant = name === null ? rows : rows.filter((row) => row.name === name.toLowerCase());
      const requestedAtMs = clock.nowMs();
      logger.info(
        { workspaceId, provider: name, reason, correlationId, refresh: id },
        'a refresh was asked for',
      );
      for (const row of meant) {
        const refresh = { id, correlationId, requestedAtMs, finishedAtMs: null, error: null };
        if (row.kind !== 'http' || row.refreshUrl === null) continue;
        if ((await store.providers.update(workspaceId, row.name, { refresh })) !== null) begin(row);
      }
      return id;
    },
    async stop() {
      stopping.abort();
      await Promise.all(running.values());
    },
  };

  async function pull(
    { accept }: RefreshParts,
    row: ProviderRow,
    provider: Provider,
    due: NonNullable<ProviderRow['refresh']>,
    signal: AbortSignal,
  ): Promise<{ files: number; changed: number; kept: number }> {
    // What changes here from now on is newer than what the provider is about to say.
    const startedAtMs = clock.nowMs();
    const newestRevision = await store.maintenance.lastRevision();
    const { files, complete } = await readPages(provider, row.name, due.id, signal);
    const present = await listPresent(store, row);
    const unsent = new Set(await store.writebacks.unsentPaths(row.workspaceId));
    const differences = [...files.values()].filter((file) => {
      const here = present.get(file.path);
      if (file.deleted) return here !== undefined;
      return here === undefined || here.hash !== hashOf(file) || hasNewId(file, here.providerObjectId);
    });
    const gone = complete
      ? [...present].filter(([path, here]) => !files.has(path) && here.isProviders).map(([path]) => path)
      : [];
    if (gone.length >= deletesCheckedFrom && gone.length > present.size * deletesShareMax) {
      throw new PullFailedError(
        `its answer would delete ${gone.length} of ${present.size} files; nothing was changed`,
      );
    }
    const wanted = [...differences, ...gone.map(deletionOf)];
    const mayChange = wanted.filter(
      ({ path }) => !unsent.has(path) && (present.get(path)?.revision ?? 0) <= newestRevision,
    );
    for (const file of mayChange) {
      const delivery = {
        workspaceId: row.workspaceId,
        provider: row.name,
        deliveryId: `${due.id}:${sha256Hex(file.path)}`,
        correlationId: due.correlationId,
        occurredAtMs: startedAtMs,
        payload: payloadOf(file),
      };
      while ((await accept(delivery)) === 'full') {
        await clock.delay(fullRetryMs, signal);
        if (signal.aborted) throw new PullFailedError('the agent was stopped');
      }
    }
    return { files: files.size, changed: mayChange.length, kept: wanted.length - mayChange.length };
  }
}

async function readPages(
  provider: Provider,
  name: string,
  id: string,
  signal: AbortSignal,
): Promise<{ files: Map<string, PulledFile>; complete: boolean }> {
  const files = new Map<string, PulledFile>();
  let complete = false;
  let cursor: string | null = null;
  for (let page = 0; page < pagesMax; page += 1) {
    const pulled: Awaited<ReturnType<NonNullable<Provider['pull']>>> | undefined = await provider.pull?.(
      cursor,
      id,
      signal,
    );
    if (pulled === undefined) throw new PullFailedError('it cannot be pulled');
    for (const file of pulled.files) {
      const path = normalizeReadPath(file.path);
      if (providerOf(path) !== name) throw new PullFailedError(`${path} does not belong to ${name}`);
      files.set(path, { ...file, path });
    }
    if (files.size > filesMax) throw new PullFailedError(`it has more than ${filesMax} files`);
    complete ||= pulled.complete;
    if (pulled.nextCursor === null) return { files, complete };
    if (pulled.nextCursor === cursor) throw new PullFailedError('its pages do not end');
    cursor = pulled.nextCursor;
  }
  throw new PullFailedError(`it has more than ${pagesMax} pages`);
}

interface Present {
  readonly hash: string;
  readonly revision: number;
  readonly providerObjectId: string | null;
  /** The provider knows it: it has an id for it, or what is there came from it. */
  readonly isProviders: boolean;
}

async function listPresent(store: RefreshParts['store'], row: ProviderRow): Promise<Map<string, Present>> {
  const present = new Map<string, Present>();
  let afterPath: string | null = null;
  for (;;) {
    const page: Awaited<ReturnType<typeof store.files.query>> = await store.files.query(
      row.workspaceId,
      { path: '/', provider: row.name, properties: {} },
      { afterPath, limit: entriesPage, access: null },
    );
    // null: the cursor's file went meanwhile. What follows is not known, so nothing is taken for gone.
    if (page === null) throw new PullFailedError('the workspace changed while it was compared; try again');
    for (const { entry } of page.items) {
      const [newest] = await store.files.history(row.workspaceId, entry.path, 1, null);
      present.set(entry.path, {
        hash: entry.hash,
        revision: entry.revision,
        providerObjectId: entry.providerObjectId,
        isProviders: entry.providerObjectId !== null || newest?.origin === 'provider_sync',
      });
    }
    const last = page.items.at(-1);
    if (!page.more || last === undefined) return present;
    afterPath = last.entry.path;
  }
}

/** null: not decodable; the intake will say so, with all that was sent. */
function hashOf(file: PulledFile): string | null {
  const encoding = file.encoding ?? 'utf-8';
  if (encoding === 'base64') return sha256Hex(Buffer.from(file.content, 'base64'));
  return encoding === 'utf-8' || encoding === 'utf8' ? sha256Hex(file.content) : null;
}

function hasNewId(file: PulledFile, known: string | null): boolean {
  return file.providerObjectId !== null && file.providerObjectId !== known;
}

function deletionOf(path: string): PulledFile {
  const nothing = { encoding: null, contentType: null, providerObjectId: null, semantics: null };
  return { path, deleted: true, content: '', ...nothing };
}

function payloadOf(file: PulledFile): Readonly<Record<string, unknown>> {
  if (file.deleted) return { event_type: 'file.deleted', path: file.path };
  const { path, content, encoding, contentType, providerObjectId, semantics } = file;
  return {
    event_type: 'file.updated',
    path,
    data: {
      content,
      ...(encoding === null ? {} : { encoding }),
      ...(contentType === null ? {} : { contentType }),
      ...(providerObjectId === null ? {} : { providerObjectId }),
      ...(semantics === null ? {} : { semantics }),
    },
  };
}
