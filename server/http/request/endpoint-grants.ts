// Which webhook endpoints a caller may register, list, remove and replay: those whose globs its scopes all cover, and its own. Other
// endpoints are answered like missing ones.
import type { FastifyRequest } from 'fastify';
import { grantsGlob, type WebhookScope } from '../../auth/scopes.ts';
import type { WebhookRow } from '../../outbound/webhooks/registry.ts';
import { callerOf } from '../plugins/auth.ts';

export function coversGlob(request: FastifyRequest, scope: WebhookScope, glob: string): boolean {
  const { token } = callerOf(request);
  return token.owner || [token, ...token.parentTokens].every(({ scopes }) => grantsGlob(scopes, scope, glob));
}

export function coversEndpoint(
  request: FastifyRequest,
  scope: WebhookScope,
  { tokenIds, globs }: Pick<WebhookRow, 'tokenIds' | 'globs'>,
): boolean {
  const { tokenId } = callerOf(request).token;
  const isOwn = tokenId !== null && tokenIds.includes(tokenId);
  return isOwn || globs.every((glob) => coversGlob(request, scope, glob));
}
