// A real OpenID provider of this machine, at which one person after the other signs in without a form.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Context, type Grant } from 'oidc-provider';

export interface Person {
  readonly sub: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
}

const clientId = 'mooring';
export const clientSecret = 'a secret of the tests';

/** The arguments of `mooring serve` for this provider. `secretFile` contains `clientSecret`. */
export function openIdArguments(
  { issuer }: Pick<OpenIdProvider, 'issuer'>,
  publicUrl: string,
  secretFile: string,
): readonly string[] {
  return [
    ...['--public-url', publicUrl, '--oidc-issuer', issuer],
    ...['--oidc-client-id', clientId, '--oidc-client-secret-file', secretFile],
  ];
}

/** A port of 127.0.0.1 that is free now: an address that a provider returns to is registered before the hub starts. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

export class OpenIdProvider {
  readonly issuer: string;
  /** The person before the browser. */
  person: Person = { sub: 'unknown' };
  readonly #server: Server;
  readonly #people = new Map<string, Person>();

  private constructor(server: Server, issuer: string) {
    this.#server = server;
    this.issuer = issuer;
  }

  static async start(redirectUri: string): Promise<OpenIdProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const made = new OpenIdProvider(server, issuer);
    const provider = new Provider(issuer, made.#configuration(redirectUri));
    const answer = provider.callback();
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/interaction/') !== true) return void answer(request, response);
      made.#people.set(made.person.sub, made.person);
      const login = { accountId: made.person.sub, remember: false };
      void provider.interactionFinished(request, response, { login });
    });
    return made;
  }

  /** The query with which the browser of this person returns. `url`: of the provider, for one sign-in. */
  async signIn(person: Person, url: string): Promise<string> {
    this.person = person;
    const cookies = new Map<string, string>();
    let next = new URL(url);
    for (let hops = 0; hops < 10; hops += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split(';', 1);
        const [name = '', value = ''] = pair.split('=', 2);
        cookies.set(name, value);
      }
      const location = answer.headers.get('location');
      if (location === null)
        throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
      next = new URL(location, next);
      if (next.origin !== this.issuer) return next.search.slice(1);
    }
    throw new Error('the provider redirects without end');
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #configuration(redirectUri: string): object {
    return {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      ttl: {
        AccessToken: 600,
        AuthorizationCode: 60,
        Grant: 600,
        IdToken: 600,
        Interaction: 600,
        Session: 600,
      },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context: Context, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
      findAccount: (_context: Context, sub: string) => ({
        accountId: sub,
        claims: () => {
          const { email, emailVerified = false } = this.#people.get(sub) ?? { sub };
          return { sub, ...(email === undefined ? {} : { email, email_verified: emailVerified }) };
        },
      }),
      // Without a question for consent.
      loadExistingGrant: async ({ oidc }: Context): Promise<Grant> => {
        const grant = new oidc.provider.Grant({
          accountId: oidc.session.accountId,
          clientId: oidc.client.clientId,
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    };
  }
}
