// The environment of a case: a running agent, and a new workspace with its clients.
import { type ClientOptions, MooringClient } from '../../../sdk/index.ts';

export interface Bench {
  /** The agent's address. In a page: its origin. */
  readonly baseUrl: string;
  readonly ownerToken: string;
  /** Browsers send the bytes of a stream over HTTP/2 only (https://fetch.spec.whatwg.org/#http-network-or-cache-fetch). */
  readonly sendsStreams: boolean;
}

/** One behaviour and its check. `run` throws when the check fails. */
export interface Case {
  readonly name: string;
  readonly run: (bench: Bench) => Promise<void>;
}

export interface Desk {
  readonly workspaceId: string;
  readonly owner: MooringClient;
  /** Has all permissions in the workspace. */
  readonly client: MooringClient;
  readonly token: string;
  /** The same client with other options. */
  readonly clientWith: (options: Partial<ClientOptions>) => MooringClient;
}

export async function newDesk({ baseUrl, ownerToken }: Bench): Promise<Desk> {
  const owner = new MooringClient({ baseUrl, token: ownerToken });
  const { workspaceId } = await owner.workspaces.create({ name: 'suite' });
  const { token } = await owner.tokens.create(workspaceId, {
    agent: 'tester',
    scopes: ['fs:read', 'fs:write', 'sync:read', 'sync:trigger', 'ops:read', 'ops:replay'],
  });
  const clientWith = (options: Partial<ClientOptions>) => new MooringClient({ baseUrl, token, ...options });
  return { workspaceId, owner, client: clientWith({}), token, clientWith };
}
