// Provider refresh: runs requested pulls, one at a time per provider, and resumes them after a restart. A pull during which the
// agent ended unexpectedly twice is canceled. pull.ts makes a pull.
import type { Authority } from '../../core/access/authority.ts';
import { refreshesWaitingMax, withRefresh } from '../../core/inbound/refresh.ts';
import { refreshCrashesMax } from '../../delivery/limits.ts';
import { PullFailedError } from '../../outbound/providers/provider.ts';
import type { ProviderRegistry } from '../../outbound/providers/registry.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Ids } from '../../platform/crypto/ids.ts';
import type { Logger } from '../../platform/observe/logger.ts';
import type { ProviderRow, ProviderStore, RefreshRequest } from '../../store/port/store.ts';
import { type PullParts, pull } from './pull.ts';

export type { PulledDelivery } from './pull.ts';

export interface RefreshParts extends PullParts {
  readonly store: PullParts['store'] & { readonly providers: Pick<ProviderStore, 'update'> };
  readonly registry: ProviderRegistry;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'text'>;
  readonly logger: Logger;
}

type Due = NonNullable<ProviderRow['refresh']>;

/** Refusal: as many others wait already as may. HTTP says 429 `queue_full`. */
export class RefreshesFullError extends Error {
  override readonly name = 'RefreshesFullError';

  constructor(provider: string) {
    super(`${refreshesWaitingMax} refreshes of ${provider} wait already: ask again when they are over`);
  }
}

export interface Refresher {
  /** Takes up what was asked for before the agent ended. */
  start(): Promise<void>;
  /** Durable when it resolves; the pull follows. null as name: every provider of the workspace. Throws a RefreshesFullError. */
  request(
    workspaceId: string,
    name: string | null,
    asked: {
      readonly reason: string | null;
      readonly correlationId: string;
      /** Who asks: what is pulled changes only what they may change. */
      readonly by: Authority | null;
    },
  ): Promise<string>;
  stop(): Promise<void>;
}

export function createRefresher(parts: RefreshParts): Refresher {
  const { store, registry, clock, ids, logger } = parts;
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();

  let changing: Promise<unknown> = Promise.resolve();

  /** What is due is read and changed by one at a time. */
  function alone<Result>(change: () => Promise<Result>): Promise<Result> {
    const turn = changing.then(change);
    changing = turn.catch(() => undefined);
    return turn;
  }

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
      const error = due.openStarts >= refreshCrashesMax ? givenUp(row, due) : await runCounted(row, due);
      // A stop in order: this start was not the agent's unexpected end.
      if (stopping.signal.aborted) await alone(() => count(row, due, due.openStarts));
      else await alone(() => finish(workspaceId, name, due, error));
    }
  }

  /** The next one is due then; not where another one took its place meanwhile. */
  async function finish(
    workspaceId: string,
    name: string,
    due: RefreshRequest,
    error: string | null,
  ): Promise<void> {
    const row = await registry.get(workspaceId, name);
    if (row?.refresh?.id !== due.id) return;
    const [first, ...rest] = row.nextRefreshes;
    const refresh =
      first === undefined
        ? { ...row.refresh, finishedAtMs: clock.nowMs(), error, openStarts: 0 }
        : begun(first);
    await store.providers.update({ workspaceId, name, patch: { refresh, nextRefreshes: rest } });
  }

  async function ask(row: ProviderRow, asked: RefreshRequest): Promise<void> {
    const due = row.refresh?.finishedAtMs === null ? row.refresh : null;
    const after = withRefresh<RefreshRequest>({ due, next: row.nextRefreshes }, asked);
    if (after === null) throw new RefreshesFullError(row.name);
    const refresh = after.due === asked ? begun(asked) : row.refresh;
    const nextRefreshes = after.next;
    if (
      (await store.providers.update({
        workspaceId: row.workspaceId,
        name: row.name,
        patch: { refresh, nextRefreshes },
      })) !== null
    )
      begin(row);
  }

  /** false: another one took its place meanwhile. */
  async function count({ workspaceId, name }: ProviderRow, due: Due, openStarts: number): Promise<boolean> {
    const now = await registry.get(workspaceId, name);
    if (now?.refresh?.id !== due.id) return false;
    await store.providers.update({ workspaceId, name, patch: { refresh: { ...now.refresh, openStarts } } });
    return true;
  }

  /** Counted durably before it begins: an agent that ends during it finds out at its next start. */
  async function runCounted(row: ProviderRow, due: Due): Promise<string | null> {
    const isDue = await alone(() => count(row, due, due.openStarts + 1));
    return isDue ? await pullAndTell(row, due) : null;
  }

  function givenUp(row: ProviderRow, due: Due): string {
    const { workspaceId, name: provider } = row;
    logger.error(
      { workspaceId, provider, refresh: due.id },
      'a refresh that the agent did not survive is given up',
    );
    return `the agent ended unexpectedly ${due.openStarts} times during this refresh, so it is not resumed; start it again with "mooring provider refresh ${provider}"`;
  }

  async function pullAndTell(row: ProviderRow, due: Due): Promise<string | null> {
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
    async request(workspaceId, name, { reason, correlationId, by }) {
      const id = `sync_${ids.text(12)}`;
      logger.info(
        { workspaceId, provider: name, reason, correlationId, refresh: id },
        'a refresh was asked for',
      );
      const asked = { id, correlationId, requestedAtMs: clock.nowMs(), authority: by };
      await alone(async () => {
        const rows = await registry.list(workspaceId);
        const meant = name === null ? rows : rows.filter((row) => row.name === name.toLowerCase());
        for (const row of meant) {
          if (row.kind === 'http' && row.refreshUrl !== null) await ask(row, asked);
        }
      });
      return id;
    },
    async stop() {
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}

function begun(asked: RefreshRequest): Due {
  return { ...asked, finishedAtMs: null, error: null, openStarts: 0 };
}
