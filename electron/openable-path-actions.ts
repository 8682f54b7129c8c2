// Shows a file of a mirrored folder in the file manager, or opens it with the system's program for its type. Executable files
// are never opened.
import { shell } from 'electron';
import type { AgentClient } from './agent-client.ts';
import type { MirroredPath, PathActionResult } from './ipc-contract.ts';
import { type MirroredFolder, type ResolvedPath, resolveMirroredPath } from './openable-paths.ts';

type Client = Pick<AgentClient, 'status' | 'runFolder'>;

export class PathActions {
  readonly #client: Client;
  readonly #platform: NodeJS.Platform;

  constructor(client: Client, platform: NodeJS.Platform) {
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
      return await resolveMirroredPath(target, await this.#folders(target), this.#platform);
    } catch {
      return target.runId === undefined
        ? { ok: false, cause: 'The agent is not responding.', next: 'Try again later.' }
        : { ok: false, cause: 'The folder of the run was not found.', next: 'The run may have ended.' };
    }
  }

  async #folders({ workspaceId, runId }: MirroredPath): Promise<readonly MirroredFolder[]> {
    if (runId === undefined) return (await this.#client.status()).mirrors;
    const { dir } = await this.#client.runFolder(workspaceId, runId);
    return [{ workspaceId, dir }];
  }
}
