// The access declaration of a route. plugins/auth enforces it before the body is read.

import type { RequiredScope, Role } from '../../auth/scopes.ts';
import type { VerifiedToken } from '../../auth/tokens.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { AccessSubject, Actor, DeleteLimit } from '../../workspaces/model.ts';

/** The path against which a confined scope is checked. */
export type ScopePath =
  /** The `path` parameter; absent: the root. */
  | 'query-or-root'
  /** The `path` parameter; when absent, any grant of the action passes here and the handler decides (path of the body, or 400). */
  | 'query'
  /** No path here: any grant passes, and the handler checks each file. */
  | 'none';

export type RouteAccess =
  | { readonly kind: 'open' }
  /** Management of the agent: owner or UI token. */
  | {
      readonly kind: 'owner';
      readonly withoutCorrelationId?: true;
      /** true: also a sign-in session of a user; the handler answers what the user may see. */
      readonly users?: true;
    }
  /** Any valid token of any workspace; the handler calls the API with it. */
  | { readonly kind: 'token'; readonly withoutCorrelationId: true }
  /** Any token of the workspace, with any scopes; the handler decides. */
  | { readonly kind: 'member'; readonly withoutCorrelationId: true }
  /** Owner or UI token, for one workspace. `deletedToo`: also for a deleted workspace, which the handler finds. `role`: also a sign-in
   * session of a user with at least this role in the workspace. */
  | { readonly kind: 'owner-workspace'; readonly deletedToo?: true; readonly role?: Role }
  | {
      readonly kind: 'workspace';
      readonly scope: RequiredScope;
      readonly path: ScopePath;
      /** true: a denial by the access rules of `path` precedes a missing header or an unreadable body. */
      readonly file?: true;
      readonly withoutCorrelationId?: true;
    }
  /** Administrative routes: one of these scopes, with a token of any workspace. */
  | { readonly kind: 'admin'; readonly scopes: readonly RequiredScope[] }
  /** Signed by a service instead of a token; the handler verifies the signature, because it covers the raw body. */
  | { readonly kind: 'signed' }
  /** `/metrics`: `admin:read`, owner, or open by configuration. */
  | { readonly kind: 'metrics' };

/** The authorized caller of a request. */
export interface Caller {
  readonly token: VerifiedToken;
  /** Subject of the access rules; null for the owner, to whom they do not apply: the mirrored folder contains every file anyway. */
  readonly access: AccessSubject | null;
  readonly actor: Actor;
  /** Limits of its deletions. */
  readonly deleteLimits: readonly DeleteLimit[];
}

/** Name of a member of bodies that may be long. */
export type LongMember = 'content' | 'merged';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
    /** true: the handler gets the raw bytes of the body and parses them. */
    rawBody?: true;
    /** Texts of many characters in members with this name are a LongText, although the schema says that they are texts. */
    longMember?: LongMember;
    /** true: the handler gets a body of `application/octet-stream` as a stream, unread and without a size limit. */
    streamedBody?: true;
    /** true: the handler reads the request itself, with its headers unchanged. */
    unreadBody?: true;
    /** true: the route supports `forkId` in the query; other routes refuse it, so that a request for a fork never changes the workspace. */
    forks?: true;
    /** Code that replaces `bad_request`. */
    badRequestCode?: ErrorCode;
  }
  interface FastifyRequest {
    /** Set by plugins/auth before the handler runs, except on open routes. */
    mooringCaller: Caller | null;
  }
}
