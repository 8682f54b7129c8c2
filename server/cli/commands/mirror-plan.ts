// mooring mirror plan: what a mirror would do now and why, without doing it.
import type { Command } from 'commander';
import { withJson } from '../shared/arguments.ts';
import { findMirror, type MirrorOptions, withOnlyFolder } from '../shared/mirror-arguments.ts';
import { note, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace } from '../shared/workspace-arguments.ts';

export function registerMirrorPlan(mirror: Command): void {
  withJson(
    withOnlyFolder(
      mirror.command('plan').description('what the mirror would do now and why; nothing is done'),
    ),
  ).action(plan);
}

async function plan(options: MirrorOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { mirrorId } = await findMirror(client, workspaceId, options.dir);
  const planned = await client.mirrors.plan(workspaceId, mirrorId);
  if (options.json) return printJson(planned);
  printTable(
    ['CHANGES', 'HOW', 'PATH', 'WHY'],
    planned.steps.map(({ side, action, path, from, why }) => [
      side,
      action,
      from === undefined ? path : `${from} -> ${path}`,
      why,
    ]),
  );
  if (planned.halt !== null) note(`It is halted and does nothing of this: ${planned.halt.cause}`);
  if (planned.total > planned.steps.length) note(`${planned.total - planned.steps.length} more steps.`);
  for (const path of planned.unsettled) note(`${path} is being written right now.`);
  if (planned.total === 0 && planned.unsettled.length === 0) note('Nothing is to be done.');
}
