// Shows a file of a mirrored folder in the file manager, or opens it with the system's program for its type. Executable files
// are never opened.
import { shell } from 'electron';
import type { AgentClient } from './agent-client.ts';
import type { MirroredPath, PathActionResult } from './ipc-contract.ts';
import { type ResolvedPath, resolveMirroredPath } from './openable-paths.ts';

export class PathActions {
  readonly #client: Pick<AgentClient, 'status'>;
  readonly #platform: NodeJS.Platform;

  constructor(client: Pick<AgentClient, 'status'>, platform: NodeJS.Platform) {
    this.#client = client;
    this.#platform = platform;
  }

  async reveal(target: MirroredPath): Promise<PathActionResult> {
    const resolved = await this.#resolve(target);
    if (!resolved.ok) return resolved;
    shell.showItemInFolder(resolved.file);
    return { ok: true };
  }

  async open(target: MirroredPath): Promise<PathActionResult> {
    const resolved = await this.#resolve(target);
    if (!resolved.ok) return resolved;
    const next = 'Show it in the file manager.';
    if (resolved.isProgram) return { ok: false, cause: 'Executable files are not opened.', next };
    const failure = await shell.openPath(resolved.file);
    if (failure === '') return { ok: true };
    return { ok: false, cause: `The system could not open the file: ${failure}.`, next };
  }

  async #resolve(target: MirroredPath): Promise<ResolvedPath> {
    try {
      const { mirrors } = await this.#client.status();
      return await resolveMirroredPath(target, mirrors, this.#platform);
    } catch {
      return { ok: false, cause: 'The agent is not responding.', next: 'Try again later.' };
    }
  }
}
