// Pauses and resumes all mirrors for the tray. A pause that ends by itself is remembered over restarts, and ends at the
// first look after its time at which the agent answers.
import type { AgentClient, AgentView } from './agent-client.ts';
import type { DesktopSettings } from './desktop-file.ts';
import type { PauseChoice } from './pause-plan.ts';

export interface PauserOptions {
  readonly client: Pick<AgentClient, 'status' | 'setPaused'>;
  readonly settings: Pick<DesktopSettings, 'content' | 'change'>;
  readonly nowMs: () => number;
}

export class Pauser {
  readonly #options: PauserOptions;
  #resuming = false;

  constructor(options: PauserOptions) {
    this.#options = options;
  }

  /** Rejects when a mirror could not be paused; those before it are. */
  async pauseAll({ untilMs }: PauseChoice): Promise<void> {
    const { client, settings } = this.#options;
    const { mirrors } = await client.status();
    const running = mirrors.filter(({ state }) => state !== 'paused');
    for (const mirror of running) await client.setPaused(mirror, true);
    const paused = running.map(({ workspaceId, mirrorId }) => ({ workspaceId, mirrorId }));
    settings.change({ pause: untilMs === null ? null : { untilMs, mirrors: paused } });
  }

  /** Also those that were paused one by one. */
  async resumeAll(): Promise<void> {
    const { client, settings } = this.#options;
    const { mirrors } = await client.status();
    for (const mirror of mirrors.filter(({ state }) => state === 'paused')) {
      await client.setPaused(mirror, false);
    }
    settings.change({ pause: null });
  }

  /** Ends a pause whose time has come. Never rejects: what fails is tried again at the next look. */
  async look(view: AgentView | null): Promise<void> {
    const { client, settings, nowMs } = this.#options;
    const { pause } = settings.content;
    if (pause === null || view === null || nowMs() < pause.untilMs || this.#resuming) return;
    this.#resuming = true;
    const still = new Set(
      view.status.mirrors.filter(({ state }) => state === 'paused').map(({ mirrorId }) => mirrorId),
    );
    try {
      for (const mirror of pause.mirrors) {
        if (still.has(mirror.mirrorId)) await client.setPaused(mirror, false);
      }
      settings.change({ pause: null });
    } catch (error) {
      console.error('the mirrors could not be resumed and are tried again:', error);
    } finally {
      this.#resuming = false;
    }
  }
}
