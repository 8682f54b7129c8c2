// Polls the agent for the tray and the notifications. One loop; a failed request is repeated in the next poll. It changes
// nothing.
import { statfs } from 'node:fs/promises';
import type { AccessToken } from '../server/contract/workspaces.ts';
import type { AgentClient, AgentView } from './agent-client.ts';
import type { Clock } from './agent-host.ts';
import type { AgentState } from './ipc-contract.ts';
import type { Disk } from './notification-rules.ts';
import { isBusy } from './tray-model.ts';

const busyPollMs = 1_000;
const idlePollMs = 5_000;
const disksPollMs = 60_000;
/** Rarely: token notifications concern the next day. */
const tokensPollMs = 5 * 60_000;
/** Fewer cannot have a common cause. */
const deadLettersMin = 10;

export interface AgentSnapshot {
  readonly view: AgentView | null;
  /** Wall clock. */
  readonly busySinceMs: number | null;
  readonly largestCause: ReadonlyMap<string, number>;
  readonly disks: readonly Disk[];
  readonly tokens: readonly AccessToken[];
}

export interface MonitorOptions {
  readonly client: Pick<AgentClient, 'view' | 'largestCause' | 'tokens'>;
  readonly agent: () => AgentState;
  readonly clock: Clock;
  readonly nowMs: () => number;
  readonly onSnapshot: (snapshot: AgentSnapshot) => void;
  /** Free bytes on the disk of this folder. Default: statfs. */
  readonly freeBytes?: (dir: string) => Promise<number>;
}

export class Monitor {
  readonly #options: MonitorOptions;
  #snapshot: AgentSnapshot = {
    view: null,
    busySinceMs: null,
    largestCause: new Map(),
    disks: [],
    tokens: [],
  };
  #cancel: () => void = () => undefined;
  #polling = false;
  #stopped = false;
  #disksAt = Number.NEGATIVE_INFINITY;
  #tokensAt = Number.NEGATIVE_INFINITY;
  /** By workspace: the number of dead letters when their causes were counted. */
  readonly #counted = new Map<string, { readonly total: number; readonly largest: number }>();

  constructor(options: MonitorOptions) {
    this.#options = options;
  }

  get snapshot(): AgentSnapshot {
    return this.#snapshot;
  }

  /** Polls now and then periodically; call it after any change. */
  refresh(): void {
    this.#cancel();
    if (this.#polling || this.#stopped) return;
    void this.#poll();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  /** Never rejects. */
  async #poll(): Promise<void> {
    this.#polling = true;
    const view = await this.#view();
    const busy = view !== null && isBusy(view);
    this.#snapshot = {
      view,
      busySinceMs: busy ? (this.#snapshot.busySinceMs ?? this.#options.nowMs()) : null,
      largestCause: view === null ? this.#snapshot.largestCause : await this.#causes(view),
      disks: view === null ? this.#snapshot.disks : await this.#disks(view),
      tokens: view === null ? this.#snapshot.tokens : await this.#tokens(view),
    };
    this.#polling = false;
    if (this.#stopped) return;
    this.#options.onSnapshot(this.#snapshot);
    this.#cancel = this.#options.clock.after(busy ? busyPollMs : idlePollMs, () => void this.#poll());
  }

  async #view(): Promise<AgentView | null> {
    if (this.#options.agent().kind !== 'ready') return null;
    try {
      return await this.#options.client.view();
    } catch {
      // The supervisor reports an unreachable agent.
      return null;
    }
  }

  async #causes(view: AgentView): Promise<ReadonlyMap<string, number>> {
    const causes = new Map<string, number>();
    for (const { workspaceId, deadLetterTotal: total } of Object.values(view.ingress.workspaces)) {
      if (total < deadLettersMin) continue;
      const counted = this.#counted.get(workspaceId);
      const largest = counted?.total === total ? counted.largest : await this.#largestCause(workspaceId);
      this.#counted.set(workspaceId, { total, largest });
      causes.set(workspaceId, largest);
    }
    return causes;
  }

  async #largestCause(workspaceId: string): Promise<number> {
    try {
      return await this.#options.client.largestCause(workspaceId);
    } catch {
      return 0;
    }
  }

  async #tokens({ status }: AgentView): Promise<readonly AccessToken[]> {
    const now = this.#options.clock.now();
    if (now - this.#tokensAt < tokensPollMs) return this.#snapshot.tokens;
    try {
      const tokens = await this.#options.client.tokens(
        status.workspaces.map(({ workspaceId }) => workspaceId),
      );
      this.#tokensAt = now;
      return tokens;
    } catch {
      // Repeated in the next poll; a workspace may have been deleted.
      return this.#snapshot.tokens;
    }
  }

  async #disks({ status }: AgentView): Promise<readonly Disk[]> {
    const now = this.#options.clock.now();
    if (now - this.#disksAt < disksPollMs) return this.#snapshot.disks;
    this.#disksAt = now;
    const free = this.#options.freeBytes ?? systemFreeBytes;
    const dirs = new Set([status.dataDir, ...status.mirrors.map(({ dir }) => dir)]);
    const checks = [...dirs].map(async (dir): Promise<readonly Disk[]> => {
      try {
        return [{ dir, freeBytes: await free(dir) }];
      } catch {
        // The mirror reports a missing folder.
        return [];
      }
    });
    return (await Promise.all(checks)).flat();
  }
}

async function systemFreeBytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}
