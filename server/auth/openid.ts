// Signs a person in at an OpenID provider: authorization code with PKCE, state and nonce (OpenID Connect Core 1.0, RFC 7636, RFC 9207). What a
// sign-in needs until it returns is sealed and kept by the page that began it: any process finishes it, and no other browser can. It
// knows no users.
import * as client from 'openid-client';
import type { Clock } from '../platform/clock.ts';
import type { SecretBox } from '../platform/crypto/secret-box.ts';
import { parseRecord } from '../platform/json/json.ts';
import type { Logger } from '../platform/observe/logger.ts';
import { IssuerUnavailableError, issuerFetch, issuerTimeoutSeconds } from './openid-fetch.ts';

/** Time that a person has at the provider. */
export const openIdFlowLifeMs = 10 * 60_000;
/** Addresses and keys of the provider are read again after this time. */
const configurationFreshMs = 3_600_000;
/** After a failure, sign-ins fail immediately for this long instead of each waiting for a timeout. */
const failurePauseMs = 1_000;
/** Sign-ins that ask the provider at the same time. */
export const openIdFinishingMax = 16;
const scope = 'openid email profile';

export interface OpenIdOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Origin of this server as browsers reach it; the provider returns to it. */
  readonly publicUrl: string;
  readonly box: SecretBox;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly logger: Logger;
}

/** What the provider has confirmed. */
export interface OpenIdIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** null: it names no address, or has not verified it. */
  readonly verifiedEmail: string | null;
}

/** The provider or the page sent what cannot be accepted; the message is sent to the caller. */
export class OpenIdRefusedError extends Error {
  override readonly name = 'OpenIdRefusedError';
}

/** The provider does not respond, or too many sign-ins are under way. */
export class OpenIdUnavailableError extends Error {
  override readonly name = 'OpenIdUnavailableError';
}

interface Flow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly endsAtMs: number;
}

export class OpenId {
  /** Host of the provider, for people. */
  readonly name: string;
  readonly publicUrl: string;
  readonly #options: OpenIdOptions;
  #configuration: { readonly value: client.Configuration; readonly atMs: number } | null = null;
  #reading: Promise<client.Configuration> | null = null;
  #failedAtMs = Number.NEGATIVE_INFINITY;
  #finishing = 0;

  constructor(options: OpenIdOptions) {
    this.#options = options;
    this.publicUrl = options.publicUrl;
    this.name = new URL(options.issuer).host;
  }

  /**
   * The address of the provider, and a text that the page keeps until the person returns. `asksAgain`: the provider asks for the account,
   * where it would sign in the one of before without a question.
   */
  async begin({
    asksAgain,
  }: {
    readonly asksAgain: boolean;
  }): Promise<{ readonly url: string; readonly flow: string }> {
    const configuration = await this.#configurationNow();
    const { box, clock } = this.#options;
    const flow: Flow = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      endsAtMs: clock.nowMs() + openIdFlowLifeMs,
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirectUri,
      scope,
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
      ...(asksAgain ? { prompt: 'login' } : {}),
    });
    return { url: url.href, flow: box.seal(JSON.stringify(flow)) };
  }

  /** `response`: the query with which the provider returned, without `?`. Throws an OpenIdRefusedError or an OpenIdUnavailableError. */
  async finish(input: { readonly flow: string; readonly response: string }): Promise<OpenIdIdentity> {
    const flow = this.#opened(input.flow);
    if (this.#finishing >= openIdFinishingMax) throw new OpenIdUnavailableError('too many sign-ins at once');
    this.#finishing += 1;
    try {
      return await this.#exchange(await this.#configurationNow(), flow, input.response);
    } catch (error) {
      throw this.#explained(error);
    } finally {
      this.#finishing -= 1;
    }
  }

  get #redirectUri(): string {
    return `${this.#options.publicUrl}/`;
  }

  #opened(sealed: string): Flow {
    const text = this.#options.box.open(sealed);
    const flow = text === null ? null : (parseRecord(text) as unknown as Flow | null);
    if (flow === null) throw new OpenIdRefusedError('this sign-in did not begin here: begin again');
    if (this.#options.clock.nowMs() >= flow.endsAtMs)
      throw new OpenIdRefusedError('this sign-in took longer than 10 minutes: begin again');
    return flow;
  }

  async #exchange(
    configuration: client.Configuration,
    { state, nonce, verifier }: Flow,
    response: string,
  ): Promise<OpenIdIdentity> {
    // Only the parameters are the page's; the address is the registered one.
    const returned = new URL(this.#redirectUri);
    returned.search = response;
    const tokens = await client.authorizationCodeGrant(configuration, returned, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new OpenIdRefusedError('the provider sent no ID token');
    const named =
      claims.email !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined
        ? claims
        : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    const { email, email_verified: isVerified } = named;
    const verifiedEmail = typeof email === 'string' && isVerified === true ? email : null;
    return { issuer: claims.iss, subject: claims.sub, verifiedEmail };
  }

  /** One reading at a time. */
  async #configurationNow(): Promise<client.Configuration> {
    const { clock } = this.#options;
    const nowMs = clock.monotonicMs();
    const known = this.#configuration;
    if (known !== null && nowMs - known.atMs < configurationFreshMs) return known.value;
    if (nowMs - this.#failedAtMs < failurePauseMs) throw this.#unavailable();
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return await this.#reading;
  }

  async #read(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret, clock } = this.#options;
    try {
      const value = await client.discovery(new URL(issuer), clientId, undefined, secretAs(clientSecret), {
        [client.customFetch]: issuerFetch,
        timeout: issuerTimeoutSeconds,
        execute: [
          client.enableNonRepudiationChecks,
          // The setting permits http for this machine alone.
          ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
        ],
      });
      this.#configuration = { value, atMs: clock.monotonicMs() };
      return value;
    } catch (error) {
      this.#failedAtMs = clock.monotonicMs();
      this.#log(error, 'the configuration of the OpenID provider could not be read');
      throw this.#unavailable();
    }
  }

  #explained(error: unknown): Error {
    if (error instanceof OpenIdRefusedError || error instanceof OpenIdUnavailableError) return error;
    this.#log(error, 'a sign-in at the OpenID provider failed');
    if (isUnavailable(error)) return this.#unavailable();
    if (error instanceof client.AuthorizationResponseError)
      return new OpenIdRefusedError(`${this.name} refused the sign-in: ${error.error}`);
    return new OpenIdRefusedError(
      `the answer of ${this.name} to this sign-in is not valid: begin again; the log of the hub has the cause`,
    );
  }

  #unavailable(): OpenIdUnavailableError {
    return new OpenIdUnavailableError(`${this.name} does not respond: try again, or use an invite link`);
  }

  /** Neither codes nor tokens: errors of the library carry whole answers. */
  #log(error: unknown, message: string): void {
    const { name, code, error: refusal } = error as { name?: string; code?: string; error?: string };
    const text = error instanceof Error ? error.message : String(error);
    this.#options.logger.warn({ issuer: this.#options.issuer, name, code, refusal, reason: text }, message);
  }
}

/** In the form that the provider accepts; without a word of it, by the header (OpenID Connect Discovery 1.0, 3). */
function secretAs(secret: string): client.ClientAuth {
  return (server, ...rest) => {
    const isPosted = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true;
    const send = isPosted ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret);
    return send(server, ...rest);
  };
}

function isUnavailable(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof IssuerUnavailableError) return true;
  }
  return error instanceof client.ClientError && error.code === 'OAUTH_TIMEOUT';
}
