// What the shells complete, from the tree of commands: subcommands, options, and the kind of each value. Pure.
import type { Argument, Command, Option } from 'commander';
import type { AgentValue } from './completion-values.ts';

export interface Word {
  readonly word: string;
  readonly description: string;
}

/** `@folder`, `@file`: by the shell; `@agent:…`: by the agent at that moment; `@other`: a value that is not completed; else the words. */
export type ValueKind = '@folder' | '@file' | '@other' | `@agent:${AgentValue}` | readonly string[];

export interface CompletedCommand {
  /** `provider add`; the program itself is ''. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly (Word & { readonly value: ValueKind | null })[];
  readonly arguments: readonly ValueKind[];
}

/** By placeholder. */
const kinds: Readonly<Record<string, ValueKind>> = {
  CONFLICT: '@agent:conflict',
  DIR: '@folder',
  ENVELOPE: '@agent:envelope',
  FILE: '@file',
  FORK: '@agent:fork',
  FORK_ID: '@agent:fork',
  OPERATION: '@agent:operation',
  PATH: '@agent:path',
  RUN: '@agent:run',
  SESSION_ID: '@agent:session',
  TOKEN_ID: '@agent:token',
  USER: '@agent:user',
  WORKSPACE: '@agent:workspace',
};

/** By command and name, where the placeholder says too little. */
const specialKinds: Readonly<Record<string, ValueKind>> = {
  'config set NAME': '@agent:setting',
  'config unset NAME': '@agent:setting',
  'ops replay OPERATION': '@agent:deadOperation',
  'workspace restore WORKSPACE': '@agent:deletedWorkspace',
  'writeback ack OPERATION': '@agent:pendingOperation',
  'writeback cancel OPERATION': '@agent:pendingOperation',
  'writeback preview OPERATION': '@agent:pendingOperation',
  'writeback send OPERATION': '@agent:pendingOperation',
};

export function completedCommands(program: Command): readonly CompletedCommand[] {
  return visit(program, '', program.options);
}

function visit(command: Command, path: string, everywhere: readonly Option[]): readonly CompletedCommand[] {
  const children = command.createHelp().visibleCommands(command);
  const own = command.options.filter(({ hidden }) => !hidden);
  const options = [...new Set([...own, ...everywhere])];
  const completed: CompletedCommand = {
    path,
    commands: children.map((child) => ({ word: child.name(), description: child.description() })),
    options: [
      ...options.map((option) => ({
        word: option.long ?? option.short ?? '',
        description: option.description,
        value: option.required || option.optional ? optionKind(option, path) : null,
      })),
      { word: '--help', description: 'print this help', value: null },
    ],
    arguments: command.registeredArguments.map((argument) => argumentKind(argument, path)),
  };
  const inner = command.commands.filter((child) => children.includes(child));
  return [completed, ...inner.flatMap((child) => visit(child, `${path} ${child.name()}`.trim(), everywhere))];
}

function optionKind({ argChoices, flags, long }: Option, path: string): ValueKind {
  const placeholder = /[<[](.*)[>\]]/.exec(flags)?.[1] ?? '';
  if (long === '--dir' && path.startsWith('mirror ') && path !== 'mirror add') return '@agent:mirroredFolder';
  if (long === '--provider') return '@agent:provider';
  return argChoices ?? specialKinds[`${path} ${long}`] ?? kinds[placeholder] ?? '@other';
}

function argumentKind(argument: Argument, path: string): ValueKind {
  const name = argument.name();
  if (/^name from "provider list"/.test(argument.description)) return '@agent:provider';
  return argument.argChoices ?? specialKinds[`${path} ${name}`] ?? kinds[name] ?? '@other';
}
