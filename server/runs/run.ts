// What the parts of the service share: who asks, what they need, and how a request can fail. Types and errors, no behaviour.
import type { Compute } from '../compute/port.ts';
import type { AccessSubject, Actor } from '../core/entry.ts';
import type { Clock } from '../platform/clock.ts';
import type { ContentReader, RunStore } from '../store/port/store.ts';
import type { ForkService } from '../workspaces/forks.ts';
import type { WorkspaceHistory } from '../workspaces/history.ts';
import type { WorkspaceService } from '../workspaces/service.ts';

/** Who asks: what the caller may see and change, and under which name. */
export interface RunCaller {
  readonly access: AccessSubject | null;
  /** null: the owner. */
  readonly tokenId: string | null;
  readonly actor: Actor;
  readonly correlationId: string;
}

/** Unknown, or not the caller's to know. HTTP: 404 `not_found`. */
export class RunMissingError extends Error {
  override readonly name = 'RunMissingError';
}

/** The state of the run does not allow it. HTTP: 409 `invalid_state`. */
export class RunStateError extends Error {
  override readonly name = 'RunStateError';
}

/** Where a test ends the process: before and after what the store does as one transaction. */
export type RunKillPoint = 'run.created' | 'run.commit' | 'run.committed' | 'run.undo' | 'run.undone';

export interface RunServiceDeps {
  readonly store: { readonly runs: RunStore; readonly files: ContentReader };
  readonly forks: ForkService;
  readonly workspaces: WorkspaceService;
  readonly history: WorkspaceHistory;
  readonly compute: Compute;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly uuid: () => string;
  /** Tests only. */
  readonly atKillPoint?: (point: RunKillPoint) => void;
}
