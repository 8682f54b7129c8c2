// The port for long computations outside the main thread: jobs, options and failures.
import type { JobInput, JobName, JobOutput } from './jobs.ts';

export interface RunOptions {
  /** Aborting cancels a waiting job and ends the thread of a running one; the call rejects as `aborted`. */
  readonly signal?: AbortSignal;
  /** Milliseconds of the job without its waiting time. Default: the limit of the job. */
  readonly timeLimitMs?: number;
}

export interface Compute {
  /**
   * Runs a named job: small inputs immediately on the calling thread, larger ones on a pool thread in the order of the calls. Rejects
   * with a ComputeError, or with the error of the job.
   */
  run<Name extends JobName>(
    name: Name,
    input: JobInput<Name>,
    options?: RunOptions,
  ): Promise<JobOutput<Name>>;
}

export type ComputeFailure =
  /** The queue is full, or the job waited too long for a thread. */
  | 'busy'
  /** The job exceeded its time limit. */
  | 'time_limit'
  /** The job exceeded the memory limit of a thread. */
  | 'memory'
  | 'aborted'
  /** The agent is stopping. */
  | 'closed';

/** A job without a result that is not a defect of the agent. */
export class ComputeError extends Error {
  override readonly name = 'ComputeError';
  readonly reason: ComputeFailure;

  constructor(reason: ComputeFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** true: the input needs more time or memory than allowed; a retry would fail again. */
export function isOverLimit(error: unknown): boolean {
  return error instanceof ComputeError && (error.reason === 'time_limit' || error.reason === 'memory');
}
