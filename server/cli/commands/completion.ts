// mooring completion bash|zsh|fish: prints the completion script of a shell, generated from the commands.
import { Argument, type Command } from 'commander';
import { type CommonOptions, withDataDir } from '../shared/arguments.ts';
import { completionScript, namesCommand, type Shell, shells } from '../shared/completion-scripts.ts';
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
  withDataDir(
    program
      .command(namesCommand, { hidden: true })
      .description('print the names of workspaces for the completion scripts'),
  ).action(printNames);
}

/** Nothing without an agent: a completion prints no messages. */
async function printNames(options: CommonOptions): Promise<void> {
  const agent = await findAgent(options.dataDir).catch(() => null);
  if (agent === null) return;
  for (const { name } of await agent.client.workspaces.list()) if (!name.includes('\n')) print(name);
}
