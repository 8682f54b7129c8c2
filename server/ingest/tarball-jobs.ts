// Imports of tarballs, one at a time, and their jobs: of an archive that was sent, or that this agent fetches from a host that its
// owner allows. Jobs live in memory: after a restart nobody knows them, and asking again is safe.
import { isIP } from 'node:net';
import type { Clock } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import { packageVersion } from '../platform/version.ts';
import { checkUrl } from '../providers/addresses.ts';
import { createCaller } from '../providers/http-call.ts';
import {
  importTarball,
  TarballRefusedError,
  type TarballRequest,
  type TarballResult,
} from '../workspaces/import-tarball.ts';
import type { WorkspaceService } from '../workspaces/service.ts';

export {
  TarballRefusedError,
  type TarballRequest,
  type TarballResult,
} from '../workspaces/import-tarball.ts';

export interface TarballSource {
  readonly workspaceId: string;
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

/** The address may not be fetched from. */
export class FetchNotAllowedError extends Error {
  override readonly name = 'FetchNotAllowedError';
}

export interface TarballJobs {
  /** Imports what was sent. null: another import runs. With a job id the result can be asked for later. */
  run(source: TarballSource, request: TarballRequest): Promise<TarballResult | null>;
  /** Begins to fetch, or answers the job that does so already. null: too many wait. Throws a FetchNotAllowedError. */
  fetch(
    source: TarballSource,
    from: { readonly url: string; readonly token: string | null },
    request: Omit<TarballRequest, 'archive'>,
  ): TarballJobRow | null;
  get(workspaceId: string, jobId: string): TarballJobRow | null;
  stop(): Promise<void>;
}

const mebibyte = 1024 * 1024;
const archiveBytesMax = 96 * mebibyte;
const fetchTimeoutMs = 300_000;
/** GitHub's API answers with the address of another of its hosts. */
const redirectsMax = 5;
const waitingJobsMax = 20;
/** Finished ones that can be asked for; the oldest are forgotten first. */
const keptJobsMax = 200;
const nothing: TarballResult = { imported: 0, bytesWritten: 0, errors: [], skipped: [] };

export function createTarballJobs(parts: {
  readonly workspaces: WorkspaceService;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'text'>;
  readonly logger: Logger;
  /** Hosts that the owner allows; none: nothing is fetched. */
  readonly hosts: readonly string[];
}): TarballJobs {
  return new Jobs(parts);
}

class Jobs implements TarballJobs {
  readonly #parts: Parameters<typeof createTarballJobs>[0];
  /** Oldest first. */
  readonly #jobs = new Map<string, TarballJobRow>();
  readonly #stopping = new AbortController();
  #importing = false;
  #fetching: Promise<void> = Promise.resolve();

  constructor(parts: Parameters<typeof createTarballJobs>[0]) {
    this.#parts = parts;
  }

  async run(source: TarballSource, request: TarballRequest): Promise<TarballResult | null> {
    if (this.#importing) return null;
    const result = await this.#import(request);
    if (source.jobId !== null) {
      const job = this.#made(source, source.jobId);
      this.#put({ ...job, status: 'completed', result, completedAtMs: job.createdAtMs });
    }
    return result;
  }

  fetch(
    source: TarballSource,
    from: { readonly url: string; readonly token: string | null },
    request: Omit<TarballRequest, 'archive'>,
  ): TarballJobRow | null {
    this.#allowed(from.url);
    const open = [...this.#jobs.values()].filter((job) => job.completedAtMs === null);
    const same = open.find((job) => isSame(job, source));
    if (same !== undefined) return same;
    if (open.length >= waitingJobsMax) return null;
    const job = this.#made(source, source.jobId ?? `imp_${this.#parts.ids.text(20)}`);
    this.#put(job);
    this.#fetching = this.#fetching.then(() => this.#carryOut(job, from, request));
    return job;
  }

  get(workspaceId: string, jobId: string): TarballJobRow | null {
    return this.#jobs.get(keyOf({ workspaceId, jobId })) ?? null;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#fetching;
  }

  async #import(request: TarballRequest): Promise<TarballResult> {
    this.#importing = true;
    try {
      return await importTarball(this.#parts.workspaces, request);
    } finally {
      this.#importing = false;
    }
  }

  async #carryOut(
    job: TarballJobRow,
    from: { readonly url: string; readonly token: string | null },
    request: Omit<TarballRequest, 'archive'>,
  ): Promise<void> {
    const { logger, clock } = this.#parts;
    const about = { workspaceId: job.workspaceId, jobId: job.jobId };
    try {
      this.#change(job, { status: 'fetching' });
      const archive = await this.#download(from.url, from.token);
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

  async #download(url: string, token: string | null): Promise<Uint8Array> {
    const first = new URL(url).host;
    let next = url;
    for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
      const { allowed, host } = this.#allowed(next);
      const caller = createCaller(allowed, this.#parts.clock);
      try {
        const answer = await caller.call({
          method: 'GET',
          url: next,
          headers: {
            accept: 'application/gzip, application/octet-stream',
            'user-agent': `Mooring/${packageVersion}`,
            // The token is for the host that it was given for.
            ...(token === null || host !== first ? {} : { authorization: `Bearer ${token}` }),
          },
          body: null,
          timeoutMs: fetchTimeoutMs,
          answerBytesMax: archiveBytesMax,
          signal: this.#stopping.signal,
        });
        if (answer.kind === 'aborted') throw new FetchNotAllowedError('the agent was stopped');
        if (answer.kind !== 'answer') throw new FetchNotAllowedError(answer.message);
        if (answer.status >= 200 && answer.status < 300) return answer.body;
        const isRedirect = [301, 302, 303, 307, 308].includes(answer.status) && answer.location !== null;
        if (!isRedirect) throw new FetchNotAllowedError(`the host answered ${answer.status}`);
        next = URL.parse(answer.location ?? '', next)?.href ?? '';
      } finally {
        caller.close();
      }
    }
    throw new FetchNotAllowedError('there are too many redirections');
  }

  /** Throws where the owner does not allow the host. An address or `localhost` that is named may be private, and without TLS. */
  #allowed(text: string): { readonly allowed: Parameters<typeof createCaller>[0]; readonly host: string } {
    const url = URL.parse(text);
    const name = url?.hostname.replaceAll(/[[\]]/g, '').toLowerCase() ?? '';
    if (url === null || !this.#parts.hosts.includes(name)) {
      throw new FetchNotAllowedError(
        `the owner of this agent does not allow fetching from ${name === '' ? 'there' : name} (--import-host)`,
      );
    }
    const isOwn = isIP(name) !== 0 || name === 'localhost';
    const allowed = { plainHttp: isOwn, privateAddresses: isOwn };
    const checked = checkUrl(text, allowed);
    if (!checked.ok) throw new FetchNotAllowedError(`tarballUrl: ${checked.reason}`);
    return { allowed, host: checked.url.host };
  }

  #made({ workspaceId, owner, repo, ref, headSha }: TarballSource, jobId: string): TarballJobRow {
    const atMs = this.#parts.clock.nowMs();
    return {
      ...{
        workspaceId,
        owner,
        repo,
        ref,
        headSha,
        jobId,
        status: 'queued',
        result: nothing,
        lastError: null,
      },
      createdAtMs: atMs,
      updatedAtMs: atMs,
      completedAtMs: null,
    };
  }

  #change(job: TarballJobRow, patch: Partial<TarballJobRow>): void {
    const now = this.get(job.workspaceId, job.jobId) ?? job;
    this.#put({ ...now, ...patch, updatedAtMs: this.#parts.clock.nowMs() });
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
    (job.jobId === source.jobId ||
      (job.owner === source.owner && job.repo === source.repo && job.headSha === source.headSha))
  );
}

function keyOf({ workspaceId, jobId }: { readonly workspaceId: string; readonly jobId: string }): string {
  return JSON.stringify([workspaceId, jobId]);
}
