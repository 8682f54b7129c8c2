// mooring explain PATH: prints the sync state of a path in each mirror, and its history.
import type { Command } from 'commander';
import type { Explanation } from '../../../sdk/index.ts';
import { withJson } from '../shared/arguments.ts';
import { formatTime } from '../shared/display.ts';
import { print, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, workspaceVerb } from '../shared/workspace-arguments.ts';

type PathState = Explanation['mirrors'][number]['state'];

const stateLabels: Readonly<Record<PathState, string>> = {
  same: 'up to date',
  on_its_way: 'transferring',
  settling: 'waiting for writes to finish',
  waiting: 'waiting',
  conflict: 'conflict',
  kept: 'local only',
  ignored: 'ignored',
  not_mirrored: 'not synced',
  absent: 'missing',
  unknown: 'unknown',
};

export function registerExplain(program: Command): void {
  withJson(
    workspaceVerb(program, 'explain', 'explain the sync state of a path', [
      '<PATH>',
      'path in the workspace, for example /docs/a.md',
    ]),
  ).action(explain);
}

async function explain(path: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const explanation = await client.mirrors.explain(workspaceId, path);
  if (options.json) return printJson(explanation);
  for (const mirror of explanation.mirrors) for (const line of describe(mirror)) print(line);
  if (explanation.mirrors.length === 0) print(`No mirror includes ${explanation.path}.`);
  printTable(
    ['REVISION', 'ACTION', 'CHANGED BY', 'TIME', 'CONTENT', 'OPERATION', 'PATH'],
    explanation.history.map(({ revision, action, movedFrom, by, at, contentHash, opId }) => [
      revision,
      movedFrom === undefined ? action : 'move',
      by.name,
      formatTime(at),
      shortHash(contentHash),
      opId ?? '',
      movedFrom === undefined ? '' : `from ${movedFrom}`,
    ]),
  );
}

function describe({ dir, state, why, observed, problem }: Explanation['mirrors'][number]): readonly string[] {
  const { base, folder, workspace } = observed;
  const summary = `${dir}: ${stateLabels[state]}. ${why}`;
  // The mirror was not scanned, which does not mean that the file is missing.
  if (state === 'unknown') return [summary];
  return [
    summary,
    `  folder     ${folder === null ? 'missing' : `${folder.kind} ${shortHash(folder.contentHash)}`}`.trimEnd(),
    `  workspace  ${workspace === null ? 'missing' : `${workspace.revision} ${shortHash(workspace.contentHash)}`}`,
    `  base       ${base === null ? 'missing' : `${base.revision} ${shortHash(base.contentHash)}`}`,
    ...(problem === null ? [] : [`  next       ${problem.next}`]),
    ...(problem?.retryAt == null ? [] : [`  retry      ${formatTime(problem.retryAt)}`]),
  ];
}

function shortHash(hash: string | undefined): string {
  return hash === undefined ? '' : hash.slice(0, 12);
}
