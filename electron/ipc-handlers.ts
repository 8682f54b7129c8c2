// What each channel takes and does. A page's words are input: each has its check here, and ipc-main.ts has seen to who
// speaks. What is done with them is done by the parts that are handed in.
import type {
  AgentState,
  CrashReport,
  DesktopChange,
  DesktopState,
  FolderQuestion,
  MirroredPlace,
  PlaceAnswer,
  UpdateState,
} from './ipc-contract.ts';
import { handle, type InvocationTarget } from './ipc-main.ts';

const textCharactersMax = 4_096;

export interface IpcParts {
  readonly agentState: () => AgentState;
  readonly reviveAgent: () => AgentState;
  readonly lastCrash: () => CrashReport | null;
  readonly signInCode: () => Promise<string | null>;
  readonly chooseFolder: (question: FolderQuestion) => Promise<string | null>;
  readonly reveal: (place: MirroredPlace) => Promise<PlaceAnswer>;
  readonly open: (place: MirroredPlace) => Promise<PlaceAnswer>;
  readonly holdsUnsaved: (holds: boolean) => null;
  readonly desktopState: () => DesktopState;
  readonly changeDesktop: (change: DesktopChange) => DesktopState;
  readonly checkForUpdates: () => Promise<UpdateState>;
  readonly installUpdate: () => boolean;
}

export function registerHandlers(target: InvocationTarget, parts: IpcParts): void {
  handle(target, 'agent:state', noArguments, () => parts.agentState());
  handle(target, 'agent:revive', noArguments, () => parts.reviveAgent());
  handle(target, 'agent:crash', noArguments, () => parts.lastCrash());
  handle(target, 'agent:sign-in-code', noArguments, () => parts.signInCode());
  handle(target, 'folder:choose', oneOf(isFolderQuestion), ([question]) => parts.chooseFolder(question));
  handle(target, 'place:reveal', oneOf(isPlace), ([place]) => parts.reveal(place));
  handle(target, 'place:open', oneOf(isPlace), ([place]) => parts.open(place));
  handle(target, 'page:unsaved', oneOf(isChoice), ([holds]) => parts.holdsUnsaved(holds));
  handle(target, 'desktop:state', noArguments, () => parts.desktopState());
  handle(target, 'desktop:change', oneOf(isDesktopChange), ([change]) => parts.changeDesktop(change));
  handle(target, 'updates:check', noArguments, () => parts.checkForUpdates());
  handle(target, 'updates:install', noArguments, () => parts.installUpdate());
}

function noArguments(args: readonly unknown[]): args is readonly [] {
  return args.length === 0;
}

/** Exactly one argument, and it is that. */
function oneOf<T>(check: (value: unknown) => value is T): (args: readonly unknown[]) => args is readonly [T] {
  return (args): args is readonly [T] => args.length === 1 && check(args[0]);
}

/** An object with these keys at most, each of which passes. */
function hasOnly(value: unknown, checks: Readonly<Record<string, (part: unknown) => boolean>>): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([key, part]) => Object.hasOwn(checks, key) && checks[key]?.(part));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= textCharactersMax && !value.includes('\0');
}

function isChoice(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isFolderQuestion(value: unknown): value is FolderQuestion {
  return hasOnly(value, { title: isText, startIn: isText });
}

function isPlace(value: unknown): value is MirroredPlace {
  return hasOnly(value, { workspaceId: isText, path: isText }) && Object.keys(value as object).length === 2;
}

function isDesktopChange(value: unknown): value is DesktopChange {
  return hasOnly(value, { startAtLogin: isChoice, keepRunning: isChoice, notifications: isChoice });
}
