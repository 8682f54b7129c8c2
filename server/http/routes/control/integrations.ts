// Routes of the reference's control plane that are not offered: connections to third parties that a hosted service keeps. They
// answer 404 with a hint instead of a bare "route not found".
import { ApiError } from '../../base/api-error.ts';
import type { App } from '../../base/routing.ts';

export function registerControlIntegrations(app: App): void {
  app.all(
    '/api/v1/workspaces/:workspaceId/integrations/*',
    { config: { access: { kind: 'open' } }, schema: { hide: true } },
    () => {
      throw new ApiError(
        'not_found',
        'integrations are not offered: register a provider with POST /v1/workspaces/{workspaceId}/providers',
      );
    },
  );
}
