// Where a case of the suite works: an agent that runs, and how to get a workspace of its own there.
import { type ClientOptions, MooringClient } from '../../../sdk/index.ts';

export interface Bench {
  /** The agent's address; in a page its own origin. */
  readonly baseUrl: string;
  readonly ownerToken: string;
  /** Browsers send the bytes of a stream over HTTP/2 only (https://fetch.spec.whatwg.org/#http-network-or-cache-fetch). */
  readonly sendsStreams: boolean;
}

/** A sentence of behaviour, and what shows it. It throws when that is not so. */
export interface Case {
  readonly name: string;
  readonly run: (bench: Bench) => Promise<void>;
}

export interface Desk {
  readonly workspaceId: string;
  readonly owner: MooringClient;
  /** May do everything in the workspace. */
  readonly client: MooringClient;
  readonly token: string;
  /** The same with other options. */
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
