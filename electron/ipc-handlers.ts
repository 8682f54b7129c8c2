// Validates the arguments of each IPC channel and calls its handler. ipc-main.ts has checked the sender; the handlers are
// injected.
import type { DesktopChange, FolderDialogOptions, MirroredPath, MooringBridge } from './ipc-contract.ts';
import { handle, type InvocationTarget } from './ipc-main.ts';

const textCharactersMax = 4_096;

type Requests = Omit<MooringBridge, 'platform' | 'onAgentState' | 'onDesktopState' | 'onGo'>;

/** The function behind each request of the bridge; it may answer at once. */
export type IpcDeps = {
  readonly [Name in keyof Requests]: (
    ...args: Parameters<Requests[Name]>
  ) => ReturnType<Requests[Name]> | Awaited<ReturnType<Requests[Name]>>;
};

export function registerHandlers(target: InvocationTarget, deps: IpcDeps): void {
  handle(target, 'agent:state', noArguments, () => deps.agentState());
  handle(target, 'agent:revive', noArguments, () => deps.reviveAgent());
  handle(target, 'agent:crash', noArguments, () => deps.lastCrash());
  handle(target, 'agent:sign-in-code', noArguments, () => deps.signInCode());
  handle(target, 'folder:choose', oneOf(isFolderDialogOptions), ([question]) => deps.chooseFolder(question));
  handle(target, 'path:reveal', oneOf(isMirroredPath), ([target]) => deps.reveal(target));
  handle(target, 'path:open', oneOf(isMirroredPath), ([target]) => deps.open(target));
  handle(target, 'page:unsaved', oneOf(isBoolean), ([holds]) => deps.holdsUnsaved(holds));
  handle(target, 'desktop:state', noArguments, () => deps.desktopState());
  handle(target, 'desktop:change', oneOf(isDesktopChange), ([change]) => deps.changeDesktop(change));
  handle(target, 'updates:check', noArguments, () => deps.checkForUpdates());
  handle(target, 'updates:install', noArguments, () => deps.installUpdate());
}

function noArguments(args: readonly unknown[]): args is readonly [] {
  return args.length === 0;
}

/** Exactly one argument of that type. */
function oneOf<T>(check: (value: unknown) => value is T): (args: readonly unknown[]) => args is readonly [T] {
  return (args): args is readonly [T] => args.length === 1 && check(args[0]);
}

/** An object with no other keys than these, whose values pass their checks. */
function hasOnly(value: unknown, checks: Readonly<Record<string, (value: unknown) => boolean>>): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([key, field]) => Object.hasOwn(checks, key) && checks[key]?.(field));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= textCharactersMax && !value.includes('\0');
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isFolderDialogOptions(value: unknown): value is FolderDialogOptions {
  return hasOnly(value, { title: isText, startIn: isText });
}

function isMirroredPath(value: unknown): value is MirroredPath {
  const fields = { workspaceId: isText, runId: isText, path: isText };
  return hasOnly(value, fields) && 'workspaceId' in (value as object) && 'path' in (value as object);
}

function isDesktopChange(value: unknown): value is DesktopChange {
  return hasOnly(value, { startAtLogin: isBoolean, keepRunning: isBoolean, notifications: isBoolean });
}
