// A missing header or an unreadable body is only worth mentioning to somebody who may touch the file at all (contract
// 0.3): before such a refusal is sent, the access rules of the file are asked, and their denial is sent instead. The other
// way round, the accepted request, needs no such look: there the rules are part of the read or of the change itself.
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

export function createLateRefusals(
  workspaces: WorkspaceService,
): (request: FastifyRequest, error: ApiError) => Promise<ApiError> {
  return async (request, error) => {
    const { access } = request.routeOptions.config;
    const caller = request.mooringCaller;
    if (access?.kind !== 'workspace' || !access.file || caller === null) return error;
    if (caller.access === null || !outrankedCodes.has(error.code)) return error;
    const asked = queryOf(request).text('path');
    const { workspaceId } = request.params as { workspaceId?: string };
    if (asked === undefined || workspaceId === undefined) return error;
    const path = normalizeReadPath(asked);
    // The root is no file, and no rule can be about it.
    if (path === '/') return error;
    const { allowed } = await workspaces.getFile(workspaceId, path, caller.access);
    return allowed ? error : new ApiError('forbidden', 'access denied by ACL');
  };
}
