// Who may use a route. Every route declares it in its config, and plugins/auth decides it before anything of the body is read.

import type { RequiredScope } from '../../auth/scopes.ts';
import type { VerifiedToken } from '../../auth/tokens.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { AccessSubject, Actor, DeleteLimit } from '../../workspaces/model.ts';

/** How the path that a scope may be confined to is found. */
export type ScopePath =
  /** The `path` parameter; absent means the root. */
  | 'query-or-root'
  /** The `path` parameter; absent is decided later (a body, or 400), until then any grant of the action passes. */
  | 'query'
  /** No path at this level: any grant passes, each file is checked on its own. */
  | 'none';

export type RouteAccess =
  | { readonly kind: 'open' }
  /** Agent-wide and our own management: owner or UI token. */
  | { readonly kind: 'owner'; readonly withoutCorrelationId?: true }
  /** Any token of the workspace, whatever its scopes; the handler decides what it may do. */
  | { readonly kind: 'member'; readonly withoutCorrelationId: true }
  /** Owner or UI token, for one workspace. `deletedToo`: the handler looks for the workspace itself. */
  | { readonly kind: 'owner-workspace'; readonly deletedToo?: true }
  | {
      readonly kind: 'workspace';
      readonly scope: RequiredScope;
      readonly path: ScopePath;
      /** true: the access rules of the file at `path` rank above a missing header or an unreadable body. */
      readonly file?: true;
      readonly withoutCorrelationId?: true;
    }
  /** The admin plane: any one of these scopes, whatever workspace the token is for. */
  | { readonly kind: 'admin'; readonly scopes: readonly RequiredScope[] }
  /** Signed by a service instead of a token; the handler checks it, for it covers the raw body. */
  | { readonly kind: 'signed' }
  /** `/metrics`: `admin:read`, owner, or open by configuration. */
  | { readonly kind: 'metrics' };

/** Who asks, once it is known. */
export interface Caller {
  readonly token: VerifiedToken;
  /** What access rules see; null for the owner, whom they do not bind: the folder shows the owner every file anyway. */
  readonly access: AccessSubject | null;
  readonly actor: Actor;
  /** What its deletions count against. */
  readonly deleteLimits: readonly DeleteLimit[];
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
    /** true: the body comes as the bytes that were sent, unchecked; the handler parses it. */
    rawBody?: true;
    /** true: a body of `application/octet-stream` comes as the stream that it is, unread and unbounded. */
    streamedBody?: true;
    /** true: `forkId` in the query is understood; elsewhere it is refused, so that nothing meant for a fork goes past it. */
    forks?: true;
    /** Code of what would be a `bad_request`. */
    badRequestCode?: ErrorCode;
  }
  interface FastifyRequest {
    /** Set by plugins/auth before a handler of a route that is not open runs. */
    mooringCaller: Caller | null;
  }
}
