// What one remote knows of both sides, from one connection to the next: differences, paths to decide on, problems, progress.
import type { RemoteRow } from '../../store/port/store.ts';
import type { RemoteServer } from '../client/remote-server.ts';
import { LargeTransfers } from '../transfer/large-transfers.ts';
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
  readonly transfers: LargeTransfers;
  readonly #deps: RemoteDeps;
  readonly #blocked = new Set<string>();
  readonly #covers: (path: string) => boolean;

  /** `onTransferred`: a large file has ended its transfer. */
  constructor(deps: RemoteDeps, row: RemoteRow, onTransferred: () => void) {
    this.#deps = deps;
    this.#covers = coverageOf(row);
    this.problems = new PathProblems(deps.clock);
    this.progress = new Progress(deps.clock);
    this.transfers = new LargeTransfers({
      onEnd: onTransferred,
      onReleased: (path) => this.dirty.add(path),
    });
  }

  /** Paths that wait to be decided on: changed here, and changed there. */
  get pending(): { readonly local: number; readonly remote: number } {
    const remote = this.differences.size;
    const all = this.dirty.size + this.#blocked.size + this.transfers.size;
    return { local: Math.max(0, all - remote), remote };
  }

  /** true: a path can be decided on now. */
  get hasDue(): boolean {
    if (this.transfers.size === 0) return this.dirty.size > 0;
    for (const path of this.dirty) if (!this.transfers.has(path)) return true;
    return false;
  }

  /** true: nothing waits, and nothing is being transferred. */
  get isQuiet(): boolean {
    return this.dirty.size === 0 && this.transfers.size === 0;
  }

  /** Both sides are compared anew. */
  forget(): void {
    this.differences.clear();
    this.dirty.clear();
    this.#blocked.clear();
    this.problems.clear();
  }

  localContext(row: RemoteRow, signal: AbortSignal): LocalContext {
    const { differences, dirty, problems, progress, transfers } = this;
    return {
      ...this.#deps,
      ...{ row, differences, dirty, problems, progress, transfers, signal },
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
