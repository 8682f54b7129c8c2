// The globs of a query, which choose paths.
import type { FastifyRequest } from 'fastify';
import { globsMax } from '../../contract/runs.ts';
import { choiceOf, type PathChoice } from '../../workspaces/model.ts';
import { ApiError } from '../base/api-error.ts';
import { queryOf } from '../plugins/auth.ts';

/** Empty: all paths. */
export function globsOf(request: FastifyRequest): readonly string[] {
  const globs = queryOf(request).all('glob');
  if (globs.length <= globsMax) return globs;
  throw new ApiError('bad_request', `the query has more than ${globsMax} globs: send fewer`);
}

export function choiceOfQuery(request: FastifyRequest): PathChoice {
  return choiceOf(globsOf(request));
}
