// What an answer of the agent that refuses a command means to the person who ran it: cause, what to do, exit code.
import type { Command } from 'commander';
import type { MooringError } from '../../../sdk/index.ts';
import { CommandFailure, exitCodes } from './failure.ts';
import { commandPath } from './mistaken-words.ts';
import { shellWord } from './shell-word.ts';

/** What to do after a refusal, by its HTTP status. */
const remedies: Readonly<Record<number, string>> = {
  401: 'The agent has another owner token than this data directory: restart it, or pass its --data-dir.',
  403: 'Use an account or a setting that allows it: see the help of the command.',
  404: 'Check the path, id or name, and --workspace.',
  413: 'Split it, or raise the limit that the message names.',
  429: 'Wait a moment and repeat the command.',
};

/** `command`: the command that was run, if it got as far as that. */
export function refusal(
  { message, status, code, correlationId }: MooringError,
  command: Command | null,
): CommandFailure {
  const text = message.replace(/[.\s]+$/, '');
  const isAboutArgument = status === 404 || code === 'invalid_state';
  const missing = isAboutArgument && command !== null ? namedArgument(command) : null;
  const subject = missing === null || text.includes(missing.value) ? '' : ` ${missing.value}`;
  const cause = `The agent refused${subject}: ${text} (${status} ${code}).`;
  // A 4xx answer states its full cause. The log has more about a 5xx answer.
  if (status >= 500)
    return new CommandFailure(
      exitCodes.failed,
      cause,
      `See its cause with "mooring logs --correlation-id ${correlationId}".`,
    );
  // A message of several sentences says itself what to do.
  const isComplete = /[.!?] /.test(text);
  const remedy = isComplete ? null : (missing?.remedy ?? remedyOf(status, code) ?? seeHelp(command));
  return new CommandFailure(status === 400 ? exitCodes.usage : exitCodes.failed, cause, remedy);
}

function remedyOf(status: number, code: string): string | undefined {
  if (code === 'revision_conflict')
    return 'Read the current state, and repeat the command if it still applies.';
  return remedies[status];
}

export function seeHelp(command: Command | null): string | null {
  if (command === null) return null;
  return `See "mooring ${command.parent === null ? '' : `${commandPath(command)} `}--help".`;
}

/** The id, name or path that a command was run with, and where to find the existing ones. */
function namedArgument(command: Command): { readonly value: string; readonly remedy: string } | null {
  for (const [index, argument] of command.registeredArguments.entries()) {
    const value = command.args[index];
    if (value === undefined) continue;
    const [, kind, list] = /(id|name) from "(.+)"/.exec(argument.description) ?? [];
    if (kind !== undefined && list !== undefined)
      return { value, remedy: `List the ${kind}s with "mooring ${list}${workspaceOf(command)}".` };
    if (argument.name() === 'PATH')
      return {
        value,
        remedy: 'Check the path: it is the whole path in the workspace, in upper and lower case as there.',
      };
  }
  return null;
}

function workspaceOf(command: Command): string {
  const { workspace } = command.opts<{ readonly workspace?: string }>();
  return workspace === undefined ? '' : ` --workspace ${shellWord(workspace)}`;
}
