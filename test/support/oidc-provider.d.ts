// The part of oidc-provider that the tests use; its own types bring those of a whole server framework.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }
  interface Context {
    readonly oidc: {
      readonly client: { readonly clientId: string };
      readonly session: { readonly accountId: string };
      readonly provider: Provider;
    };
  }
  // biome-ignore lint/style/noDefaultExport: as the package has it
  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (grant: {
      readonly accountId: string;
      readonly clientId: string;
    }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { readonly login: { readonly accountId: string; readonly remember: boolean } },
    ): Promise<void>;
  }
  export type { Context, Grant };
}
