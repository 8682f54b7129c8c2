// mooring mcp: the MCP server on stdio, for AI agents; and mooring mcp install: the configuration of their clients.
import { Argument, type Command } from 'commander';
import { withDataDir } from '../shared/arguments.ts';
import {
  type McpClientName,
  mcpClients,
  mcpConfiguration,
  writeConfiguration,
} from '../shared/mcp-clients.ts';
import { AgentSession, type McpOptions } from '../shared/mcp-session.ts';
import { note, print } from '../shared/output.ts';
import { withWorkspace } from '../shared/workspace-arguments.ts';

interface InstallOptions extends Omit<McpOptions, 'start'> {
  readonly write?: true;
}

export function registerMcp(program: Command): void {
  const mcp = confined(program.command('mcp').description('serve MCP on stdio, for AI agents')).option(
    '--no-start',
    'do not start an agent if none is running',
  );
  mcp.action(serve);
  confined(
    mcp
      .command('install')
      .description('print the configuration of an MCP client')
      .addArgument(new Argument('<CLIENT>', 'the client').choices(mcpClients)),
  )
    .option('--write', 'write it to the file of the client')
    .action((client: McpClientName, options: InstallOptions, command: Command) =>
      install(client, { ...command.parent?.opts(), ...options }),
    );
}

function confined(command: Command): Command {
  return withWorkspace(withDataDir(command))
    .option('--path <GLOB>', 'limit access to a path, for example /docs/**')
    .option('--read-only', 'offer no writing tool');
}

async function serve(options: McpOptions): Promise<void> {
  // Imported here because no other command needs the protocol.
  const { serveMcpOnStdio } = await import('../../mcp/stdio.ts');
  const session = new AgentSession(options);
  const endpoint = serveMcpOnStdio(session, (error) => note(`MCP: ${error.message}`));
  await inputEnded();
  await endpoint.close();
  await session.close();
}

/** The end of stdin, or a signal. */
async function inputEnded(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => resolve());
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  process.stdin.destroy();
}

function install(client: McpClientName, options: InstallOptions): void {
  const configuration = mcpConfiguration(client, argumentsOf(options));
  if (options.write !== true) {
    note(`For ${configuration.file}. Write it there with --write.`);
    print(configuration.text);
    return;
  }
  writeConfiguration(configuration);
  note(`Wrote ${configuration.file}. Restart the client.`);
}

function argumentsOf({ dataDir, workspace, path, readOnly }: InstallOptions): readonly string[] {
  return [
    'mcp',
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
    ...(workspace === undefined ? [] : ['--workspace', workspace]),
    ...(path === undefined ? [] : ['--path', path]),
    ...(readOnly === true ? ['--read-only'] : []),
  ];
}
