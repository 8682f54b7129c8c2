// Replaces a refusal for a missing header or an unreadable body by a denial of the access rules, which precede it
// (docs/wire-contract.md#order-of-checks). Accepted requests need no check here: their read or change applies the rules.
import type { FastifyRequest } from 'fastify';
import { normalizeReadPath } from '../../workspaces/model.ts';
import type { WorkspaceService } from '../../workspaces/service.ts';
import { ApiError } from '../base/api-error.ts';
import { queryOf } from './auth.ts';

const outrankedCodes: ReadonlySet<string> = new Set([
  'bad_request',
  'precondition_failed',
  'payload_too_large',
  'rate_limited',
  'delete_storm_rejected',
]);

export function createAccessChecks(
  workspaces: WorkspaceService,
): (request: FastifyRequest, error: ApiError) => Promise<ApiError> {
  return async (request, error) => {
    const { access } = request.routeOptions.config;
    const caller = request.mooringCaller;
    if (access?.kind !== 'workspace' || !access.file || caller === null) return error;
    if (caller.access === null || !outrankedCodes.has(error.code)) return error;
    const requested = queryOf(request).text('path');
    const { workspaceId } = request.params as { workspaceId?: string };
    if (requested === undefined || workspaceId === undefined) return error;
    const path = normalizeReadPath(requested);
    // The root is not a file, and no rule applies to it.
    if (path === '/') return error;
    const { allowed } = await workspaces.getFile(workspaceId, path, caller.access);
    return allowed ? error : new ApiError('forbidden', 'access denied by ACL');
  };
}
