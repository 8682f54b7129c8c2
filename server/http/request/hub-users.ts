// Users in requests: which server has them, who asks, and how refusals are answered.
import type { FastifyRequest } from 'fastify';
import type { ChangedBy, Users } from '../../users/service.ts';
import { UserForbiddenError, UserRefusedError, UserUnknownError } from '../../users/service.ts';
import { ApiError, refusingAs } from '../base/api-error.ts';
import type { HttpDependencies } from '../base/dependencies.ts';
import { callerOf } from '../plugins/auth.ts';

/** Throws where the server is an agent. */
export function usersOf({ users }: Pick<HttpDependencies, 'users'>): Users {
  if (users !== null) return users;
  throw new ApiError(
    'invalid_state',
    'this server has no users: they are a part of a hub, which keeps its workspaces in PostgreSQL. Create access tokens instead.',
  );
}

export const refusedUser = refusingAs(
  [UserRefusedError, 'invalid_state'],
  [UserForbiddenError, 'forbidden'],
  [UserUnknownError, 'not_found'],
);

/** null: the owner of the hub. */
export function changedBy(request: FastifyRequest): ChangedBy {
  const { token } = callerOf(request);
  return token.owner ? null : (token.user?.userId ?? '');
}

/** The user of a sign-in session without the rights of the owner; null: the owner. */
export function signedInUser(request: FastifyRequest): string | null {
  const { token } = callerOf(request);
  return token.owner ? null : (token.user?.userId ?? null);
}

/** The address of this server as browsers reach it; the Host check has accepted the name. */
export function publicUrlOf(request: FastifyRequest, { config }: Pick<HttpDependencies, 'config'>): string {
  return config.publicUrl ?? `http://${request.headers.host}`;
}

export function inviteUrl(base: string, secret: string): string {
  return `${base}/#invite=${encodeURIComponent(secret)}`;
}
