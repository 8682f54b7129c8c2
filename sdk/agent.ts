// The agent itself: status, settings, sign-in, backup and diagnostics. Most calls require the owner's or a UI token.
import { CallGroup, pagesOf, segment, timeText } from './call-group.ts';
import type {
  AgentClients,
  AgentSettings,
  AgentSettingsBody,
  AgentStatus,
  BackupResult,
  CallOptions,
  ChangedLists,
  Diagnostics,
  DiagnosticsBundle,
  LogEntry,
  LogFilterOptions,
  LogMinutes,
  LogMinutesOptions,
  LogPage,
  LogsOptions,
  OpenIdSignIn,
  OpenIdSignInBody,
  OpenIdSignInFinishBody,
  SignInChallenge,
  SignInExchangeBody,
  SignInLink,
  SignInMethods,
  SignInRefreshBody,
  SignInSession,
  SignInSessionList,
  SignInSessionsEnded,
  SignInToken,
} from './types.ts';

class SignInCalls extends CallGroup {
  /** A link with a single-use code that is valid for 60 s. */
  async link(options?: CallOptions): Promise<SignInLink> {
    return await this.transport.post('/v1/agent/sign-in/link', options);
  }

  /** The ways to sign in at this server. Needs no token. */
  async methods(options?: CallOptions): Promise<SignInMethods> {
    return await this.transport.get('/v1/agent/sign-in/methods', options);
  }

  /** Needs no token. With a public key, which only a page of the agent may send, the browser stays signed in. */
  async exchange(
    code: string,
    options?: CallOptions & Pick<SignInExchangeBody, 'publicKey'>,
  ): Promise<SignInToken> {
    const { publicKey, ...call } = options ?? {};
    return await this.transport.post('/v1/agent/sign-in/exchange', call, {
      code,
      ...(publicKey === undefined ? {} : { publicKey }),
    });
  }

  /** Where to sign in at the OpenID provider of a hub; `flow` is needed to finish. Needs no token. */
  async beginOpenId(options?: CallOptions & OpenIdSignInBody): Promise<OpenIdSignIn> {
    const { asksAgain = false, ...call } = options ?? {};
    return await this.transport.post('/v1/agent/sign-in/openid', call, { asksAgain });
  }

  /** With the query with which the provider returned. Needs no token. */
  async finishOpenId(body: OpenIdSignInFinishBody, options?: CallOptions): Promise<SignInToken> {
    return await this.transport.post('/v1/agent/sign-in/openid/finish', options, body);
  }

  /** For a signed-in browser; can be signed once within 30 s. Needs no token. */
  async challenge(sessionId: string, options?: CallOptions): Promise<SignInChallenge> {
    return await this.transport.post('/v1/agent/sign-in/challenge', options, { sessionId });
  }

  /** The next UI token for a signed challenge. Needs no token. */
  async refresh(proof: SignInRefreshBody, options?: CallOptions): Promise<SignInToken> {
    return await this.transport.post('/v1/agent/sign-in/refresh', options, proof);
  }

  /** The signed-in browsers, last used first. */
  async sessions(options?: CallOptions): Promise<readonly SignInSession[]> {
    const { sessions } = await this.transport.get<SignInSessionList>('/v1/agent/sign-in/sessions', options);
    return sessions;
  }

  /** Signs the browser out, immediately. */
  async endSession(sessionId: string, options?: CallOptions): Promise<void> {
    await this.transport.delete(`/v1/agent/sign-in/sessions/${segment(sessionId)}`, options);
  }

  /** Signs all browsers out. Returns their number. */
  async endAllSessions(options?: CallOptions): Promise<number> {
    const { ended } = await this.transport.delete<SignInSessionsEnded>('/v1/agent/sign-in/sessions', options);
    return ended;
  }

  /** A new UI token for a valid one of a session without a key. */
  async renew(options?: CallOptions): Promise<SignInToken> {
    return await this.transport.post('/v1/agent/sign-in/renew', options);
  }
}

export class AgentCalls extends CallGroup {
  readonly signIn = new SignInCalls(this.transport);

  /** Answers while the agent is running. Needs no token. */
  async health(options?: CallOptions): Promise<{ status: 'ok' }> {
    return await this.transport.get('/health', options);
  }

  async status(options?: CallOptions): Promise<AgentStatus> {
    return await this.transport.get('/v1/agent/status', options);
  }

  /**
   * The names of the lists that have changed since the cursor of an earlier answer. `waitMs`: waits that long for the first
   * change, at most 50 s.
   */
  async changes(
    options?: CallOptions & { readonly cursor?: string; readonly waitMs?: number },
  ): Promise<ChangedLists> {
    const { cursor, waitMs, ...call } = options ?? {};
    return await this.transport.get('/v1/agent/changes', call, { cursor, wait: waitMs });
  }

  /** Tokens with a request in the last minutes or an open stream. */
  async clients(options?: CallOptions): Promise<AgentClients> {
    return await this.transport.get('/v1/agent/clients', options);
  }

  /** All settings with their values, flags and variables. */
  async settings(options?: CallOptions): Promise<AgentSettings> {
    return await this.transport.get('/v1/agent/settings', options);
  }

  /** Writes settings to `config.json`; null removes one. They take effect at the next start. */
  async changeSettings(body: AgentSettingsBody, options?: CallOptions): Promise<AgentSettings> {
    return await this.transport.patch('/v1/agent/settings', options, body);
  }

  /** A verified backup in an empty or new folder of the agent's machine. */
  async backup(dir: string, options?: CallOptions): Promise<BackupResult> {
    return await this.transport.post('/v1/agent/backup', options, { dir });
  }

  async diagnostics(options?: CallOptions): Promise<Diagnostics> {
    return await this.transport.get('/v1/agent/diagnostics', options);
  }

  /** A support archive without tokens, secrets, contents, and names of files, folders and hosts. */
  async diagnosticsBundle(options?: CallOptions): Promise<DiagnosticsBundle> {
    return await this.transport.get('/v1/agent/diagnostics/bundle', options);
  }

  /** A page of the log, newest first. `after`: only entries newer than `newestId` of an earlier page. */
  async logs(options: LogsOptions = {}): Promise<LogPage> {
    const { cursor, after, limit } = options;
    return await this.transport.get('/v1/agent/logs', options, {
      ...logFilter(options),
      cursor,
      after,
      limit,
    });
  }

  /** All entries of the log that match, newest first. */
  async *allLogs(options: LogsOptions = {}): AsyncGenerator<LogEntry, void, undefined> {
    const readPage = async (page: LogsOptions) => await this.logs(page);
    for await (const { entries } of pagesOf(readPage, options)) yield* entries;
  }

  /** Number of log entries of each of the last minutes, oldest first. */
  async logMinutes(options: LogMinutesOptions = {}): Promise<LogMinutes> {
    const query = { ...logFilter(options), minutes: options.minutes };
    return await this.transport.get('/v1/agent/logs/minutes', options, query);
  }

  /** Metrics in the Prometheus text format. Requires `admin:read`, unless the agent runs with `--metrics open`. */
  async metrics(options?: CallOptions): Promise<string> {
    const request = { method: 'GET', route: '/metrics', accept: 'text/plain', call: options } as const;
    return await (await this.transport.open(request)).text();
  }

  /** The OpenAPI document of the agent. Needs no token. */
  async openApi(options?: CallOptions): Promise<Readonly<Record<string, unknown>>> {
    return await this.transport.get('/v1/openapi.json', options);
  }
}

function logFilter({ level, source, q, ofCorrelationId, since, until }: LogFilterOptions) {
  const times = { since: timeText(since), until: timeText(until) };
  return { level, source, q, correlationId: ofCorrelationId, ...times };
}
