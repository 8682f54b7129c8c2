// What a choice in the tray does. Each may fail, and says so in a box: behind a tray there is no page that could.
import { app, clipboard, dialog } from 'electron';
import type { AgentHost } from './agent-host.ts';
import type { PlaceActions } from './openable-path-actions.ts';
import type { Pauser } from './pause-all.ts';
import type { TrayAction } from './tray-model.ts';

export interface TrayActionsOptions {
  readonly host: Pick<AgentHost, 'start'>;
  readonly pauser: Pick<Pauser, 'pauseAll' | 'resumeAll'>;
  readonly places: Pick<PlaceActions, 'open'>;
  /** `place`: as after `#`; null: where the window is. */
  readonly openWindow: (place: string | null) => void;
  /** Something was changed, or should have been. */
  readonly onDone: () => void;
}

export class TrayActions {
  readonly #options: TrayActionsOptions;

  constructor(options: TrayActionsOptions) {
    this.#options = options;
  }

  run(action: TrayAction): void {
    const { host, pauser, openWindow } = this.#options;
    switch (action.kind) {
      case 'go':
        openWindow(action.place);
        break;
      case 'open-window':
        openWindow(null);
        break;
      case 'copy-address':
        this.#tried('The address could not be copied.', Promise.resolve(clipboard.writeText(action.url)));
        break;
      case 'revive':
        host.start();
        break;
      case 'quit':
        app.quit();
        break;
      case 'open-folder':
        this.#tried('The folder could not be opened.', this.#openFolder(action.workspaceId));
        break;
      case 'pause-all':
        this.#tried('Not all mirrors could be paused.', pauser.pauseAll(action.choice));
        break;
      case 'resume-all':
        this.#tried('Not all mirrors could be resumed.', pauser.resumeAll());
        break;
    }
  }

  #tried(failure: string, work: Promise<void>): void {
    work
      .catch((error: unknown) => {
        const detail = error instanceof Error ? error.message : String(error);
        dialog.showErrorBox(failure, detail);
      })
      .finally(() => this.#options.onDone());
  }

  async #openFolder(workspaceId: string): Promise<void> {
    const answer = await this.#options.places.open({ workspaceId, path: '/' });
    if (!answer.ok) throw new Error(`${answer.cause} ${answer.next}`);
  }
}
