// mooring status: prints the agent, its workspaces and the state of every mirror.
import type { Command } from 'commander';
import { type CommonOptions, withJson } from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { describeMirrors, mirrorHeadings, mirrorRow } from '../shared/mirror-text.ts';
import { formatBytes, note, plural, print, printJson, printTable } from '../shared/output.ts';
import { noWorkspaces } from '../shared/workspace-arguments.ts';

export function registerStatus(program: Command): void {
  withJson(program.command('status').description('show the agent, its workspaces and its mirrors')).action(
    status,
  );
}

async function status(options: CommonOptions): Promise<void> {
  const { client } = await connect(options);
  const agent = await client.agent.status();
  if (options.json) return printJson(agent);
  print(`Mooring ${agent.version} at ${agent.url} (pid ${agent.pid}, since ${agent.startedAt})`);
  print(`Data directory: ${agent.dataDir}`);
  const { days, revisions, bytes } = agent.retention;
  print(`History: ${days} days, at least ${revisions} revisions of each file, up to ${formatBytes(bytes)}`);
  if (agent.mirrors.length > 0) print('');
  printTable(mirrorHeadings, agent.mirrors.map(mirrorRow));
  for (const line of describeMirrors(agent.mirrors)) print(line);
  const mirrored = new Set(agent.mirrors.map((mirror) => mirror.workspaceId));
  for (const workspace of agent.workspaces) {
    if (!mirrored.has(workspace.workspaceId)) {
      print(`${workspace.workspaceId}  ${workspace.name}  ${plural(workspace.files, 'file')}, not mirrored`);
    }
  }
  if (agent.workspaces.length === 0) note(noWorkspaces);
}
