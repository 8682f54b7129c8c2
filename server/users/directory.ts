// Users and roles in memory, so that a request needs no read. A change of this process is in it when the change resolves; one of another
// process within a second. It reports which roles and users ended, so that what was opened under them is closed.
import type { UserDirectory, UserRole } from '../auth/user-directory.ts';
import type { RoleRow, UserRow, UserStore, UsersSnapshot } from '../store/port/store.ts';

type Ended = (ids: readonly string[]) => void;

export class Directory implements UserDirectory {
  readonly #store: Pick<UserStore, 'version' | 'all'>;
  readonly #listeners = new Set<Ended>();
  #snapshot: UsersSnapshot = { version: -1, users: [], roles: [] };
  #users: ReadonlyMap<string, UserRow> = new Map();
  /** By user and workspace. */
  #roles: ReadonlyMap<string, RoleRow> = new Map();
  #reading: Promise<void> | null = null;

  constructor(store: Pick<UserStore, 'version' | 'all'>) {
    this.#store = store;
  }

  get version(): number {
    return this.#snapshot.version;
  }

  /** By name. */
  get users(): readonly UserRow[] {
    return this.#snapshot.users;
  }

  get roles(): readonly RoleRow[] {
    return this.#snapshot.roles;
  }

  user(userId: string): UserRow | null {
    const user = this.#users.get(userId);
    return user === undefined || user.disabledAtMs !== null ? null : user;
  }

  /** Also a disabled one. */
  find(userId: string): UserRow | null {
    return this.#users.get(userId) ?? null;
  }

  roleOf(userId: string, workspaceId: string): UserRole | null {
    const user = this.user(userId);
    if (user === null) return null;
    if (user.isOwner) return { roleId: userId, role: 'owner' };
    return this.#roles.get(keyOf(userId, workspaceId)) ?? null;
  }

  /** Without those of the owners of the hub, who need none. */
  rolesOf(userId: string): readonly RoleRow[] {
    return this.#snapshot.roles.filter((role) => role.userId === userId);
  }

  /** Called with the ids of roles and users that ended. Returns the unsubscribe function. */
  onEnded(listener: Ended): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when everything that was committed before the call is known here. */
  async refresh(): Promise<void> {
    // A reading that runs may have begun before that commit.
    const before = this.#reading ?? Promise.resolve();
    const reading = before.catch(() => undefined).then(() => this.#read());
    this.#reading = reading;
    try {
      await reading;
    } finally {
      if (this.#reading === reading) this.#reading = null;
    }
  }

  async #read(): Promise<void> {
    if ((await this.#store.version()) === this.#snapshot.version) return;
    const snapshot = await this.#store.all();
    const before = { users: this.#users, roles: this.#roles };
    this.#snapshot = snapshot;
    this.#users = new Map(snapshot.users.map((user) => [user.userId, user]));
    this.#roles = new Map(snapshot.roles.map((role) => [keyOf(role.userId, role.workspaceId), role]));
    const ended = [...this.#endedUsers(before), ...this.#endedRoles(before)];
    if (ended.length > 0) for (const listener of this.#listeners) listener(ended);
  }

  #endedUsers({ users }: { readonly users: ReadonlyMap<string, UserRow> }): readonly string[] {
    return [...users.values()]
      .filter(({ userId, disabledAtMs }) => disabledAtMs === null && this.user(userId) === null)
      .map(({ userId }) => userId);
  }

  #endedRoles(before: {
    readonly users: ReadonlyMap<string, UserRow>;
    readonly roles: ReadonlyMap<string, RoleRow>;
  }): readonly string[] {
    return [...before.roles.values()]
      .filter(({ userId, workspaceId, roleId }) => {
        const wasValid = before.users.get(userId)?.disabledAtMs === null;
        return wasValid && this.roleOf(userId, workspaceId)?.roleId !== roleId;
      })
      .map(({ roleId }) => roleId);
  }
}

function keyOf(userId: string, workspaceId: string): string {
  return `${userId} ${workspaceId}`;
}
