// Quits the app: asks about unsaved changes and pending transfers, stops the agent, exits. A second request during the wait
// quits immediately. Knows Electron only as functions.
import { plural } from '../server/core/amounts.ts';
import type { AgentClient } from './agent-client.ts';

/** Transfers that quitting interrupts; they continue at the next start. */
export interface PendingTransfers {
  /** Running operations. */
  readonly sending: number;
  /** Pending uploads and downloads. */
  readonly files: number;
}

export interface QuitDeps {
  /** Whether unsaved changes may be discarded; asked first. */
  readonly canDiscard: () => Promise<boolean>;
  /** null: none, or the agent is unreachable. Never rejects. */
  readonly busy: () => Promise<PendingTransfers | null>;
  readonly ask: (question: QuitPrompt) => Promise<'after' | 'now' | 'cancel'>;
  /** The reason of the wait, for display; null: none. */
  readonly onWaiting: (text: string | null) => void;
  readonly stopAgent: () => Promise<void>;
  /** Exits the app; its next `before-quit` is allowed. */
  readonly exit: () => void;
  readonly after: (delayMs: number, callback: () => void) => () => void;
}

export interface QuitPrompt {
  readonly message: string;
  readonly detail: string;
}

const recheckMs = 1_000;
/** A longer stop is displayed. */
const stopShownAfterMs = 2_000;

export class Quit {
  readonly #deps: QuitDeps;
  #phase: 'running' | 'asking' | 'waiting' | 'stopping' | 'gone' = 'running';
  #cancel: () => void = () => undefined;

  constructor(deps: QuitDeps) {
    this.#deps = deps;
  }

  /** true: the app may exit now; false: it exits later or stays. */
  request(): boolean {
    switch (this.#phase) {
      case 'gone':
        return true;
      case 'running':
        this.#phase = 'asking';
        void this.#begin();
        return false;
      case 'waiting':
        void this.#stop();
        return false;
      case 'asking':
      case 'stopping':
        return false;
    }
  }

  /** For a system shutdown: without prompts. */
  requestNow(): boolean {
    if (this.#phase === 'gone') return true;
    if (this.#phase !== 'stopping') void this.#stop();
    return false;
  }

  async #begin(): Promise<void> {
    if (!(await this.#deps.canDiscard())) {
      if (this.#phase === 'asking') this.#phase = 'running';
      return;
    }
    const busy = await this.#deps.busy();
    const answer = busy === null ? 'now' : await this.#deps.ask(quitPrompt(busy));
    if (this.#phase !== 'asking') return;
    if (answer === 'cancel') this.#phase = 'running';
    else if (answer === 'after' && busy !== null) this.#wait(busy);
    else await this.#stop();
  }

  #wait(busy: PendingTransfers): void {
    this.#phase = 'waiting';
    this.#deps.onWaiting(`Quitting after ${describe(busy)}`);
    this.#cancel = this.#deps.after(recheckMs, () => {
      void this.#deps.busy().then((left) => {
        if (this.#phase !== 'waiting') return undefined;
        if (left !== null) return this.#wait(left);
        return this.#stop();
      });
    });
  }

  async #stop(): Promise<void> {
    this.#cancel();
    this.#phase = 'stopping';
    const cancel = this.#deps.after(stopShownAfterMs, () => {
      this.#deps.onWaiting('Quitting after the agent has finished its writes');
    });
    await this.#deps.stopAgent();
    cancel();
    this.#deps.onWaiting(null);
    this.#phase = 'gone';
    this.#deps.exit();
  }
}

function quitPrompt(busy: PendingTransfers): QuitPrompt {
  const single = busy.sending + busy.files === 1;
  return {
    message: `${describe(busy)} ${single ? 'is' : 'are'} still pending. Wait before quitting?`,
    detail: 'If you quit now, no data is lost: pending transfers continue when Mooring starts again.',
  };
}

function describe({ sending, files }: PendingTransfers): string {
  const counts = [
    ...(sending > 0 ? [plural(sending, 'operation')] : []),
    ...(files > 0 ? [plural(files, 'file')] : []),
  ];
  return counts.join(' and ');
}

/** null: none, or the agent is unreachable. Never rejects. */
export async function pendingTransfers(
  client: Pick<AgentClient, 'status' | 'sending'>,
): Promise<PendingTransfers | null> {
  try {
    const { mirrors, remotes, workspaces } = await client.status();
    const sending = await client.sending(workspaces.map(({ workspaceId }) => workspaceId));
    const files = [...mirrors, ...remotes]
      .filter(({ state }) => state === 'syncing')
      .reduce((sum, { pendingLocal, pendingRemote }) => sum + pendingLocal + pendingRemote, 0);
    return sending + files === 0 ? null : { sending, files };
  } catch {
    return null;
  }
}
