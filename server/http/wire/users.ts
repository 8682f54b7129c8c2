// Converts users to JSON.
import type { User, WorkspaceUser } from '../../contract/users.ts';
import type { RoleRow, UserRow } from '../../users/service.ts';
import { wireTime } from './records.ts';

export function userWire(row: UserRow, roles: readonly RoleRow[]): User {
  return {
    userId: row.userId,
    name: row.name,
    ...(row.email === null ? {} : { email: row.email }),
    isOwner: row.isOwner,
    createdAt: wireTime(row.createdAtMs),
    ...(row.disabledAtMs === null ? {} : { disabledAt: wireTime(row.disabledAtMs) }),
    ...(row.signedInAtMs === null ? {} : { signedInAt: wireTime(row.signedInAtMs) }),
    ...(row.issuer === null ? {} : { issuer: row.issuer }),
    roles: roles.map(({ workspaceId, role }) => ({ workspaceId, role })),
  };
}

export function workspaceUserWire(
  row: UserRow,
  { role }: Pick<RoleRow, 'role'>,
  { isSelf, showsEmail }: { readonly isSelf: boolean; readonly showsEmail: boolean },
): WorkspaceUser {
  return {
    userId: row.userId,
    name: row.name,
    ...(showsEmail && row.email !== null ? { email: row.email } : {}),
    role,
    hasSignedIn: row.signedInAtMs !== null,
    ...(row.disabledAtMs === null ? {} : { disabledAt: wireTime(row.disabledAtMs) }),
    isSelf,
  };
}
