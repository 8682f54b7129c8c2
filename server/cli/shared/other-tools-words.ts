// Words of other tools for commands of this one: `history` for `log`, `workspace add` for `workspace create`. A hint beside an error; the word
// itself is never accepted, so that each command has one name.
import type { Command } from 'commander';
import { suggestionText } from './similar-words.ts';

/** The command of the program, with its verb or options. */
const commands: Readonly<Record<string, readonly string[]>> = {
  'config list': ['settings', 'preferences'],
  'conflicts list': ['conflict', 'merge'],
  'dead-letters list': ['webhook', 'webhooks', 'dlq'],
  doctor: ['health', 'diagnose'],
  'hub user': ['user', 'users'],
  log: ['history', 'versions', 'revisions', 'changes', 'blame'],
  'logs --follow': ['tail', 'events'],
  'mirror add': ['add', 'init', 'link', 'watch'],
  'mirror pause': ['pause'],
  'mirror prove': ['check', 'verify'],
  'mirror remove': ['rm', 'remove', 'delete', 'unlink'],
  'mirror resume': ['resume'],
  open: ['login', 'signin', 'sign-in', 'ui', 'web', 'browse', 'dashboard'],
  'remote add': ['clone', 'connect'],
  search: ['find', 'grep'],
  show: ['cat', 'read', 'print'],
  'show --diff': ['diff'],
  status: ['ps', 'info', 'list', 'ls'],
  stop: ['quit', 'kill', 'down', 'shutdown'],
  start: ['up'],
  'token create': ['agent', 'agents', 'key', 'keys'],
  undo: ['revert', 'rollback', 'reset'],
  '--version': ['version'],
};

/** The verb of a command that has it. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  add: ['create', 'new'],
  create: ['add', 'new'],
  delete: ['remove', 'rm'],
  discard: ['delete', 'remove', 'rm', 'abort', 'cancel'],
  dismiss: ['delete', 'remove', 'rm'],
  list: ['ls', 'all'],
  remove: ['delete', 'rm', 'unlink'],
  replay: ['retry'],
  revoke: ['delete', 'remove', 'rm'],
  show: ['get', 'view', 'cat', 'info', 'describe'],
};

/** ` Did you mean add?`: by its meaning, else by its letters; empty: no hint. `command`: where the word is unknown. */
export function commandSuggestion(word: string, command: Command): string {
  const meant = command.parent === null ? nameFor(word, commands) : verbFor(word, command);
  if (meant !== null) return ` Did you mean ${meant}?`;
  return suggestionText(
    word,
    command.commands.map((each) => each.name()),
  );
}

function nameFor(word: string, words: Readonly<Record<string, readonly string[]>>): string | null {
  return Object.keys(words).find((name) => words[name]?.includes(word) === true) ?? null;
}

function verbFor(word: string, command: Command): string | null {
  const names = command.commands.map((each) => each.name());
  return names.find((name) => verbs[name]?.includes(word) === true) ?? null;
}

/** For their test. */
export const suggestedCommands: readonly string[] = Object.keys(commands);
