// docs/command-line.md is what the commands say. `npx vitest run test/cli/reference.test.ts -u` writes it.
import path from 'node:path';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createProgram } from '../../server/cli/program.ts';
import { examples } from '../../server/cli/shared/examples.ts';
import { exitCodeMeanings } from '../../server/cli/shared/failure.ts';
import { commandPath } from '../../server/cli/shared/mistaken-words.ts';

const file = path.resolve(import.meta.dirname, '../../docs/command-line.md');

it('the reference of the command line is what the commands say', async () => {
  const program = createProgram();
  const sections = program.commands.flatMap((command) => section(command));
  await expect(`${head(program)}${sections.join('')}`).toMatchFileSnapshot(file);
});

function head(program: Command): string {
  const codes = Object.entries(exitCodeMeanings).map(([code, text]) => `| ${code} | ${text} |\n`);
  return `# The command line

Generated from the commands: \`mooring help COMMAND\` prints the same. In a checkout, \`mooring\` is \`npm run -s mooring --\`.

- Results are printed to stdout, messages and progress to stderr. Commands with \`--json\` print one JSON object, with ids, RFC 3339 times
  and whole paths.
- A workspace is passed by its name or id. If several have the name, the command is refused and lists their ids.
- Tables fit the terminal, or \`COLUMNS\`, or 100 columns. Long paths are shortened in the middle, texts continue on the next line,
  and a column without values is omitted.
- Times are local; with \`--utc\` they are UTC. Colours are printed to terminals only, without \`NO_COLOR\` and \`--no-color\`.
- An error says what happened, why, and what to do.

## Exit codes

| code | meaning |
|---|---|
${codes.join('')}
## Options of every command

${optionTable(program)}`;
}

function section(command: Command): readonly string[] {
  const own = isRunnable(command) ? [describe(command)] : [];
  return [...own, ...command.commands.flatMap(section)];
}

/** A group of verbs only prints its help. */
function isRunnable(command: Command): boolean {
  return examples[commandPath(command)] !== undefined;
}

function describe(command: Command): string {
  const name = commandPath(command);
  const usage = `mooring ${name} ${command.usage()}`.replace(' [command]', '').trim();
  const lines = (examples[name] ?? []).map((example) => `mooring ${example}\n`);
  const values = command.registeredArguments
    .filter(({ description }) => description !== '')
    .map(
      (argument) => `| \`${argument.name()}\` | ${cell(argument.description + choicesText(argument))} |\n`,
    );
  return [
    `\n## \`${name}\`\n\n${sentence(command.description())}\n\n\`\`\`sh\n# ${usage}\n${lines.join('')}\`\`\`\n`,
    values.length === 0 ? '' : `\n| argument | |\n|---|---|\n${values.join('')}`,
    command.options.some(({ hidden }) => !hidden) ? `\n${optionTable(command)}` : '',
  ].join('');
}

function optionTable(command: Command): string {
  const rows = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ flags, description, argChoices, defaultValue, mandatory }) => {
      const choices = choicesText({ argChoices });
      const fallback = typeof defaultValue === 'string' ? ` (default: ${code(defaultValue)})` : '';
      return `| \`${cell(flags)}\`${mandatory ? ' (required)' : ''} | ${cell(`${description}${choices}${fallback}`)} |\n`;
    });
  return `| option | |\n|---|---|\n${rows.join('')}`;
}

function choicesText({ argChoices }: { readonly argChoices?: readonly string[] | undefined }): string {
  return argChoices === undefined ? '' : `: ${argChoices.map(code).join(', ')}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/(?<=for example )[^\s,)]+/g, code);
}

function code(text: string): string {
  return `\`${text}\``;
}
