// What a token of a user may do now: the rights that it was issued with, narrowed to the role that the user has at this moment. Nothing
// is decided at the issue of the token, so that a change of a role takes effect on every token that exists.
import { scopesOfRole, withinRole } from '../core/access/roles.ts';
import { everyWorkspace, type VerifiedToken } from './jwt.ts';
import type { UserDirectory } from './user-directory.ts';

interface Resolved {
  readonly version: number;
  readonly byWorkspace: Map<string, VerifiedToken | string>;
}

export type UserTokens = ReturnType<typeof createUserTokens>;

/** The same token gives the same object until users or roles change, so that what is kept for it stays valid. */
export function createUserTokens(directory: UserDirectory) {
  const resolved = new WeakMap<VerifiedToken, Resolved>();

  function keptFor(token: VerifiedToken): Resolved {
    let kept = resolved.get(token);
    if (kept === undefined || kept.version !== directory.version) {
      kept = { version: directory.version, byWorkspace: new Map() };
      resolved.set(token, kept);
    }
    return kept;
  }

  function cached(token: VerifiedToken, workspaceId: string, make: () => VerifiedToken | string) {
    const { byWorkspace } = keptFor(token);
    let known = byWorkspace.get(workspaceId);
    if (known === undefined) {
      known = make();
      byWorkspace.set(workspaceId, known);
    }
    return known;
  }

  return {
    /** The token with the rights of now; a text: why it is refused. */
    now(token: VerifiedToken): VerifiedToken | string {
      const { userId } = token;
      if (userId === null) return token;
      return cached(token, token.workspaceId, () => {
        const user = directory.user(userId);
        if (user === null) return 'the user is unknown or disabled';
        if (token.workspaceId === everyWorkspace) return sessionToken(token, userId, user);
        const role = directory.roleOf(userId, token.workspaceId);
        if (role === null) return 'the user has no role in the workspace any more';
        return {
          ...token,
          agent: user.name,
          scopes: withinRole(token.scopes, role.role),
          user: { userId, name: user.name, role, agent: token.agent },
        };
      });
    },
    /** Of a sign-in session of a user: its rights in the workspace, none where the user has no role. Any other token unchanged. */
    inWorkspace(token: VerifiedToken, workspaceId: string): VerifiedToken {
      const { user } = token;
      if (token.owner || user === null || token.workspaceId !== everyWorkspace) return token;
      const made = cached(token, workspaceId, () => {
        const role = directory.roleOf(user.userId, workspaceId);
        if (role === null) return token;
        return { ...token, workspaceId, scopes: scopesOfRole(role.role), user: { ...user, role } };
      });
      return typeof made === 'string' ? token : made;
    },
  };
}

function sessionToken(
  token: VerifiedToken,
  userId: string,
  { name, isOwner }: { readonly name: string; readonly isOwner: boolean },
): VerifiedToken {
  const user = { userId, name, role: null, agent: null };
  // Rights in a workspace are those of the role there; the session itself has none.
  return { ...token, agent: name, owner: isOwner, scopes: isOwner ? token.scopes : [], user };
}
