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
import { type PullDeps, pull } from './pull.ts';

export type { PulledDelivery } from './pull.ts';

export interface RefreshDeps extends PullDeps {
  readonly store: PullDeps['store'] & { readonly providers: Pick<ProviderStore, 'update'> };
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

export class Refresher {
  readonly #deps: RefreshDeps;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  #changing: Promise<unknown> = Promise.resolve();

  constructor(deps: RefreshDeps) {
    this.#deps = deps;
  }

  /** Takes up what was asked for before the agent ended. */
  async start(): Promise<void> {
    for (const row of await this.#deps.registry.all()) {
      if (row.refresh !== null && row.refresh.finishedAtMs === null) this.#begin(row);
    }
  }

  /**
   * Durable when it resolves; the pull follows. null as name: every provider of the workspace. `by`: what is pulled changes only what
   * they may change. Throws a RefreshesFullError.
   */
  async request(
    workspaceId: string,
    name: string | null,
    {
      reason,
      correlationId,
      by,
    }: { readonly reason: string | null; readonly correlationId: string; readonly by: Authority | null },
  ): Promise<string> {
    const { registry, clock, ids, logger } = this.#deps;
    const id = `sync_${ids.text(12)}`;
    logger.info(
      { workspaceId, provider: name, reason, correlationId, refresh: id },
      'a refresh was asked for',
    );
    const request = { id, correlationId, requestedAtMs: clock.nowMs(), authority: by };
    await this.#alone(async () => {
      const rows = await registry.list(workspaceId);
      const named = name === null ? rows : rows.filter((row) => row.name === name.toLowerCase());
      for (const row of named) {
        if (row.kind === 'http' && row.refreshUrl !== null) await this.#add(row, request);
      }
    });
    return id;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running.values());
  }

  /** What is due is read and changed by one at a time. */
  #alone<Result>(change: () => Promise<Result>): Promise<Result> {
    const turn = this.#changing.then(change);
    this.#changing = turn.catch(() => undefined);
    return turn;
  }

  #begin(row: ProviderRow): void {
    const key = JSON.stringify([row.workspaceId, row.name]);
    if (this.#running.has(key) || this.#stopping.signal.aborted) return;
    const work = this.#runDue(row).finally(() => this.#running.delete(key));
    this.#running.set(key, work);
  }

  /** Until nothing is due any more: a request that came while one ran is served by another pull. */
  async #runDue({ workspaceId, name }: ProviderRow): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      const row = await this.#deps.registry.get(workspaceId, name);
      const due = row?.refresh ?? null;
      if (row === null || due === null || due.finishedAtMs !== null || signal.aborted) return;
      const error =
        due.openStarts >= refreshCrashesMax ? this.#givenUp(row, due) : await this.#runCounted(row, due);
      // A stop in order: this start was not the agent's unexpected end.
      if (signal.aborted) await this.#alone(() => this.#count(row, due, due.openStarts));
      else await this.#alone(() => this.#finish(row, due, error));
    }
  }

  /** The next one is due then; not where another one took its place meanwhile. */
  async #finish({ workspaceId, name }: ProviderRow, due: Due, error: string | null): Promise<void> {
    const { store, registry, clock } = this.#deps;
    const row = await registry.get(workspaceId, name);
    if (row?.refresh?.id !== due.id) return;
    const [first, ...rest] = row.nextRefreshes;
    const refresh =
      first === undefined
        ? { ...row.refresh, finishedAtMs: clock.nowMs(), error, openStarts: 0 }
        : begun(first);
    await store.providers.update({ workspaceId, name, patch: { refresh, nextRefreshes: rest } });
  }

  async #add(row: ProviderRow, request: RefreshRequest): Promise<void> {
    const { workspaceId, name } = row;
    const due = row.refresh?.finishedAtMs === null ? row.refresh : null;
    const after = withRefresh<RefreshRequest>({ due, next: row.nextRefreshes }, request);
    if (after === null) throw new RefreshesFullError(name);
    const refresh = after.due === request ? begun(request) : row.refresh;
    const patch = { refresh, nextRefreshes: after.next };
    const updated = await this.#deps.store.providers.update({ workspaceId, name, patch });
    if (updated !== null) this.#begin(row);
  }

  /** false: another one took its place meanwhile. */
  async #count({ workspaceId, name }: ProviderRow, due: Due, openStarts: number): Promise<boolean> {
    const { store, registry } = this.#deps;
    const now = await registry.get(workspaceId, name);
    if (now?.refresh?.id !== due.id) return false;
    await store.providers.update({ workspaceId, name, patch: { refresh: { ...now.refresh, openStarts } } });
    return true;
  }

  /** Counted durably before it begins: an agent that ends during it finds out at its next start. */
  async #runCounted(row: ProviderRow, due: Due): Promise<string | null> {
    const isDue = await this.#alone(() => this.#count(row, due, due.openStarts + 1));
    return isDue ? await this.#pull(row, due) : null;
  }

  #givenUp({ workspaceId, name: provider }: ProviderRow, due: Due): string {
    this.#deps.logger.error(
      { workspaceId, provider, refresh: due.id },
      'a refresh that the agent did not survive is given up',
    );
    return `the agent ended unexpectedly ${due.openStarts} times during this refresh, so it is not resumed; start it again with "mooring provider refresh ${provider}"`;
  }

  /** Why it failed; null: it did not, or there is nothing to pull. */
  async #pull(row: ProviderRow, due: Due): Promise<string | null> {
    const { registry, logger } = this.#deps;
    const fields = { workspaceId: row.workspaceId, provider: row.name, correlationId: due.correlationId };
    const provider = registry.callable(row);
    if (provider === null || provider.pull === null) return null;
    try {
      const counts = await pull(this.#deps, row, provider, due, this.#stopping.signal);
      logger.info({ ...fields, ...counts }, 'a provider was refreshed');
      return null;
    } catch (error) {
      logger.warn({ ...fields, err: error }, 'a refresh failed');
      return error instanceof PullFailedError ? error.message : 'the agent could not finish it';
    }
  }
}

function begun(request: RefreshRequest): Due {
  return { ...request, finishedAtMs: null, error: null, openStarts: 0 };
}
