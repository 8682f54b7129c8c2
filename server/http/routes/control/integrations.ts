// Control-plane routes of the reference for connections to third parties, which Mooring does not have: 404 with a hint.
import { ApiError } from '../../base/api-error.ts';
import type { App } from '../../base/routing.ts';

export function registerControlIntegrations(app: App): void {
  app.all(
    '/api/v1/workspaces/:workspaceId/integrations/*',
    { config: { access: { kind: 'open' } }, schema: { hide: true } },
    () => {
      throw new ApiError(
        'not_found',
        'integrations are not supported: register a provider with POST /v1/workspaces/{workspaceId}/providers',
      );
    },
  );
}
