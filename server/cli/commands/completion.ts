// mooring completion bash|zsh|fish: prints the completion script of a shell, generated from the commands.
import { Argument, type Command } from 'commander';
import { parseFolder } from '../shared/arguments.ts';
import { completionScript, type Shell, shells, valuesCommand } from '../shared/completion-scripts.ts';
import { completionValues, isAgentValue, optionIn, unquoted } from '../shared/completion-values.ts';
import { completedCommands } from '../shared/completion-words.ts';
import { findAgent } from '../shared/connect.ts';
import { print } from '../shared/output.ts';

const installation = `
bash: add to ~/.bashrc       source <(mooring completion bash)
zsh:  add to ~/.zshrc        source <(mooring completion zsh)   (after compinit)
fish: add to config.fish     mooring completion fish | source`;

export function registerCompletion(program: Command): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<SHELL>', 'the shell').choices(shells))
    .addHelpText('after', installation)
    .action((shell: Shell) => {
      process.stdout.write(completionScript(shell, completedCommands(program)));
    });
  program
    .command(valuesCommand, { hidden: true })
    .description('print names, ids or paths for the completion scripts')
    .argument('<KIND>')
    .argument('<CURRENT>')
    .argument('[WORDS...]')
    .action(printValues);
}

/** Nothing without an agent or after an error: a completion prints no messages. */
async function printValues(kind: string, current: string, words: readonly string[]): Promise<void> {
  if (!isAgentValue(kind)) return;
  const dataDir = optionIn(words, '--data-dir');
  try {
    const agent = await findAgent(dataDir === undefined ? undefined : parseFolder(unquoted(dataDir)));
    if (agent === null) return;
    for (const { value, description } of await completionValues(agent.client, kind, { current, words }))
      print(`${value}\t${description.replaceAll(/\s+/g, ' ')}`);
  } catch {
    // There is nothing to offer.
  }
}
