// Scope decisions, for modules that may not import the core.

export { type Role, reachesRole } from '../core/access/roles.ts';
export {
  grantedRoots,
  grantsBelow,
  grantsScope,
  type RequiredScope,
  requireScope,
} from '../core/access/scope.ts';
export { grantsGlob, type WebhookScope } from '../core/access/webhook-scope.ts';
