// The session of `mooring mcp`: finds the running agent or starts one, and works with a short-lived token that is limited to the path and the
// rights of the command line.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { MooringClient } from '../../../sdk/index.ts';
import type { McpSession, OpenSession } from '../../mcp/session.ts';
import { agentNotRunning, ToolError } from '../../mcp/tool-error.ts';
import { resolveDataDir } from '../../platform/files/paths.ts';
import { readAgentFile } from '../../platform/process/agent-file.ts';
import { isProcessAlive } from '../../platform/process/process-identity.ts';
import { findAgent, type RunningAgent } from './connect.ts';
import { CommandFailure } from './failure.ts';
import { chooseWorkspace } from './workspace-arguments.ts';

const tokenTtlSeconds = 12 * 3600;
/** A token with less time left is replaced. */
const renewBeforeMs = 600_000;
/** Time limit for a started agent to answer. */
const startTimeoutMs = 20_000;
const startPollMs = 100;
const revokeTimeoutMs = 1_000;

export interface McpOptions {
  readonly dataDir?: string;
  readonly workspace?: string;
  readonly path?: string;
  readonly readOnly?: true;
  readonly start: boolean;
}

interface Connected {
  readonly url: string;
  readonly token: string;
  readonly tokenId: string;
  readonly expiresAtMs: number;
  readonly session: OpenSession;
}

export class AgentSession implements McpSession {
  readonly canWrite: boolean;
  readonly tag = randomBytes(4).toString('hex');
  readonly #options: McpOptions;
  #connected: Connected | null = null;
  #connecting: Promise<Connected> | null = null;

  constructor(options: McpOptions) {
    this.#options = options;
    this.canWrite = options.readOnly !== true;
  }

  async connect(correlationId: string, clientName: string) {
    const { url, token, session } = await this.#open(clientName);
    return { client: new MooringClient({ baseUrl: url, token, correlationId }), session };
  }

  /** Revokes the token, if the agent answers in time. */
  async close(): Promise<void> {
    const connected = this.#connected;
    this.#connected = null;
    if (connected === null) return;
    const { session, tokenId } = connected;
    try {
      const agent = await findAgent(this.#options.dataDir);
      await agent?.client.tokens.revoke(session.workspaceId, tokenId, { timeoutMs: revokeTimeoutMs });
    } catch {
      // It expires.
    }
  }

  async #open(clientName: string): Promise<Connected> {
    const connected = this.#connected;
    const file = readAgentFile(resolveDataDir(this.#options.dataDir));
    const isRunning = file !== null && isProcessAlive(file.pid) && file.url === connected?.url;
    if (connected !== null && isRunning && connected.expiresAtMs - Date.now() > renewBeforeMs)
      return connected;
    this.#connecting ??= this.#reconnect(clientName).finally(() => {
      this.#connecting = null;
    });
    return await this.#connecting;
  }

  async #reconnect(clientName: string): Promise<Connected> {
    const { dataDir, start } = this.#options;
    const agent = (await findAgent(dataDir)) ?? (start ? await startAgent(dataDir) : null);
    if (agent === null) throw agentNotRunning();
    const known = this.#connected;
    const isFresh = known !== null && known.expiresAtMs - Date.now() > renewBeforeMs;
    // A restarted agent knows the tokens that it has issued.
    this.#connected = isFresh ? { ...known, url: agent.url } : await this.#createToken(agent, clientName);
    return this.#connected;
  }

  async #createToken({ client, url }: RunningAgent, clientName: string): Promise<Connected> {
    const { workspace, path } = this.#options;
    const { workspaceId } = await chooseWorkspace(client, workspace).catch((error: unknown) => {
      if (!(error instanceof CommandFailure)) throw error;
      throw new ToolError('bad_request', error.message, error.remedy ?? 'Correct the client configuration.');
    });
    const actions = ['fs:read', ...(this.canWrite ? ['fs:write'] : []), 'sync:read'];
    const scopes = path === undefined ? actions : actions.map((action) => `relayfile:${action}:${path}`);
    const { token, accessToken } = await client.tokens.create(workspaceId, {
      agent: clientName.replace(/^[^A-Za-z0-9]+/, '') || 'mcp',
      scopes,
      ttlSeconds: tokenTtlSeconds,
    });
    return {
      url,
      token,
      tokenId: accessToken.tokenId,
      expiresAtMs: Date.parse(accessToken.expiresAt),
      session: {
        workspaceId,
        roots: rootsOf(path),
        canWrite: this.canWrite,
        tag: this.tag,
      },
    };
  }
}

/** The directory that a path of `--path` lets list. `/docs/*` and `/docs/a*` let list none. */
function rootsOf(path: string | undefined): readonly string[] {
  if (path === undefined || path === '/**' || path === '*') return ['/'];
  if (path.endsWith('/**')) return [path.slice(0, -'/**'.length)];
  return path.includes('*') ? [] : [path];
}

/** The agent outlives this process, as one that a person starts. null: it does not answer in time. */
async function startAgent(dataDir: string | undefined): Promise<RunningAgent | null> {
  const script = process.argv[1];
  if (script === undefined) return null;
  const directory = dataDir === undefined ? [] : ['--data-dir', dataDir];
  const child = spawn(process.execPath, [...process.execArgv, script, 'serve', ...directory], {
    detached: true,
    stdio: 'ignore',
  });
  child.on('error', () => undefined);
  child.unref();
  for (const endMs = performance.now() + startTimeoutMs; performance.now() < endMs; ) {
    await delay(startPollMs);
    const agent = await findAgent(dataDir);
    if (agent !== null) return agent;
  }
  return null;
}
