// What the main thread and a thread of the pool send each other. Plain data only.
import type { JobInput, JobName, JobOutput } from './jobs.ts';

export interface ToPoolThread {
  readonly name: JobName;
  readonly input: JobInput<JobName>;
}

export type FromPoolThread =
  /** It has loaded its program. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly ok: true; readonly output: JobOutput<JobName> }
  | {
      readonly kind: 'answer';
      readonly ok: false;
      readonly message: string;
      readonly stack: string | undefined;
    };
