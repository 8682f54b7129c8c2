// What the shells complete, from the tree of commands: subcommands, options, and the kind of each value. Pure.
import type { Argument, Command, Option } from 'commander';

export interface Word {
  readonly word: string;
  readonly description: string;
}

/** `@workspace`, `@folder`, `@file`: by the shell at that moment; `@other`: a value that is not completed; else the words. */
export type ValueKind = '@workspace' | '@folder' | '@file' | '@other' | readonly string[];

export interface CompletedCommand {
  /** `provider add`; the program itself is ''. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly (Word & { readonly value: ValueKind | null })[];
  readonly arguments: readonly ValueKind[];
}

const kinds: Readonly<Record<string, ValueKind>> = {
  WORKSPACE: '@workspace',
  DIR: '@folder',
  FILE: '@file',
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
        value: option.required || option.optional ? optionKind(option) : null,
      })),
      { word: '--help', description: 'display help for command', value: null },
    ],
    arguments: command.registeredArguments.map(argumentKind),
  };
  const inner = command.commands.filter((child) => children.includes(child));
  return [completed, ...inner.flatMap((child) => visit(child, `${path} ${child.name()}`.trim(), everywhere))];
}

function optionKind({ argChoices, flags }: Option): ValueKind {
  const placeholder = /[<[](.*)[>\]]/.exec(flags)?.[1] ?? '';
  return argChoices ?? kinds[placeholder] ?? '@other';
}

function argumentKind(argument: Argument): ValueKind {
  return argument.argChoices ?? kinds[argument.name()] ?? '@other';
}
