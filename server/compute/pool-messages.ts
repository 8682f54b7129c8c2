// Messages between the main thread and a pool thread. Plain data only.
import type { JobInput, JobName, JobOutput } from './jobs.ts';

export interface ToPoolThread {
  readonly name: JobName;
  readonly input: JobInput<JobName>;
}

export type FromPoolThread =
  /** The script is loaded. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly ok: true; readonly output: JobOutput<JobName> }
  | {
      readonly kind: 'answer';
      readonly ok: false;
      readonly message: string;
      readonly stack: string | undefined;
    };
