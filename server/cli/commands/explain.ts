// mooring explain PATH: why a file is as it is, in every mirror that shows it, and who did what to it.
import type { Command } from 'commander';
import type { Explanation } from '../../../sdk/index.ts';
import { withJson } from '../shared/arguments.ts';
import { print, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, withWorkspace } from '../shared/workspace-arguments.ts';

export function registerExplain(program: Command): void {
  withJson(
    withWorkspace(
      program
        .command('explain')
        .description('why a path of a workspace is as it is')
        .argument('<path>', 'as the workspace has it: /docs/a.md'),
    ),
  ).action(explain);
}

async function explain(path: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const explanation = await client.explain(workspaceId, path);
  if (options.json) return printJson(explanation);
  for (const mirror of explanation.mirrors) for (const line of describe(mirror)) print(line);
  if (explanation.mirrors.length === 0) print(`No mirror shows ${explanation.path}.`);
  printTable(
    ['REVISION', 'WHAT', 'BY', 'WHEN', 'CONTENT', 'OPERATION'],
    explanation.history.map(({ revision, action, movedFrom, by, at, contentHash, opId }) => [
      revision,
      movedFrom === undefined ? action : `${action} from ${movedFrom}`,
      by.name,
      at,
      shortHash(contentHash),
      opId ?? '',
    ]),
  );
}

function describe({ dir, state, why, observed, problem }: Explanation['mirrors'][number]): readonly string[] {
  const { base, folder, workspace } = observed;
  const verdict = `${dir}: ${state.replaceAll('_', ' ')}. ${why}`;
  // Nothing was looked at, which is not the same as that nothing is there.
  if (state === 'unknown') return [verdict];
  return [
    verdict,
    `  folder     ${folder === null ? 'nothing' : `${folder.kind} ${shortHash(folder.contentHash)}`}`.trimEnd(),
    `  workspace  ${workspace === null ? 'nothing' : `${workspace.revision} ${shortHash(workspace.contentHash)}`}`,
    `  base       ${base === null ? 'nothing' : `${base.revision} ${shortHash(base.contentHash)}`}`,
    ...(problem === null ? [] : [`  next       ${problem.next}`]),
    ...(problem?.retryAt == null ? [] : [`  retry      ${problem.retryAt}`]),
  ];
}

function shortHash(hash: string | undefined): string {
  return hash === undefined ? '' : hash.slice(0, 12);
}
