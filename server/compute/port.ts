// Long computations beside the main thread: the port that services use. It says what a caller may ask and how it can fail.
import type { JobInput, JobName, JobOutput } from './jobs.ts';

export interface RunOptions {
  /** Aborting removes a waiting job and ends the thread of a running one; the call rejects as `aborted`. */
  readonly signal?: AbortSignal;
  /** Milliseconds of the job itself, without its wait. Default: the job's own limit. */
  readonly timeLimitMs?: number;
}

export interface Compute {
  /**
   * Runs a named job. A small input runs on the calling thread at once; a larger one in a thread of the pool, in the order of the
   * calls. Rejects with a ComputeError, or with what the job threw.
   */
  run<Name extends JobName>(
    name: Name,
    input: JobInput<Name>,
    options?: RunOptions,
  ): Promise<JobOutput<Name>>;
}

export type ComputeFailure =
  /** The queue is full, or the job waited too long for a thread: try again later. */
  | 'busy'
  /** The job ran longer than its time limit. */
  | 'time_limit'
  /** The job needed more memory than a thread may have. */
  | 'memory'
  | 'aborted'
  /** The agent is stopping. */
  | 'closed';

/** Why a job has no result although nothing is wrong with the agent. */
export class ComputeError extends Error {
  override readonly name = 'ComputeError';
  readonly reason: ComputeFailure;

  constructor(reason: ComputeFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** true: this input takes more time or memory than it may have; trying again does not help. */
export function isOverLimit(error: unknown): boolean {
  return error instanceof ComputeError && (error.reason === 'time_limit' || error.reason === 'memory');
}
