// The users that tokens belong to, as their verification sees them.
import type { Role } from '../core/access/roles.ts';

/** Users and roles as this process knows them, without a read. */
export interface UserDirectory {
  /** Differs after each change of what the methods answer. */
  readonly version: number;
  /** null: unknown or disabled. */
  user(userId: string): { readonly name: string; readonly isOwner: boolean } | null;
  /** null: none. An owner of the hub is an owner of each workspace. */
  roleOf(userId: string, workspaceId: string): UserRole | null;
  /** Resolves when everything that was committed before the call is known here. */
  refresh(): Promise<void>;
}

export interface UserRole {
  /** Ends with each change of the role. */
  readonly roleId: string;
  readonly role: Role;
}

/** The user to whom a token belongs. */
export interface TokenUser {
  readonly userId: string;
  /** As history and access rules name the user. */
  readonly name: string;
  /** Of the workspace of the token; null: a sign-in session outside of any. */
  readonly role: UserRole | null;
  /** The agent name of a personal token; null: a sign-in session. */
  readonly agent: string | null;
}

/** No server without users has any. */
export const noUsers: UserDirectory = {
  version: 0,
  user: () => null,
  roleOf: () => null,
  refresh: async () => undefined,
};
