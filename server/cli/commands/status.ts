// mooring status: the agent, its workspaces and the state of every mirror.
import type { Command } from 'commander';
import { type CommonOptions, withJson } from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { describeMirrors, mirrorHeadings, mirrorRow } from '../shared/mirror-text.ts';
import { counted, formatBytes, note, print, printJson, printTable } from '../shared/output.ts';

export function registerStatus(program: Command): void {
  withJson(program.command('status').description('what the agent does right now')).action(status);
}

async function status(options: CommonOptions): Promise<void> {
  const { client } = await connect(options);
  const answer = await client.agentStatus();
  if (options.json) return printJson(answer);
  print(`Mooring ${answer.version} at ${answer.url} (pid ${answer.pid}, since ${answer.startedAt})`);
  print(`Data in ${answer.dataDir}`);
  const { days, revisions, bytes } = answer.retention;
  print(
    `History: ${days} days, and at least the last ${revisions} revisions of each file, up to ${formatBytes(bytes)}`,
  );
  if (answer.mirrors.length > 0) print('');
  printTable(mirrorHeadings, answer.mirrors.map(mirrorRow));
  for (const line of describeMirrors(answer.mirrors)) print(line);
  const mirrored = new Set(answer.mirrors.map((mirror) => mirror.workspaceId));
  for (const workspace of answer.workspaces) {
    if (!mirrored.has(workspace.workspaceId)) {
      print(`${workspace.workspaceId}  ${workspace.name}  ${counted(workspace.files, 'file')}, no folder`);
    }
  }
  if (answer.workspaces.length === 0)
    note('No workspace yet. Make one with "mooring workspace create --name NAME".');
}
