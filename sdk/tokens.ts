// Access tokens of a workspace: list, create and revoke.
import { workspaceRoute } from './routes.ts';
import type { Transport } from './transport.ts';
import type { AccessToken, AccessTokenCreateBody, AccessTokenCreated, CallOptions } from './types.ts';

export class TokenCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list(workspaceId: string, options?: CallOptions): Promise<AccessToken[]> {
    const request = { method: 'GET', route: workspaceRoute(workspaceId, 'tokens'), call: options } as const;
    return (await this.#transport.call<{ tokens: AccessToken[] }>(request)).tokens;
  }

  /** Only this answer contains the token itself. */
  async create(
    workspaceId: string,
    input: AccessTokenCreateBody = {},
    options?: CallOptions,
  ): Promise<AccessTokenCreated> {
    const route = workspaceRoute(workspaceId, 'tokens');
    return await this.#transport.call({ method: 'POST', route, body: input, call: options });
  }

  async revoke(workspaceId: string, tokenId: string, options?: CallOptions): Promise<void> {
    const route = workspaceRoute(workspaceId, `tokens/${encodeURIComponent(tokenId)}`);
    await this.#transport.call({ method: 'DELETE', route, call: options });
  }
}
