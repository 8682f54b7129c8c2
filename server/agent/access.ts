// Wires tokens and sign-ins: with files of the data directory, or with what the processes of a hub share.
import { createJwks } from '../auth/jwks.ts';
import { keyFiles, sharedKeys } from '../auth/key-store.ts';
import { MemoryOneTimeTexts } from '../auth/one-time-texts.ts';
import { createSignIn, type SignIn } from '../auth/sign-in.ts';
import { SharedSignInSessions, SignInSessionFile } from '../auth/sign-in-session-store.ts';
import { SignInSessions } from '../auth/sign-in-sessions.ts';
import { createTokenService, type TokenService } from '../auth/tokens.ts';
import type { Clock } from '../platform/clock.ts';
import type { AgentConfig } from '../platform/config/config.ts';
import type { Ids } from '../platform/crypto/ids.ts';
import { dataPaths } from '../platform/files/paths.ts';
import type { SharedState, Store } from '../store/port/store.ts';

export interface AccessDeps {
  readonly config: Pick<AgentConfig, 'dataDir' | 'jwksUrl'>;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly onStop: (name: string, stop: () => void) => void;
}

export interface Access {
  readonly tokens: TokenService;
  readonly signIn: SignIn;
}

export async function openAccess(deps: AccessDeps): Promise<Access> {
  const { config, store, clock, ids, onStop } = deps;
  const { signingKeyFile, ownerTokenFile, signInSessionsFile } = dataPaths(config.dataDir);
  const { shared } = store;
  const announce = () => shared?.announceEnds();
  const tokens = await createTokenService({
    store: store.tokens,
    clock,
    ids,
    keys: shared === null ? keyFiles({ signingKeyFile, ownerTokenFile }) : sharedKeys(shared, ownerTokenFile),
    ...(shared === null ? {} : { deletes: shared.deletes }),
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
  if (shared !== null) {
    tokens.followSessions(() => sessions.follow());
    onStop('ended tokens', followEnds(shared, tokens, sessions, clock));
  }
  return { tokens, signIn: createSignIn({ sessions, codes: oneTimeTexts, clock }) };
}

/** The processes tell each other. A token that another one revoked ends here within this time also where the notice is lost. */
const lookEveryMs = 500;

function followEnds(
  shared: SharedState,
  tokens: TokenService,
  sessions: SignInSessions,
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
      running = Promise.allSettled([tokens.followRevocations(), sessions.follow()]);
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
