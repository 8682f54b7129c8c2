// Prints the errors of the parser as those of commands: a sentence, what was probably meant, and where the help is.
import type { Command } from 'commander';
import { commandSuggestion } from './other-tools-words.ts';
import { note } from './output.ts';
import { seeHelp } from './refusal-text.ts';

/** Call it after all commands are registered. */
export function reportUsageErrors(command: Command): void {
  command.configureOutput({
    outputError: (text) => {
      note(explained(text.trim(), command), 'red');
      note(seeHelp(command) ?? '');
    },
  });
  for (const child of command.commands) reportUsageErrors(child);
}

/** The parser compares unknown commands by their letters alone, and finds "restore" for "history". */
function explained(text: string, command: Command): string {
  const unknown = /^error: (unknown command '(.*)')/.exec(text);
  if (unknown?.[1] === undefined) return text.split('\n').map(sentence).join(' ');
  return `${sentence(unknown[1])}${commandSuggestion(unknown[2] ?? '', command)}`;
}

/** `error: unknown command 'ad'` as `Unknown command 'ad'.`; `(Did you mean add?)` without its brackets. */
function sentence(line: string): string {
  const text = line.replace(/^error: /, '').replace(/^\((.*)\)$/, '$1');
  const whole = `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(
    /^Command-argument value/,
    'The value',
  );
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
