// One pull: what a provider has is read from its refresh address and compared with the workspace; every difference goes the
// way of a webhook. It never overwrites a local change that its provider has not seen yet.
import type { Authority } from '../core/authority.ts';
import type { Clock } from '../platform/clock.ts';
import { sha256Hex } from '../platform/crypto.ts';
import { permittedRows } from '../store/permits.ts';
import type { ProviderRow, Store } from '../store/port.ts';
import { type Provider, PullFailedError } from './provider.ts';
import { deletionOf, hashOf, hasNewId, payloadOf, readPages } from './pulled-files.ts';

/** A delivery as a provider would send it. */
export interface PulledDelivery {
  readonly workspaceId: string;
  readonly provider: string;
  readonly deliveryId: string;
  readonly correlationId: string;
  readonly occurredAtMs: number;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Who asked for the refresh. */
  readonly authority: Authority | null;
}

export interface PullParts {
  readonly store: Pick<Store, 'writebacks' | 'files' | 'maintenance'>;
  readonly clock: Pick<Clock, 'nowMs' | 'delay'>;
  /** Where webhooks go. `full`: there is no room right now. */
  readonly accept: (delivery: PulledDelivery) => Promise<'accepted' | 'full'>;
}

const fullRetryMs = 200;
/** A list that says that most is gone is more likely broken than right (sync-engine, mass change). */
const deletesCheckedFrom = 10;
const deletesShareMax = 0.5;
const entriesPage = 1_000;

/** Throws a PullFailedError. */
export async function pull(
  { store, clock, accept }: PullParts,
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
  // What whoever asked may not change is left as it is; a webhook of it would only be a dead letter.
  const permitted = await permittedRows(store.files, row.workspaceId, mayChange, due.authority);
  for (const file of permitted) {
    const delivery = {
      workspaceId: row.workspaceId,
      provider: row.name,
      deliveryId: `${due.id}:${sha256Hex(file.path)}`,
      correlationId: due.correlationId,
      occurredAtMs: startedAtMs,
      payload: payloadOf(file),
      authority: due.authority,
    };
    while ((await accept(delivery)) === 'full') {
      await clock.delay(fullRetryMs, signal);
      if (signal.aborted) throw new PullFailedError('the agent was stopped');
    }
  }
  return { files: files.size, changed: permitted.length, kept: wanted.length - permitted.length };
}

interface Present {
  readonly hash: string;
  readonly revision: number;
  readonly providerObjectId: string | null;
  /** The provider knows it: it has an id for it, or what is there came from it. */
  readonly isProviders: boolean;
}

async function listPresent(store: PullParts['store'], row: ProviderRow): Promise<Map<string, Present>> {
  const present = new Map<string, Present>();
  let afterPath: string | null = null;
  for (;;) {
    const page: Awaited<ReturnType<typeof store.files.query>> = await store.files.query(
      row.workspaceId,
      { path: '/', provider: row.name, properties: {} },
      { afterPath, limit: entriesPage, access: null },
    );
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
