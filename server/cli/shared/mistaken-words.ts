// Refuses words that are commands or options where the name of something new, or a value, is expected: `provider add help` is a question.
import { type Command, InvalidArgumentError } from 'commander';

/** Commands whose last argument names something that they create. */
const creating: ReadonlySet<string> = new Set([
  'backup',
  'fork create',
  'provider add',
  'start',
  'workspace rename',
]);
/** Options that name something new. */
const creatingOptions: ReadonlySet<string> = new Set(['workspace create --name', 'token create --agent']);

/** Call it after all commands are registered. */
export function refuseMistakenWords(program: Command): void {
  for (const command of program.commands) visit(command, program);
}

function visit(command: Command, program: Command): void {
  const path = commandPath(command);
  for (const option of command.options) {
    if (!option.required && !option.optional) continue;
    const parse = option.parseArg as ((value: string, previous: unknown) => unknown) | undefined;
    const isNew = creatingOptions.has(`${path} ${option.long}`);
    option.argParser((value: string, previous: unknown) => {
      if (isOption(value, command, program)) throw valueMissing(value);
      if (isNew) checkNewName(value, command);
      return parse === undefined ? value : parse(value, previous);
    });
  }
  const last = command.registeredArguments.at(-1);
  if (last !== undefined && creating.has(path)) {
    const parse = last.parseArg as ((value: string, previous: unknown) => unknown) | undefined;
    last.argParser((value: string, previous: unknown) => {
      checkNewName(value, command);
      return parse === undefined ? value : parse(value, previous);
    });
  }
  for (const child of command.commands) visit(child, program);
}

/** `mirror add`, without the name of the program. */
export function commandPath(command: Command): string {
  const parent = command.parent;
  return parent === null || parent.parent === null
    ? command.name()
    : `${commandPath(parent)} ${command.name()}`;
}

function isOption(value: string, command: Command, program: Command): boolean {
  if (!value.startsWith('-') || value === '-') return false;
  const known = [...command.options, ...program.options].flatMap(({ long, short }) => [long, short]);
  return value === '--help' || value === '-h' || known.includes(value);
}

function valueMissing(value: string): InvalidArgumentError {
  return new InvalidArgumentError(`"${value}" is an option, and a value is missing before it.`);
}

function checkNewName(value: string, command: Command): void {
  if (value.trim() === '') throw new InvalidArgumentError('Enter a name.');
  const siblings = command.parent?.commands ?? [];
  const isCommand = value === 'help' || siblings.some((sibling) => sibling.name() === value);
  if (!isCommand && !value.startsWith('-')) return;
  const kind = isCommand ? 'a command' : 'written like an option';
  const folder = ['backup', 'start'].includes(command.name())
    ? ` For a folder of that name pass ./${value}.`
    : '';
  throw new InvalidArgumentError(
    `"${value}" is ${kind}. For help run "mooring ${commandPath(command)} --help"; otherwise choose another name.${folder}`,
  );
}
