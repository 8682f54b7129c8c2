// The help of every command: short lines in the imperative, placeholders in capitals, no former names.
import { expect, it } from 'vitest';
import { createProgram } from '../../server/cli/program.ts';
import { replaceDeprecatedNames } from '../../server/cli/shared/deprecated-names.ts';
import { allCommands } from '../support/cli-commands.ts';

const lengthMax = 60;
const commands = allCommands(createProgram()).slice(1);

function helpLines(): readonly (readonly [where: string, line: string])[] {
  return commands.flatMap((command) => {
    const name = [command.parent?.name(), command.name()].join(' ');
    return [
      [name, command.description()] as const,
      ...command.registeredArguments.map(
        (argument) => [`${name} ${argument.name()}`, argument.description] as const,
      ),
      ...command.options.map(({ flags, description }) => [`${name} ${flags}`, description] as const),
    ];
  });
}

it('has short lines without a full stop', () => {
  expect(helpLines().filter(([, line]) => line.length > lengthMax || /[.;]$|; /.test(line))).toEqual([]);
});

it('describes every command and option', () => {
  const described = commands.flatMap((command) => [
    command.description(),
    ...command.options.map((option) => option.description),
  ]);
  expect(described.filter((line) => !/^(?:[a-z]|JSON|URL)/.test(line))).toEqual([]);
});

it('has placeholders in capitals', () => {
  const placeholders = commands.flatMap((command) => [
    ...command.registeredArguments.map((argument) => argument.name()),
    ...command.options.flatMap(({ flags }) => /[<[](.*)[>\]]/.exec(flags)?.[1] ?? []),
  ]);
  expect(placeholders.length).toBeGreaterThan(100);
  expect(placeholders.filter((placeholder) => !/^[A-Z][A-Z_,:]*$/.test(placeholder))).toEqual([]);
});

it.each([
  ['mirror guard', ['mirror', 'guard', '5'], ['mirror', 'deletion-limit', '5'], 'mirror deletion-limit'],
  ['mirror deletions', ['mirror', 'deletions'], ['mirror', 'pending-deletions'], 'mirror pending-deletions'],
  [
    'mirror accept',
    ['mirror', 'accept', '--json'],
    ['mirror', 'delete-missing', '--json'],
    'mirror delete-missing',
  ],
  [
    '--guard',
    ['mirror', 'add', '--guard', '5'],
    ['mirror', 'add', '--deletion-limit', '5'],
    '--deletion-limit',
  ],
  ['--guard', ['mirror', 'add', '--guard=5'], ['mirror', 'add', '--deletion-limit=5'], '--deletion-limit'],
])('replaces the former name "%s" with one hint', (former, args, current, name) => {
  expect(replaceDeprecatedNames(args)).toEqual({
    args: current,
    hints: [`"${former}" is deprecated. Use "${name}".`],
  });
  const known = commands.flatMap((command) => [
    `${command.parent?.name()} ${command.name()}`,
    ...command.options.flatMap(({ long }) => long ?? []),
  ]);
  expect(known).toContain(name);
  expect(known).not.toContain(former);
});

it.each([[['mirror', 'list']], [['token', 'create', '--guard']], [['guard']], [[]]])(
  'leaves other arguments unchanged: %j',
  (args) => {
    expect(replaceDeprecatedNames(args)).toEqual({ args, hints: [] });
  },
);
