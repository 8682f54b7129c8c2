// The commands of the command line, for tests of all of them.
import type { Command } from 'commander';

/** Commands without subcommands. */
export function leafCommands(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leafCommands);
}

/** The command and all its subcommands. */
export function allCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}
