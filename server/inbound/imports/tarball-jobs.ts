// Imports tarballs one at a time, uploaded or downloaded (tarball-download.ts). Jobs are in memory: after a restart they are
// unknown, and requesting an import again is safe.
import type { Clock } from '../../platform/clock.ts';
import type { Ids } from '../../platform/crypto/ids.ts';
import type { Logger } from '../../platform/observe/logger.ts';
import {
  importTarball,
  TarballRefusedError,
  type TarballRequest,
  type TarballResult,
} from '../../workspaces/import-tarball.ts';
import type { WorkspaceService } from '../../workspaces/service.ts';
import {
  allowedToFetch,
  downloadTarball,
  FetchNotAllowedError,
  type TarballAddress,
} from './tarball-download.ts';

export {
  TarballRefusedError,
  type TarballRequest,
  type TarballResult,
} from '../../workspaces/import-tarball.ts';
export { FetchNotAllowedError } from './tarball-download.ts';

export interface TarballSource {
  readonly workspaceId: string;
  /** Who asks, as access rules know them; null: the owner of this agent. A job names paths, so only they may see it. */
  readonly agent: string | null;
  readonly owner: string;
  readonly repo: string;
  readonly ref: string | null;
  readonly headSha: string;
  /** null: one is made. */
  readonly jobId: string | null;
}

export interface TarballJobRow extends Omit<TarballSource, 'jobId'> {
  readonly jobId: string;
  readonly status: 'queued' | 'fetching' | 'importing' | 'completed' | 'failed';
  readonly result: TarballResult;
  readonly lastError: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly completedAtMs: number | null;
}

const waitingJobsMax = 20;
/** Finished ones that can be asked for; the oldest are forgotten first. */
const keptJobsMax = 200;
const nothing: TarballResult = { imported: 0, bytesWritten: 0, errors: [], skipped: [] };

interface TarballJobsDeps {
  readonly workspaces: WorkspaceService;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'text'>;
  readonly logger: Logger;
  /** Hosts that the owner allows; none: nothing is fetched. */
  readonly hosts: readonly string[];
}

export class TarballJobs {
  readonly #deps: TarballJobsDeps;
  /** Oldest first. */
  readonly #jobs = new Map<string, TarballJobRow>();
  readonly #stopping = new AbortController();
  #importing = false;
  #fetching: Promise<void> = Promise.resolve();

  constructor(deps: TarballJobsDeps) {
    this.#deps = deps;
  }

  /** Imports what was sent. null: another import runs. With a job id the result can be asked for later. */
  async run(source: TarballSource, request: TarballRequest): Promise<TarballResult | null> {
    if (this.#importing) return null;
    const result = await this.#import(request);
    if (source.jobId !== null) {
      const job = this.#made(source, source.jobId);
      this.#put({ ...job, status: 'completed', result, completedAtMs: job.createdAtMs });
    }
    return result;
  }

  /** Begins to fetch, or answers the job that does so already. null: too many wait. Throws a FetchNotAllowedError. */
  fetch(
    source: TarballSource,
    from: TarballAddress,
    request: Omit<TarballRequest, 'archive'>,
  ): TarballJobRow | null {
    allowedToFetch(this.#deps.hosts, from.url);
    const open = [...this.#jobs.values()].filter((job) => job.completedAtMs === null);
    const same = open.find((job) => isSame(job, source));
    if (same !== undefined) return same;
    if (open.length >= waitingJobsMax) return null;
    const job = this.#made(source, source.jobId ?? `imp_${this.#deps.ids.text(20)}`);
    this.#put(job);
    this.#fetching = this.#fetching.then(() => this.#run(job, from, request));
    return job;
  }

  /** Its own jobs; the owner (null) of this agent sees all. */
  get(workspaceId: string, jobId: string, agent: string | null): TarballJobRow | null {
    const jobs = [...this.#jobs.values()].filter(
      (job) => job.workspaceId === workspaceId && job.jobId === jobId,
    );
    return jobs.find((job) => agent === null || job.agent === agent) ?? null;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#fetching;
  }

  async #import(request: TarballRequest): Promise<TarballResult> {
    this.#importing = true;
    try {
      return await importTarball(this.#deps.workspaces, request);
    } finally {
      this.#importing = false;
    }
  }

  async #run(
    job: TarballJobRow,
    from: TarballAddress,
    request: Omit<TarballRequest, 'archive'>,
  ): Promise<void> {
    const { logger, clock } = this.#deps;
    const about = { workspaceId: job.workspaceId, jobId: job.jobId };
    try {
      this.#change(job, { status: 'fetching' });
      const { signal } = this.#stopping;
      const archive = await downloadTarball({ hosts: this.#deps.hosts, clock, signal }, from);
      this.#change(job, { status: 'importing' });
      const result = await this.#import({ ...request, archive });
      this.#change(job, { status: 'completed', result, completedAtMs: clock.nowMs() });
    } catch (error) {
      const isExpected = error instanceof TarballRefusedError || error instanceof FetchNotAllowedError;
      if (!isExpected) logger.error({ err: error, ...about }, 'an import failed inside the agent');
      const lastError = isExpected ? error.message : 'internal error';
      this.#change(job, { status: 'failed', lastError, completedAtMs: clock.nowMs() });
    }
  }

  #made({ workspaceId, agent, owner, repo, ref, headSha }: TarballSource, jobId: string): TarballJobRow {
    const atMs = this.#deps.clock.nowMs();
    const source = { workspaceId, agent, owner, repo, ref, headSha };
    return {
      ...source,
      jobId,
      status: 'queued',
      result: nothing,
      lastError: null,
      createdAtMs: atMs,
      updatedAtMs: atMs,
      completedAtMs: null,
    };
  }

  #change(job: TarballJobRow, patch: Partial<TarballJobRow>): void {
    const now = this.#jobs.get(keyOf(job)) ?? job;
    this.#put({ ...now, ...patch, updatedAtMs: this.#deps.clock.nowMs() });
  }

  #put(job: TarballJobRow): void {
    this.#jobs.set(keyOf(job), job);
    const over = [...this.#jobs].filter(([, one]) => one.completedAtMs !== null);
    for (const [key] of over.slice(0, Math.max(over.length - keptJobsMax, 0))) this.#jobs.delete(key);
  }
}

function isSame(job: TarballJobRow, source: TarballSource): boolean {
  return (
    job.workspaceId === source.workspaceId &&
    job.agent === source.agent &&
    (job.jobId === source.jobId ||
      (job.owner === source.owner && job.repo === source.repo && job.headSha === source.headSha))
  );
}

function keyOf({
  workspaceId,
  agent,
  jobId,
}: Pick<TarballJobRow, 'workspaceId' | 'agent' | 'jobId'>): string {
  return JSON.stringify([workspaceId, agent, jobId]);
}
