// The main process's own requests to the agent: status, sign-in code, pause and resume. A client of the API with the owner's
// token, which never leaves this process. It changes no file.
import type { AdminIngress, AdminSync } from '../server/contract/admin.ts';
import type { AgentStatus, SignInLink } from '../server/contract/agent.ts';
import type { ProviderList } from '../server/contract/providers.ts';
import type { Remote } from '../server/contract/remotes.ts';
import type { RunFolder } from '../server/contract/runs.ts';
import type { DeadLetterPage } from '../server/contract/sync.ts';
import type { AccessToken, AccessTokenList, Mirror } from '../server/contract/workspaces.ts';

const requestTimeoutMs = 5_000;
/** Enough to detect a common cause. */
const deadLettersLimit = 100;

export interface AgentAddress {
  readonly url: string;
  readonly ownerToken: string;
}

type MirrorIds = Pick<Mirror, 'workspaceId' | 'mirrorId'>;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The answers of one poll. */
export interface AgentView {
  readonly status: AgentStatus;
  readonly sync: AdminSync;
  readonly ingress: AdminIngress;
}

/** The name of a workspace; its id where it is not known. */
export function nameOf(view: AgentView | null, workspaceId: string): string {
  const known = view?.status.workspaces.find((workspace) => workspace.workspaceId === workspaceId);
  return known?.name ?? workspaceId;
}

/** `hub.example.com` */
export function hostOf({ url }: Pick<Remote, 'url'>): string {
  return URL.parse(url)?.host ?? url;
}

/** `address` is read at each request; without an address, or with an error status, a request rejects. */
export class AgentClient {
  readonly #address: () => AgentAddress | null;
  readonly #fetch: Fetch;

  constructor(address: () => AgentAddress | null, fetch: Fetch) {
    this.#address = address;
    this.#fetch = fetch;
  }

  async view(): Promise<AgentView> {
    const [status, sync, ingress] = await Promise.all([
      this.status(),
      this.#get<AdminSync>('/v1/admin/sync'),
      this.#get<AdminIngress>('/v1/admin/ingress'),
    ]);
    return { status, sync, ingress };
  }

  status(): Promise<AgentStatus> {
    return this.#get('/v1/agent/status');
  }

  runFolder(workspaceId: string, runId: string): Promise<RunFolder> {
    return this.#get(`${workspaceUrl(workspaceId)}/runs/${encodeURIComponent(runId)}/folder`);
  }

  /** Number of the newest dead letters of a workspace with the most frequent cause. */
  async largestCause(workspaceId: string): Promise<number> {
    const page = await this.#get<DeadLetterPage>(
      `${workspaceUrl(workspaceId)}/sync/dead-letter?limit=${deadLettersLimit}`,
    );
    const counts = new Map<string, number>();
    for (const { lastError } of page.items) {
      const cause = lastError.split(':', 1)[0] ?? lastError;
      counts.set(cause, (counts.get(cause) ?? 0) + 1);
    }
    return Math.max(0, ...counts.values());
  }

  /** Number of running operations. */
  async sending(workspaceIds: readonly string[]): Promise<number> {
    const lists = await this.#ofEach<ProviderList>(workspaceIds, 'providers');
    return lists.flatMap(({ providers }) => providers).reduce((sum, { running }) => sum + running, 0);
  }

  /** Tokens of these workspaces, including expired and revoked ones. */
  async tokens(workspaceIds: readonly string[]): Promise<readonly AccessToken[]> {
    const lists = await this.#ofEach<AccessTokenList>(workspaceIds, 'tokens');
    return lists.flatMap(({ tokens }) => tokens);
  }

  /** A single-use code. */
  async signInCode(): Promise<string> {
    const link = (await this.#send('POST', '/v1/agent/sign-in/link')) as SignInLink;
    const code = new URLSearchParams(new URL(link.url).hash.slice(1)).get('sign-in');
    if (code === null) throw new Error('the sign-in link contains no code');
    return code;
  }

  /** `untilMs`: when the agent resumes it, in milliseconds of the wall clock; null: when it is resumed. */
  async pause(mirror: MirrorIds, untilMs: number | null): Promise<void> {
    const body = untilMs === null ? undefined : { until: new Date(untilMs).toISOString() };
    await this.#send('POST', `${mirrorUrl(mirror)}/pause`, body);
  }

  async resume(mirror: MirrorIds): Promise<void> {
    await this.#send('POST', `${mirrorUrl(mirror)}/resume`);
  }

  async #ofEach<T>(workspaceIds: readonly string[], path: string): Promise<readonly T[]> {
    return await Promise.all(workspaceIds.map((id) => this.#get<T>(`${workspaceUrl(id)}/${path}`)));
  }

  async #get<T>(path: string): Promise<T> {
    // The agent is of the same build, so its answers match the contract.
    return (await this.#send('GET', path)) as T;
  }

  async #send(method: string, path: string, body?: object): Promise<unknown> {
    const address = this.#address();
    if (address === null) throw new Error('the agent is not ready');
    const response = await this.#fetch(`${address.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${address.ownerToken}`,
        'x-correlation-id': 'desktop',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    if (!response.ok) throw new Error(`${method} ${path} failed with status ${response.status}`);
    return await response.json();
  }
}

function workspaceUrl(workspaceId: string): string {
  return `/v1/workspaces/${encodeURIComponent(workspaceId)}`;
}

function mirrorUrl({ workspaceId, mirrorId }: MirrorIds): string {
  return `${workspaceUrl(workspaceId)}/mirrors/${encodeURIComponent(mirrorId)}`;
}

/** The health check of the supervisor. Never rejects. */
export async function isHealthy(url: string, fetch: Fetch): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(requestTimeoutMs) });
    return response.ok;
  } catch {
    return false;
  }
}
