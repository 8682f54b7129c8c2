// Resolves `forkId` in the query of a route to the files that it reads and writes. Without it the route uses the workspace.
import type { FastifyRequest } from 'fastify';
import { grantsBelow } from '../../auth/scopes.ts';
import type { BulkErrorCode } from '../../contract/errors.ts';
import { type Files, ForkForbiddenError, ForkFullError, ForkGoneError } from '../../workspaces/forks.ts';
import { ApiError } from '../base/api-error.ts';
import type { HttpDependencies } from '../base/dependencies.ts';
import { callerOf, queryOf } from '../plugins/auth.ts';

/** Errors of every route with `forkId`. */
export const forkErrors = ['not_found', 'fork_expired'] as const;

type Dependencies = Pick<HttpDependencies, 'workspaces' | 'forks'>;

export function isForked(request: FastifyRequest): boolean {
  return queryOf(request).first('forkId') !== undefined;
}

/** Throws a ForkGoneError, also for an empty id: it must never become a change of the workspace. */
export async function filesOf(
  { workspaces, forks }: Dependencies,
  request: FastifyRequest,
  workspaceId: string,
): Promise<Files> {
  const forkId = queryOf(request).first('forkId');
  return forkId === undefined ? workspaces : await forks.files(workspaceId, forkId);
}

/**
 * The same for a list. A scope of exactly one path permits a list only if the path is a file, and a file of the workspace can be a
 * directory in the fork.
 */
export async function listableFiles(
  dependencies: Dependencies,
  request: FastifyRequest,
  workspaceId: string,
  path: string,
): Promise<Files> {
  const files = await filesOf(dependencies, request, workspaceId);
  const { token } = callerOf(request);
  if (!isForked(request) || token.owner || grantsBelow(token.scopes, 'fs:read', path)) return files;
  const { entry } = await files.getFile(workspaceId, path, null);
  if (entry === null) throw new ApiError('forbidden', 'missing required scope: fs:read');
  return files;
}

// ---- per-file results of a bulk write

export interface ForkRefusal {
  readonly ok: false;
  readonly path: string;
  readonly forkCode: Extract<BulkErrorCode, 'fork_expired' | 'not_found' | 'invalid_input' | 'forbidden'>;
  readonly message: string;
}

/** null: not an error of a fork. */
export function forkRefusal(error: unknown): Omit<ForkRefusal, 'ok' | 'path'> | null {
  if (error instanceof ForkFullError) return { forkCode: 'invalid_input', message: error.message };
  if (error instanceof ForkForbiddenError) return { forkCode: 'forbidden', message: error.message };
  if (!(error instanceof ForkGoneError)) return null;
  return { forkCode: error.kind === 'expired' ? 'fork_expired' : 'not_found', message: error.message };
}

export function isForkRefusal(refusal: object): refusal is ForkRefusal {
  return 'forkCode' in refusal;
}
