// How the app ends: what is on its way is finished or the person decides, then the agent is stopped, then the app goes.
// Quitting can be asked for again at any time, and means "now" the second time. Knows Electron only as functions.
import type { AgentClient } from './agent-client.ts';

/** What would be interrupted; it would go on at the next start. */
export interface Busy {
  /** Changes that are being sent to providers. */
  readonly sending: number;
  /** Files that are being carried over between folders and workspaces. */
  readonly files: number;
}

export interface QuitParts {
  /** What the page holds and did not save may go; asked first. */
  readonly mayLose: () => Promise<boolean>;
  /** null: nothing, or the agent cannot be asked. Never rejects. */
  readonly busy: () => Promise<Busy | null>;
  readonly ask: (question: Question) => Promise<'after' | 'now' | 'cancel'>;
  /** What is being waited for, to be shown; null: nothing any more. */
  readonly onWaiting: (text: string | null) => void;
  readonly stopAgent: () => Promise<void>;
  /** Ends the app; its next `before-quit` is let through. */
  readonly exit: () => void;
  readonly after: (delayMs: number, callback: () => void) => () => void;
}

export interface Question {
  readonly message: string;
  readonly detail: string;
}

const askAgainMs = 1_000;
/** A stop that takes longer is said. */
const stopSaidAfterMs = 2_000;

export class Quit {
  readonly #parts: QuitParts;
  #phase: 'running' | 'asking' | 'waiting' | 'stopping' | 'gone' = 'running';
  #cancel: () => void = () => undefined;

  constructor(parts: QuitParts) {
    this.#parts = parts;
  }

  /** Asked by the person or the system. true: the app may go at once; false: it goes later, or stays. */
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

  /** The system shuts down: no question is asked. */
  requestNow(): boolean {
    if (this.#phase === 'gone') return true;
    if (this.#phase !== 'stopping') void this.#stop();
    return false;
  }

  async #begin(): Promise<void> {
    if (!(await this.#parts.mayLose())) {
      if (this.#phase === 'asking') this.#phase = 'running';
      return;
    }
    const busy = await this.#parts.busy();
    const answer = busy === null ? 'now' : await this.#parts.ask(questionOf(busy));
    if (this.#phase !== 'asking') return;
    if (answer === 'cancel') this.#phase = 'running';
    else if (answer === 'after' && busy !== null) this.#wait(busy);
    else await this.#stop();
  }

  #wait(busy: Busy): void {
    this.#phase = 'waiting';
    this.#parts.onWaiting(`Quits after ${describe(busy)}`);
    this.#cancel = this.#parts.after(askAgainMs, () => {
      void this.#parts.busy().then((left) => {
        if (this.#phase !== 'waiting') return undefined;
        if (left !== null) return this.#wait(left);
        return this.#stop();
      });
    });
  }

  async #stop(): Promise<void> {
    this.#cancel();
    this.#phase = 'stopping';
    const cancel = this.#parts.after(stopSaidAfterMs, () => {
      this.#parts.onWaiting('Quits when the agent has finished its writes');
    });
    await this.#parts.stopAgent();
    cancel();
    this.#parts.onWaiting(null);
    this.#phase = 'gone';
    this.#parts.exit();
  }
}

function questionOf(busy: Busy): Question {
  const single = busy.sending + busy.files === 1;
  return {
    message: `${describe(busy)} ${single ? 'is' : 'are'} being sent. Quit after ${single ? 'it' : 'them'}?`,
    detail: 'Nothing is lost if you quit now: what is left goes on when Mooring starts again.',
  };
}

function describe({ sending, files }: Busy): string {
  const parts = [
    ...(sending > 0 ? [`${sending} ${sending === 1 ? 'change' : 'changes'}`] : []),
    ...(files > 0 ? [`${files} ${files === 1 ? 'file' : 'files'}`] : []),
  ];
  return parts.join(' and ');
}

/** What the agent is doing that quitting would interrupt; null: nothing, or it does not answer. Never rejects. */
export async function busyOf(client: Pick<AgentClient, 'status' | 'sending'>): Promise<Busy | null> {
  try {
    const { mirrors, workspaces } = await client.status();
    const sending = await client.sending(workspaces.map(({ workspaceId }) => workspaceId));
    const files = mirrors
      .filter(({ state }) => state === 'syncing')
      .reduce((sum, { pendingLocal, pendingRemote }) => sum + pendingLocal + pendingRemote, 0);
    return sending + files === 0 ? null : { sending, files };
  } catch {
    return null;
  }
}
