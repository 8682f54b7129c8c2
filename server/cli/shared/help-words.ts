// `mooring help provider add` as `mooring provider add --help`, at any depth. An unknown word is refused, not answered with other help.
import type { Command } from 'commander';
import { usageError } from './failure.ts';
import { commandSuggestion } from './other-tools-words.ts';

export function expandHelp(program: Command, args: readonly string[]): string[] {
  const at = args.indexOf('help');
  const before = at === -1 ? [] : args.slice(0, at);
  const group = at === -1 ? null : find(program, before);
  // Of a command without verbs, `help` is an argument.
  if (group === null || group.commands.length === 0 || group.registeredArguments.length > 0) return [...args];
  const words = args.slice(at + 1).filter((word) => !word.startsWith('-'));
  const known = words.findIndex((_, index) => find(group, words.slice(0, index + 1)) === null);
  if (known !== -1) {
    const parents = [...before, ...words.slice(0, known)];
    const suggestion = commandSuggestion(words[known] ?? '', find(program, parents) ?? program);
    throw usageError(
      `"${words[known]}" is not a command.${suggestion}`,
      `List the commands with "${['mooring', ...parents].join(' ')} --help".`,
    );
  }
  return [...before, ...words, '--help'];
}

/** null: there is no such command. */
function find(command: Command, names: readonly string[]): Command | null {
  let found: Command | null = command;
  for (const name of names) found = found?.commands.find((each) => each.name() === name) ?? null;
  return found;
}
