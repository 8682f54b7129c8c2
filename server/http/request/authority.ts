// On whose authority a queued request is carried out: the caller's, with all that limits it. null: the owner, whom nothing limits.
import type { FastifyRequest } from 'fastify';
import type { RequiredScope } from '../../auth/scopes.ts';
import type { Authority } from '../../workspaces/model.ts';
import { callerOf } from '../plugins/auth.ts';

/** `scope`: the one that the route asks for. Its path grants confine what is done. */
export function authorityOf(
  request: FastifyRequest,
  scope: RequiredScope = 'sync:trigger',
): Authority | null {
  const { access, deleteLimits } = callerOf(request);
  if (access === null) return null;
  const { under = [], workspaceId, agent, scopes } = access;
  const above = under.map((one) => ({
    workspaceId: one.workspaceId,
    agent: one.agent,
    scopes: one.scopes,
    scope,
  }));
  return { parties: [{ workspaceId, agent, scopes, scope }, ...above], deleteLimits };
}
