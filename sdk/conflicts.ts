// Conflicts of mirrors: list, show and resolve.
import { workspaceRoute } from './routes.ts';
import type { Transport } from './transport.ts';
import type {
  CallOptions,
  Conflict,
  ConflictDetail,
  ConflictResolveBody,
  ConflictResolved,
} from './types.ts';

export class ConflictCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Conflicts of all mirrors of the workspace, oldest first. */
  async list(workspaceId: string, options?: CallOptions): Promise<Conflict[]> {
    const route = workspaceRoute(workspaceId, 'conflicts');
    const request = { method: 'GET', route, call: options } as const;
    return (await this.#transport.call<{ conflicts: Conflict[] }>(request)).conflicts;
  }

  /** Both versions, their base and their merge. */
  async get(workspaceId: string, conflictId: string, options?: CallOptions): Promise<ConflictDetail> {
    const route = workspaceRoute(workspaceId, `conflicts/${encodeURIComponent(conflictId)}`);
    return await this.#transport.call({ method: 'GET', route, call: options });
  }

  /** Pass `keep` or `merged`. RevisionConflictError: a version has another revision than `input` names. */
  async resolve(
    workspaceId: string,
    conflictId: string,
    input: ConflictResolveBody,
    options?: CallOptions,
  ): Promise<ConflictResolved> {
    const route = workspaceRoute(workspaceId, `conflicts/${encodeURIComponent(conflictId)}/resolve`);
    return await this.#transport.call({ method: 'POST', route, body: input, call: options });
  }
}
