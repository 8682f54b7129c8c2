// Pauses all mirrors for the tray, and resumes those that it paused. The agent ends a pause that has an end, also while the app does
// not run.
import type { AgentClient } from './agent-client.ts';
import type { DesktopSettings } from './desktop-file.ts';
import type { PauseChoice } from './pause-choices.ts';

export interface PauseAllOptions {
  readonly client: Pick<AgentClient, 'status' | 'pause' | 'resume'>;
  readonly settings: Pick<DesktopSettings, 'content' | 'change'>;
}

export class PauseAll {
  readonly #options: PauseAllOptions;

  constructor(options: PauseAllOptions) {
    this.#options = options;
  }

  /**
   * Those that it paused before get the new end. Rejects when a mirror could not be paused; the mirrors before it stay paused. A halted one
   * waits for a decision and stays halted.
   */
  async pauseAll({ untilMs }: PauseChoice): Promise<void> {
    const { client, settings } = this.#options;
    const own = new Set(settings.content.pausedTogether);
    const { mirrors } = await client.status();
    const chosen = mirrors.filter(
      ({ state, mirrorId }) => state !== 'halted' && (state !== 'paused' || own.has(mirrorId)),
    );
    // Before the first is paused: when one fails, those before it are resumed together as well.
    settings.change({ pausedTogether: chosen.map(({ mirrorId }) => mirrorId) });
    for (const mirror of chosen) await client.pause(mirror, untilMs);
  }

  /** Those that `pauseAll` paused; when none of these is paused, all. */
  async resumeAll(): Promise<void> {
    const { client, settings } = this.#options;
    const own = new Set(settings.content.pausedTogether);
    const { mirrors } = await client.status();
    const paused = mirrors.filter(({ state }) => state === 'paused');
    const pausedHere = paused.filter(({ mirrorId }) => own.has(mirrorId));
    for (const mirror of pausedHere.length > 0 ? pausedHere : paused) await client.resume(mirror);
    settings.change({ pausedTogether: [] });
  }
}
