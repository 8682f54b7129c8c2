// Wires who may do what: tokens, sign-ins and the users of a hub, with files of the data directory or with what the processes of a hub share.
import { createJwks } from '../auth/jwks.ts';
import { keyFiles, sharedKeys } from '../auth/key-store.ts';
import { MemoryOneTimeTexts } from '../auth/one-time-texts.ts';
import { OpenId } from '../auth/openid.ts';
import { createSignIn, type SignIn } from '../auth/sign-in.ts';
import { SharedSignInSessions, SignInSessionFile } from '../auth/sign-in-session-store.ts';
import { SignInSessions } from '../auth/sign-in-sessions.ts';
import { createTokenService, type TokenService } from '../auth/tokens.ts';
import type { Clock } from '../platform/clock.ts';
import type { AgentConfig } from '../platform/config/config.ts';
import type { Ids } from '../platform/crypto/ids.ts';
import { createSecretBox } from '../platform/crypto/secret-box.ts';
import { dataPaths } from '../platform/files/paths.ts';
import { readPrivateFile } from '../platform/files/private-files.ts';
import type { Logger } from '../platform/observe/logger.ts';
import type { SharedState, Store } from '../store/port/store.ts';
import { Users } from '../users/service.ts';
import { readMasterKey } from './master-key.ts';
import type { OnStop } from './on-stop.ts';
import { AgentStartError } from './start-failure.ts';

export interface AccessDeps {
  readonly config: Pick<AgentConfig, 'dataDir' | 'jwksUrl'> &
    Partial<
      Pick<
        AgentConfig,
        'oidcIssuer' | 'oidcClientId' | 'oidcClientSecretFile' | 'publicUrl' | 'masterKeyFile'
      >
    >;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly onStop: OnStop;
}

export interface Access {
  readonly tokens: TokenService;
  readonly signIn: SignIn;
  /** null: an agent, which has none. */
  readonly users: Users | null;
  /** null: no provider is configured. */
  readonly openId: OpenId | null;
}

export async function openAccess(deps: AccessDeps): Promise<Access> {
  const { config, store, clock, ids, logger, onStop } = deps;
  const { signingKeyFile, ownerTokenFile, signInSessionsFile } = dataPaths(config.dataDir);
  const { shared } = store;
  const announce = () => shared?.announceEnds();
  const users = shared === null ? null : new Users({ store: store.users, clock, ids });
  await users?.directory.refresh();
  const tokens = await createTokenService({
    store: store.tokens,
    clock,
    ids,
    keys: shared === null ? keyFiles({ signingKeyFile, ownerTokenFile }) : sharedKeys(shared, ownerTokenFile),
    ...(shared === null ? {} : { deletes: shared.deletes }),
    ...(users === null ? {} : { users: users.directory }),
    announce,
    jwks: config.jwksUrl === null ? null : createJwks({ url: config.jwksUrl, clock }),
  });
  const oneTimeTexts = shared?.oneTimeTexts ?? new MemoryOneTimeTexts(clock);
  const sessions = await SignInSessions.open({
    store:
      shared === null
        ? new SignInSessionFile(signInSessionsFile, tokens.ownerTokenId())
        : new SharedSignInSessions(shared.signInSessions),
    challenges: oneTimeTexts,
    tokens,
    clock,
    ids,
    announce,
  });
  if (shared !== null && users !== null) {
    tokens.followSessions(() => sessions.follow());
    users.onChanged(announce);
    await endWithUsers(users, tokens, sessions, logger);
    onStop('ended tokens', followEnds(shared, { tokens, sessions, users }, clock));
  }
  return {
    tokens,
    users,
    openId: openIdOf(deps),
    signIn: createSignIn({ sessions, codes: oneTimeTexts, clock }),
  };
}

/** The settings have been checked together (platform/config). Throws an AgentStartError where the secret is missing. */
function openIdOf({ config, clock, logger }: AccessDeps): OpenId | null {
  const { oidcIssuer, oidcClientId, oidcClientSecretFile, publicUrl, masterKeyFile } = config;
  if (oidcIssuer == null) return null;
  if (oidcClientId == null || oidcClientSecretFile == null || publicUrl == null || masterKeyFile == null)
    return null;
  const clientSecret = readPrivateFile(oidcClientSecretFile)?.trim() ?? '';
  if (clientSecret === '')
    throw new AgentStartError(
      `There is no client secret in ${oidcClientSecretFile}.`,
      'Write the secret that the OpenID provider has given to this client into the file, readable by this user alone.',
    );
  return new OpenId({
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret,
    publicUrl,
    box: createSecretBox(readMasterKey(masterKeyFile), 'OpenID sign-ins'),
    clock,
    logger,
  });
}

/** What ends with a role or a user: tokens, streams, sign-in sessions. */
async function endWithUsers(
  users: Users,
  tokens: TokenService,
  sessions: SignInSessions,
  logger: Logger,
): Promise<void> {
  const endSessions = async (userIds: readonly string[]) => {
    try {
      for (const userId of userIds) await sessions.endAll(userId);
    } catch (error) {
      logger.warn({ err: error }, 'the end of the sign-in sessions of a user could not be stored');
    }
  };
  users.onRevoked((tokenIds) => tokens.refuse(tokenIds));
  users.directory.onEnded((ids) => {
    tokens.announceEnd(ids);
    void endSessions(ids.filter((id) => users.directory.find(id) !== null));
  });
  // Disabled while no process ran.
  const known = new Set((await sessions.list()).flatMap(({ userId }) => (userId === null ? [] : [userId])));
  await endSessions([...known].filter((userId) => users.directory.user(userId) === null));
}

/** The processes tell each other. A token that another one revoked ends here within this time also where the notice is lost. */
const lookEveryMs = 500;

function followEnds(
  shared: SharedState,
  {
    tokens,
    sessions,
    users,
  }: { readonly tokens: TokenService; readonly sessions: SignInSessions; readonly users: Users },
  clock: Clock,
): () => void {
  const stop = new AbortController();
  let running: Promise<unknown> | null = null;
  let isDue = false;
  const look = async () => {
    isDue = true;
    if (running !== null) return;
    while (isDue && !stop.signal.aborted) {
      isDue = false;
      // The database cannot be reached: the next look asks again.
      running = Promise.allSettled([
        tokens.followRevocations(),
        users.directory.refresh(),
        sessions.follow(),
      ]);
      await running;
    }
    running = null;
  };
  shared.onEnds(() => void look());
  const loop = async () => {
    while (!stop.signal.aborted) {
      await clock.delay(lookEveryMs, stop.signal);
      await look();
    }
  };
  void loop();
  return () => stop.abort();
}
