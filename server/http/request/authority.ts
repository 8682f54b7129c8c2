// The authority of a queued request: that of its caller with all its limits (docs/wire-contract.md#who-acts-through-a-queue).
import type { FastifyRequest } from 'fastify';
import type { RequiredScope } from '../../auth/scopes.ts';
import type { Authority } from '../../workspaces/model.ts';
import { callerOf } from '../plugins/auth.ts';

/** `scope`: the one that the route requires; its path scopes confine the request. null: the owner, who is not limited. */
export function authorityOf(
  request: FastifyRequest,
  scope: RequiredScope = 'sync:trigger',
): Authority | null {
  const { access, deleteLimits } = callerOf(request);
  if (access === null) return null;
  const { parents = [], workspaceId, agent, scopes } = access;
  const parentParties = parents.map((parent) => ({
    workspaceId: parent.workspaceId,
    agent: parent.agent,
    scopes: parent.scopes,
    scope,
  }));
  return { parties: [{ workspaceId, agent, scopes, scope }, ...parentParties], deleteLimits };
}
