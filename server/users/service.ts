// Users, their roles in workspaces, and invites: the changes that an owner makes, and the two ways in which a user signs in for the first
// time. Who may make a change is decided here; that it is made by one of two processes is decided by the command.
import type { Role } from '../core/access/roles.ts';
import type { Clock } from '../platform/clock.ts';
import { type RandomBytes, sha256Hex, systemRandom } from '../platform/crypto/hashes.ts';
import type { Ids } from '../platform/crypto/ids.ts';
import type { LinkIdentityInput, RoleRow, UserRow, UserStore } from '../store/port/store.ts';
import { Directory } from './directory.ts';
import { inviteLifeMs, inviteSecretBytes, rolesMax, usersMax } from './limits.ts';

export type { RoleRow, UserRow } from '../store/port/store.ts';

/** Refusal of a change; the message is sent to the caller. */
export class UserRefusedError extends Error {
  override readonly name = 'UserRefusedError';
}

/** The caller may not make the change. */
export class UserForbiddenError extends Error {
  override readonly name = 'UserForbiddenError';
}

/** There is no such user, role or invite. */
export class UserUnknownError extends Error {
  override readonly name = 'UserUnknownError';
}

export interface UsersDeps {
  readonly store: UserStore;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly ids: Pick<Ids, 'text'>;
  readonly random?: RandomBytes;
}

/** Who makes a change: the owner of the hub (null), or an owner of the workspace. */
export type ChangedBy = string | null;

export interface Invite {
  readonly secret: string;
  readonly expiresAtMs: number;
}

export class Users {
  readonly directory: Directory;
  readonly #deps: UsersDeps;
  readonly #listeners = new Set<(tokenIds: readonly string[]) => void>();
  #changed: () => void = () => undefined;

  constructor(deps: UsersDeps) {
    this.#deps = deps;
    this.directory = new Directory(deps.store);
  }

  /** Calls the listener with the ids of tokens that ended with a role or a user. */
  onRevoked(listener: (tokenIds: readonly string[]) => void): void {
    this.#listeners.add(listener);
  }

  /** Calls the listener after each change of users or roles. */
  onChanged(listener: () => void): void {
    this.#changed = listener;
  }

  /** By id, by name, or by email address, regardless of case; also a disabled one. */
  find(text: string): UserRow | null {
    const key = text.toLowerCase();
    const { users } = this.directory;
    return (
      users.find(({ userId }) => userId === text) ??
      users.find(({ name, email }) => name.toLowerCase() === key || email?.toLowerCase() === key) ??
      null
    );
  }

  require(text: string): UserRow {
    const user = this.find(text);
    if (user === null) throw new UserUnknownError('user not found');
    return user;
  }

  async add(input: { readonly name: string; readonly email: string | null; readonly isOwner: boolean }) {
    const userId = `usr_${this.#deps.ids.text(12)}`;
    const result = await this.#deps.store.insert({
      row: { ...input, userId, createdAtMs: this.#deps.clock.nowMs() },
      usersMax,
    });
    if (result === 'name_taken') throw new UserRefusedError(`a user has the name ${input.name}`);
    if (result === 'email_taken') throw new UserRefusedError(`a user has the address ${input.email}`);
    if (result === 'too_many') throw new UserRefusedError(`a hub has at most ${usersMax} users`);
    await this.#refresh();
    return this.require(userId);
  }

  /** Ends the sign-in sessions and revokes the personal tokens; null enables the user again. */
  async setDisabled(userId: string, isDisabled: boolean): Promise<UserRow> {
    const atMs = this.#deps.clock.nowMs();
    const disabledAtMs = isDisabled ? atMs : null;
    const revoked = await this.#deps.store.setDisabled({ userId, disabledAtMs, atMs });
    if (revoked === null) throw new UserUnknownError('user not found');
    this.#announceRevoked(revoked);
    await this.#refresh();
    return this.require(userId);
  }

  async setRole(userId: string, workspaceId: string, role: Role, by: ChangedBy): Promise<RoleRow> {
    const atMs = this.#deps.clock.nowMs();
    const roleId = `rol_${this.#deps.ids.text(16)}`;
    const input = { roleId, userId, workspaceId, role, atMs, byUserId: by, rolesMax };
    const result = await this.#deps.store.setRole(input);
    if (result === 'unknown_user') throw new UserUnknownError('user not found');
    if (result === 'last_owner') throw lastOwner();
    if (result === 'too_many') throw new UserRefusedError(`a hub has at most ${rolesMax} roles`);
    await this.#refresh();
    const row = this.directory.rolesOf(userId).find((one) => one.workspaceId === workspaceId);
    if (row === undefined) throw new UserRefusedError('the role was removed at the same time');
    return row;
  }

  /** Revokes the personal tokens of the user in the workspace as well. */
  async removeRole(userId: string, workspaceId: string, by: ChangedBy): Promise<void> {
    const atMs = this.#deps.clock.nowMs();
    const result = await this.#deps.store.removeRole({ userId, workspaceId, byUserId: by, atMs });
    if (result === null) throw new UserUnknownError('the user has no role in this workspace');
    if (result === 'last_owner') throw lastOwner();
    this.#announceRevoked(result);
    await this.#refresh();
  }

  /** Replaces the open invite of the user. `by`: an owner of workspaces, who may not become another user with it. */
  async invite(userId: string, by: ChangedBy): Promise<Invite> {
    const user = this.require(userId);
    if (by !== null && !this.#mayInvite(by, user))
      throw new UserForbiddenError(
        'only the owner of the hub makes a new link for a user who has signed in, or who has a role in a workspace that is not yours',
      );
    const secret = Buffer.from((this.#deps.random ?? systemRandom)(inviteSecretBytes)).toString('base64url');
    const atMs = this.#deps.clock.nowMs();
    const expiresAtMs = atMs + inviteLifeMs;
    const secretHash = sha256Hex(secret);
    const isMade = await this.#deps.store.insertInvite({
      secretHash,
      userId: user.userId,
      createdBy: by,
      atMs,
      expiresAtMs,
    });
    if (!isMade) throw new UserRefusedError(`${user.name} is disabled`);
    return { secret, expiresAtMs };
  }

  /** The user of an invite, which stays valid. null: unknown, used, expired, or of a disabled user. */
  async userOfInvite(secret: string): Promise<UserRow | null> {
    const userId = await this.#deps.store.userOfInvite(sha256Hex(secret), this.#deps.clock.nowMs());
    // Another process may have added the user a moment ago.
    if (userId !== null) await this.directory.refresh();
    return userId === null ? null : this.directory.user(userId);
  }

  /** Once, also by several processes. null: as above. */
  async useInvite(secret: string): Promise<UserRow | null> {
    const atMs = this.#deps.clock.nowMs();
    const userId = await this.#deps.store.useInvite({ secretHash: sha256Hex(secret), atMs });
    if (userId !== null) await this.#refresh();
    return userId === null ? null : this.directory.user(userId);
  }

  /** The user of an identity that an OpenID provider has confirmed. */
  async signIn(identity: Omit<LinkIdentityInput, 'atMs'>) {
    const result = await this.#deps.store.linkIdentity({ ...identity, atMs: this.#deps.clock.nowMs() });
    if (result.outcome !== 'user') return result.outcome;
    await this.#refresh();
    return this.directory.user(result.userId);
  }

  /** Here, and on the other processes. */
  async #refresh(): Promise<void> {
    await this.directory.refresh();
    this.#changed();
  }

  #announceRevoked(tokenIds: readonly string[]): void {
    for (const listener of this.#listeners) listener(tokenIds);
  }

  #mayInvite(by: string, user: UserRow): boolean {
    return (
      user.signedInAtMs === null &&
      !user.isOwner &&
      this.directory
        .rolesOf(user.userId)
        .every(({ workspaceId }) => this.directory.roleOf(by, workspaceId)?.role === 'owner')
    );
  }
}

function lastOwner(): UserRefusedError {
  return new UserRefusedError('the workspace would have no owner: make another user an owner first');
}
