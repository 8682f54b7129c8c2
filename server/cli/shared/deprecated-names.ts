// Accepts the former names of commands and options for one version: each is replaced before parsing, with a hint on stderr.

interface Renaming {
  /** The command before its former name, or the command whose option was renamed. */
  readonly command: readonly string[];
  readonly from: string;
  readonly to: string;
}

const renamedCommands: readonly Renaming[] = [
  { command: ['mirror'], from: 'guard', to: 'deletion-limit' },
  { command: ['mirror'], from: 'deletions', to: 'pending-deletions' },
  { command: ['mirror'], from: 'accept', to: 'delete-missing' },
];

const renamedOptions: readonly Renaming[] = [
  { command: ['mirror', 'add'], from: '--guard', to: '--deletion-limit' },
];

export interface CurrentNames {
  readonly args: readonly string[];
  /** One line for each former name in the arguments. */
  readonly hints: readonly string[];
}

export function replaceDeprecatedNames(args: readonly string[]): CurrentNames {
  const current = [...args];
  const hints: string[] = [];
  for (const { command, from, to } of renamedCommands) {
    if (!startsWith(args, [...command, from])) continue;
    current[command.length] = to;
    hints.push(hint([...command, from], [...command, to]));
  }
  for (const { command, from, to } of renamedOptions) {
    const index = args.findIndex((arg) => arg === from || arg.startsWith(`${from}=`));
    if (index === -1 || !startsWith(args, command)) continue;
    current[index] = `${to}${(args[index] ?? '').slice(from.length)}`;
    hints.push(hint([from], [to]));
  }
  return { args: current, hints };
}

function startsWith(args: readonly string[], words: readonly string[]): boolean {
  return words.every((word, index) => args[index] === word);
}

function hint(from: readonly string[], to: readonly string[]): string {
  return `"${from.join(' ')}" is deprecated. Use "${to.join(' ')}".`;
}
