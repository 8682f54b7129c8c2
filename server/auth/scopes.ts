// What a verified token may do, for the rooms that must not see the core.
export { grantsBelow, grantsScope, type RequiredScope, requireScope } from '../core/access/scope.ts';
export { grantsGlob, type WebhookScope } from '../core/access/webhook-scope.ts';
