// The caller of a route of runs: what it may see and change, and under which name.
import type { FastifyRequest } from 'fastify';
import type { RunCaller } from '../../runs/service.ts';
import { correlationIdOf } from '../base/api-error.ts';
import { callerOf } from '../plugins/auth.ts';

export function runCaller(request: FastifyRequest): RunCaller {
  const { access, actor, token } = callerOf(request);
  return { access, actor, tokenId: token.tokenId, correlationId: correlationIdOf(request) };
}
