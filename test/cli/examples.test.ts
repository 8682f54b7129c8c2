// Each command has an example below its help, and the parser accepts each of them.
import { expect, it } from 'vitest';
import { createProgram } from '../../server/cli/program.ts';
import { valuesCommand } from '../../server/cli/shared/completion-scripts.ts';
import { examples } from '../../server/cli/shared/examples.ts';
import { commandPath } from '../../server/cli/shared/mistaken-words.ts';
import { allCommands } from '../support/cli-commands.ts';

const runnable = () =>
  allCommands(createProgram())
    .slice(1)
    .filter((command) => command.name() !== valuesCommand)
    .filter(
      (command) =>
        'commandName' in command || command.commands.length === 0 || command.registeredArguments.length > 0,
    );

it('has an example for each command, and for no other', () => {
  const known = allCommands(createProgram()).slice(1).map(commandPath);
  expect(Object.keys(examples).filter((name) => !known.includes(name))).toEqual([]);
  const missing = runnable()
    .map(commandPath)
    .filter((name) => examples[name] === undefined);
  expect(missing, 'add them to server/cli/shared/examples.ts').toEqual([]);
});

it.each(Object.entries(examples).flatMap(([name, own]) => own.map((example) => [name, example] as const)))(
  '%s: mooring %s',
  async (name, example) => {
    const called: string[] = [];
    const program = createProgram();
    for (const command of allCommands(program).slice(1)) {
      command.exitOverride();
      command.configureOutput({ writeErr: () => undefined });
      command.action(() => {
        called.push(commandPath(command));
      });
    }
    const words = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
    await program.parseAsync(words, { from: 'user' });
    expect(called).toEqual([name]);
  },
);
