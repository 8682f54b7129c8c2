// Looks at the agent again and again while it runs, for the tray and the notifications. One loop; what it could not see
// this time it sees next time. It changes nothing.
import { statfs } from 'node:fs/promises';
import type { AccessToken } from '../server/contract/workspaces.ts';
import type { AgentClient, AgentView } from './agent-client.ts';
import type { Clock } from './agent-host.ts';
import type { AgentState } from './ipc-contract.ts';
import type { Disk } from './notification-rules.ts';
import { isMoving } from './tray-model.ts';

const movingLookMs = 1_000;
const calmLookMs = 5_000;
const disksEveryMs = 60_000;
/** What is told of tokens concerns the next day. */
const tokensEveryMs = 5 * 60_000;
/** Fewer cannot be many of one cause. */
const lettersWorthALook = 10;

export interface Sight {
  readonly view: AgentView | null;
  /** On the wall clock. */
  readonly movingSinceMs: number | null;
  readonly largestCause: ReadonlyMap<string, number>;
  readonly disks: readonly Disk[];
  readonly tokens: readonly AccessToken[];
}

export interface MonitorOptions {
  readonly client: Pick<AgentClient, 'view' | 'largestCause' | 'tokens'>;
  readonly agent: () => AgentState;
  readonly clock: Clock;
  readonly nowMs: () => number;
  readonly onSight: (sight: Sight) => void;
  /** Bytes that are free where this folder lies. Default: asks the system. */
  readonly freeBytes?: (dir: string) => Promise<number>;
}

export class Monitor {
  readonly #options: MonitorOptions;
  #sight: Sight = { view: null, movingSinceMs: null, largestCause: new Map(), disks: [], tokens: [] };
  #cancel: () => void = () => undefined;
  #looking = false;
  #stopped = false;
  #disksAt = Number.NEGATIVE_INFINITY;
  #tokensAt = Number.NEGATIVE_INFINITY;
  /** By workspace: the total at which the causes were counted. */
  readonly #counted = new Map<string, { readonly total: number; readonly largest: number }>();

  constructor(options: MonitorOptions) {
    this.#options = options;
  }

  get sight(): Sight {
    return this.#sight;
  }

  /** Looks now, and then again and again. May be called at any time: something has changed. */
  poke(): void {
    this.#cancel();
    if (this.#looking || this.#stopped) return;
    void this.#look();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    this.#looking = true;
    const view = await this.#view();
    const moving = view !== null && isMoving(view);
    this.#sight = {
      view,
      movingSinceMs: moving ? (this.#sight.movingSinceMs ?? this.#options.nowMs()) : null,
      largestCause: view === null ? this.#sight.largestCause : await this.#causes(view),
      disks: view === null ? this.#sight.disks : await this.#disks(view),
      tokens: view === null ? this.#sight.tokens : await this.#tokens(view),
    };
    this.#looking = false;
    if (this.#stopped) return;
    this.#options.onSight(this.#sight);
    this.#cancel = this.#options.clock.after(moving ? movingLookMs : calmLookMs, () => void this.#look());
  }

  async #view(): Promise<AgentView | null> {
    if (this.#options.agent().kind !== 'ready') return null;
    try {
      return await this.#options.client.view();
    } catch {
      // It is the supervisor's to say that the agent is away.
      return null;
    }
  }

  async #causes(view: AgentView): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    for (const { workspaceId, deadLetterTotal: total } of Object.values(view.ingress.workspaces)) {
      if (total < lettersWorthALook) continue;
      const counted = this.#counted.get(workspaceId);
      const largest = counted?.total === total ? counted.largest : await this.#largestCause(workspaceId);
      this.#counted.set(workspaceId, { total, largest });
      found.set(workspaceId, largest);
    }
    return found;
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
    if (now - this.#tokensAt < tokensEveryMs) return this.#sight.tokens;
    try {
      const tokens = await this.#options.client.tokens(
        status.workspaces.map(({ workspaceId }) => workspaceId),
      );
      this.#tokensAt = now;
      return tokens;
    } catch {
      // Asked again with the next look; a workspace may just have been deleted.
      return this.#sight.tokens;
    }
  }

  async #disks({ status }: AgentView): Promise<readonly Disk[]> {
    const now = this.#options.clock.now();
    if (now - this.#disksAt < disksEveryMs) return this.#sight.disks;
    this.#disksAt = now;
    const free = this.#options.freeBytes ?? systemFreeBytes;
    const dirs = new Set([status.dataDir, ...status.mirrors.map(({ dir }) => dir)]);
    const looks = [...dirs].map(async (dir): Promise<readonly Disk[]> => {
      try {
        return [{ dir, freeBytes: await free(dir) }];
      } catch {
        // A folder that is not there is the mirror's to report.
        return [];
      }
    });
    return (await Promise.all(looks)).flat();
  }
}

async function systemFreeBytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}
