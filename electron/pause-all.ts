// Pauses all mirrors for the tray, and resumes those that it paused. A pause survives restarts; one with an end ends at the first poll
// after its time.
import type { AgentClient, AgentView } from './agent-client.ts';
import type { DesktopSettings } from './desktop-file.ts';
import type { PauseChoice } from './pause-choices.ts';

export interface PauseAllOptions {
  readonly client: Pick<AgentClient, 'status' | 'setPaused'>;
  readonly settings: Pick<DesktopSettings, 'content' | 'change'>;
  readonly nowMs: () => number;
}

export class PauseAll {
  readonly #options: PauseAllOptions;
  #resuming = false;

  constructor(options: PauseAllOptions) {
    this.#options = options;
  }

  /** Rejects when a mirror could not be paused; the mirrors before it stay paused. A halted one waits for a decision and stays halted. */
  async pauseAll({ untilMs }: PauseChoice): Promise<void> {
    const { client, settings } = this.#options;
    const { mirrors } = await client.status();
    const running = mirrors.filter(({ state }) => state !== 'paused' && state !== 'halted');
    for (const mirror of running) await client.setPaused(mirror, true);
    const paused = running.map(({ workspaceId, mirrorId }) => ({ workspaceId, mirrorId }));
    settings.change({ pause: { untilMs, mirrors: paused } });
  }

  /** Those that `pauseAll` paused; when none of these is paused, all. */
  async resumeAll(): Promise<void> {
    const { client, settings } = this.#options;
    const { mirrors } = await client.status();
    const paused = mirrors.filter(({ state }) => state === 'paused');
    const own = new Set(settings.content.pause?.mirrors.map(({ mirrorId }) => mirrorId));
    const pausedHere = paused.filter(({ mirrorId }) => own.has(mirrorId));
    for (const mirror of pausedHere.length > 0 ? pausedHere : paused) await client.setPaused(mirror, false);
    settings.change({ pause: null });
  }

  /** Ends an expired pause. Never rejects: a failure is retried with the next poll. */
  async endIfDue(view: AgentView | null): Promise<void> {
    const { client, settings, nowMs } = this.#options;
    const { pause } = settings.content;
    if (pause === null || pause.untilMs === null || view === null || this.#resuming) return;
    if (nowMs() < pause.untilMs) return;
    this.#resuming = true;
    const paused = new Set(
      view.status.mirrors.filter(({ state }) => state === 'paused').map(({ mirrorId }) => mirrorId),
    );
    try {
      for (const mirror of pause.mirrors) {
        if (paused.has(mirror.mirrorId)) await client.setPaused(mirror, false);
      }
      settings.change({ pause: null });
    } catch (error) {
      console.error('the mirrors could not be resumed; retrying:', error);
    } finally {
      this.#resuming = false;
    }
  }
}
