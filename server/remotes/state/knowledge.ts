// What one remote knows of both sides, from one connection to the next: differences, paths to decide on, problems, progress.
import type { RemoteRow } from '../../store/port/store.ts';
import type { RemoteServer } from '../client/remote-server.ts';
import { coverageOf, type LocalContext, type RemoteContext, type RemoteDeps } from './context.ts';
import { Differences } from './differences.ts';
import { PathProblems } from './path-problems.ts';
import { Progress } from './progress.ts';

export class Knowledge {
  readonly differences = new Differences();
  /** Paths to decide on. */
  readonly dirty = new Set<string>();
  readonly problems: PathProblems;
  readonly progress: Progress;
  readonly #deps: RemoteDeps;
  readonly #blocked = new Set<string>();
  readonly #covers: (path: string) => boolean;

  constructor(deps: RemoteDeps, row: RemoteRow) {
    this.#deps = deps;
    this.#covers = coverageOf(row);
    this.problems = new PathProblems(deps.clock);
    this.progress = new Progress(deps.clock);
  }

  /** Paths that wait to be decided on: changed here, and changed there. */
  get pending(): { readonly local: number; readonly remote: number } {
    const remote = this.differences.size;
    return { local: Math.max(0, this.dirty.size + this.#blocked.size - remote), remote };
  }

  /** Both sides are compared anew. */
  forget(): void {
    this.differences.clear();
    this.dirty.clear();
    this.#blocked.clear();
    this.problems.clear();
  }

  localContext(row: RemoteRow, signal: AbortSignal): LocalContext {
    const { differences, dirty, problems, progress } = this;
    return {
      ...this.#deps,
      ...{ row, differences, dirty, problems, progress, signal },
      blocked: this.#blocked,
      covers: this.#covers,
    };
  }

  context(
    row: RemoteRow,
    server: RemoteServer,
    kind: 'mooring' | 'other',
    confirm: (context: RemoteContext) => Promise<void>,
    signal: AbortSignal,
  ): RemoteContext {
    const context: RemoteContext = {
      ...this.localContext(row, signal),
      ...{ server, kind },
      confirm: () => confirm(context),
    };
    return context;
  }
}
