// Shows a file of a mirrored folder in the file manager, or opens it with the program that the system has for it. What
// is or acts like a program is never opened.
import { shell } from 'electron';
import type { AgentClient } from './agent-client.ts';
import type { MirroredPlace, PlaceAnswer } from './ipc-contract.ts';
import { type FoundPlace, findPlace } from './openable-paths.ts';

export class PlaceActions {
  readonly #client: Pick<AgentClient, 'status'>;
  readonly #platform: NodeJS.Platform;

  constructor(client: Pick<AgentClient, 'status'>, platform: NodeJS.Platform) {
    this.#client = client;
    this.#platform = platform;
  }

  async reveal(place: MirroredPlace): Promise<PlaceAnswer> {
    const found = await this.#find(place);
    if (!found.ok) return found;
    shell.showItemInFolder(found.file);
    return { ok: true };
  }

  async open(place: MirroredPlace): Promise<PlaceAnswer> {
    const found = await this.#find(place);
    if (!found.ok) return found;
    if (found.isProgram) {
      const next = 'Show it in the file manager, and decide there.';
      return { ok: false, cause: 'It is a program, or can act like one.', next };
    }
    const failure = await shell.openPath(found.file);
    if (failure === '') return { ok: true };
    const cause = `The system could not open it: ${failure}.`;
    return { ok: false, cause, next: 'Show it in the file manager.' };
  }

  async #find(place: MirroredPlace): Promise<FoundPlace> {
    try {
      const { mirrors } = await this.#client.status();
      return await findPlace(place, mirrors, this.#platform);
    } catch {
      return { ok: false, cause: 'The agent does not answer.', next: 'Try again when it does.' };
    }
  }
}
