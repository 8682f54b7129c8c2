// Rows of users, their roles and invites, and the results of their commands. Plain data.
import type { Role } from '../../core/access/roles.ts';

export interface UserRow {
  readonly userId: string;
  /** Unique regardless of case; access rules and history name it. */
  readonly name: string;
  /** Unique regardless of case; null: unknown. */
  readonly email: string | null;
  /** Has the rights of the owner token. */
  readonly isOwner: boolean;
  readonly createdAtMs: number;
  readonly disabledAtMs: number | null;
  /** The first sign-in; null: none yet. */
  readonly signedInAtMs: number | null;
  /** The OpenID provider that the user signs in with; null: none yet. */
  readonly issuer: string | null;
}

/** The role of a user in a workspace. */
export interface RoleRow {
  /** Another one after each change of the role, so that what was begun under the old one ends. */
  readonly roleId: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly role: Role;
}

/** All users and roles at one version. */
export interface UsersSnapshot {
  readonly version: number;
  readonly users: readonly UserRow[];
  readonly roles: readonly RoleRow[];
}

export type InsertUserResult = 'inserted' | 'name_taken' | 'email_taken' | 'too_many';

export interface SetRoleInput extends RoleRow {
  readonly atMs: number;
  /** The user who sets it; null: the owner of the hub. */
  readonly byUserId: string | null;
  readonly rolesMax: number;
}

/** `last_owner`: a workspace keeps one, unless the owner of the hub says otherwise. */
export type SetRoleResult = 'set' | 'unchanged' | 'unknown_user' | 'last_owner' | 'too_many';

/** Ids of the tokens that it revoked; null: there was no such role. */
export type RemoveRoleResult = readonly string[] | 'last_owner' | null;

/** What an OpenID provider has confirmed. */
export interface LinkIdentityInput {
  readonly issuer: string;
  readonly subject: string;
  /** null: the provider names no address, or has not verified it. */
  readonly verifiedEmail: string | null;
  readonly atMs: number;
}

export type LinkIdentityResult =
  | { readonly outcome: 'user'; readonly userId: string }
  /** Unknown, and no user has the verified address; or that user signs in with another identity. */
  | { readonly outcome: 'stranger' | 'disabled' | 'other_identity' };
