// What a verified token may do, for the rooms that must not see the core.
export { grantsBelow, grantsScope, type RequiredScope, requireScope } from '../core/scope.ts';
export { mayRegisterGlob } from '../core/webhook-scope.ts';
