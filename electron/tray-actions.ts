// Runs the actions of the tray menu. Errors are shown in a dialog, because the tray has no page.
import { app, clipboard, dialog } from 'electron';
import type { AgentHost } from './agent-host.ts';
import type { PathActions } from './openable-path-actions.ts';
import type { PauseAll } from './pause-all.ts';
import type { TrayAction } from './tray-model.ts';

export interface TrayActionsOptions {
  readonly host: Pick<AgentHost, 'start'>;
  readonly pauseAll: Pick<PauseAll, 'pauseAll' | 'resumeAll'>;
  readonly paths: Pick<PathActions, 'open'>;
  /** `location`: as after `#`; null: unchanged. */
  readonly openWindow: (location: string | null) => void;
  /** Called after each action, successful or not. */
  readonly onDone: () => void;
}

export class TrayActions {
  readonly #options: TrayActionsOptions;

  constructor(options: TrayActionsOptions) {
    this.#options = options;
  }

  run(action: TrayAction): void {
    const { host, pauseAll, openWindow } = this.#options;
    switch (action.kind) {
      case 'go':
        openWindow(action.location);
        break;
      case 'open-window':
        openWindow(null);
        break;
      case 'copy-address':
        this.#runOrShowError(
          'The address could not be copied.',
          Promise.resolve(clipboard.writeText(action.url)),
        );
        break;
      case 'revive':
        host.start();
        break;
      case 'quit':
        app.quit();
        break;
      case 'open-folder':
        this.#runOrShowError('The folder could not be opened.', this.#openFolder(action.workspaceId));
        break;
      case 'pause-all':
        this.#runOrShowError('Some mirrors could not be paused.', pauseAll.pauseAll(action.choice));
        break;
      case 'resume-all':
        this.#runOrShowError('Some mirrors could not be resumed.', pauseAll.resumeAll());
        break;
    }
  }

  #runOrShowError(failure: string, work: Promise<void>): void {
    work
      .catch((error: unknown) => {
        const detail = error instanceof Error ? error.message : String(error);
        dialog.showErrorBox(failure, detail);
      })
      .finally(() => this.#options.onDone());
  }

  async #openFolder(workspaceId: string): Promise<void> {
    const answer = await this.#options.paths.open({ workspaceId, path: '/' });
    if (!answer.ok) throw new Error(`${answer.cause} ${answer.next}`);
  }
}
