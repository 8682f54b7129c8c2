// mooring run list|show|open|commit|discard|undo, and run -- COMMAND in run-command.ts: work that is staged in a fork, reviewed, committed wholly or in part, and undone as one.
import type { Command } from 'commander';
import { type Run, RunConflictError, type RunUndone } from '../../../sdk/index.ts';
import { collect, defined, parseCount, withDataDir, withJson } from '../shared/arguments.ts';
import { formatTime, formatTimeOfDay } from '../shared/display.ts';
import { failure } from '../shared/failure.ts';
import { countIgnored, ignoredChanges, ignoredLines, printIgnored } from '../shared/ignored-changes.ts';
import { formatCount, note, plural, print, printJson, printTable } from '../shared/output.ts';
import { runIdOf } from '../shared/run-names.ts';
import { copiedLines, summaryText, unsyncedText } from '../shared/run-text.ts';
import { connectToWorkspace, type WorkspaceOptions, workspaceVerb } from '../shared/workspace-arguments.ts';
import { registerRunCommand } from './run-command.ts';

/** Runs that a list shows without --limit. */
const listedDefault = 50;

interface DecisionOptions extends WorkspaceOptions {
  readonly takeRun?: readonly string[];
  readonly takeWorkspace?: readonly string[];
}

interface ShowOptions extends WorkspaceOptions {
  readonly diff?: boolean;
  readonly path?: readonly string[];
  readonly includeIgnored?: true;
}

export function registerRun(program: Command): void {
  const run = program
    .command('run')
    .description('run a command on a copy of the files and review its changes');
  const named = (verb: string, description: string) =>
    workspaceVerb(run, verb, description, ['<RUN>', 'name, or id from "run list" or its beginning']);
  registerRunCommand(run);
  withJson(
    workspaceVerb(run, 'list', 'list runs, newest first').option(
      '--limit <N>',
      `maximum number (default: ${listedDefault})`,
      parseCount,
    ),
  ).action(list);
  withJson(named('show', 'show the changes of a run'))
    .option('--diff', 'print the changes as patches')
    .option('--path <GLOB>', 'only these paths (repeatable)', collect)
    .option('--include-ignored', 'also list what changed in ignored files, such as .git')
    .action(show);
  withJson(withDecisions(named('commit', 'commit the changes of a run')))
    .option('--path <GLOB>', 'only these paths (repeatable)', collect)
    .option('--keep-folder', 'keep its folder, with ignored files, for 7 days')
    .action(commit);
  withDataDir(named('discard', 'discard the changes of a run')).action(discard);
  withJson(withDecisions(named('undo', 'take back a committed run as one change')))
    .option('--dry-run', 'only count the changes')
    .action(undo);
}

function withDecisions(command: Command): Command {
  return command
    .option('--take-run <PATH>', "decide a conflict for the run's version", collect)
    .option('--take-workspace <PATH>', "decide it for the workspace's version", collect);
}

async function list(options: WorkspaceOptions & { readonly limit?: number }): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const limit = options.limit ?? listedDefault;
  const runs: Run[] = [];
  for await (const one of client.runs.all(workspaceId, { limit: Math.min(limit, 200) })) {
    runs.push(one);
    if (runs.length === limit) break;
  }
  if (options.json) return printJson({ runs });
  printTable(
    ['RUN', 'STATE', 'NAME', 'CREATED BY', 'CREATED', 'FILES'],
    runs.map((one) => [
      one.runId,
      one.state,
      one.name,
      one.createdBy,
      formatTimeOfDay(one.createdAt),
      formatCount(filesOf(one)),
    ]),
  );
  if (runs.length === 0) note('No runs.');
}

/** Staged, or in the commits of a run that has ended. */
function filesOf({ writtenCount, deletedCount, commits }: Run): number {
  return commits.reduce(
    (sum, each) => sum + each.writtenCount + each.deletedCount,
    writtenCount + deletedCount,
  );
}

async function show(word: string, options: ShowOptions): Promise<void> {
  const { client, workspaceId, workspaceArgument } = await connectToWorkspace(options);
  const runId = await runIdOf(client, workspaceId, word);
  const run = await client.runs.get(workspaceId, runId);
  if (run.state !== 'open') return options.json ? printJson(run) : showEnded(run, workspaceArgument);
  const chosen = defined({ glob: options.path });
  const summary = await client.runs.summary(workspaceId, runId, chosen);
  const changes = [];
  const query = { ...chosen, ...(options.diff === true ? { patch: true } : { limit: 1_000 }) };
  for await (const change of client.forks.staged(workspaceId, run.forkId, query)) changes.push(change);
  // Only the owner may see it, and a run need not have one.
  const folder = await client.runs.folder(workspaceId, runId).catch(() => null);
  const ignored = folder === null || folder.copied === null ? null : await countIgnored(client, run);
  const hasPatches = options.diff === true;
  const listed =
    ignored === null || options.includeIgnored !== true
      ? null
      : await ignoredChanges(client, run, { hasPatches });
  if (options.json)
    return printJson({ ...run, summary, changes, folder, ...(listed === null ? {} : { ignored: listed }) });
  for (const { diff, forkType, path, conflicts } of changes) {
    if (options.diff !== true) print(`${forkType.padEnd(8)}${conflicts ? 'conflict ' : '         '}${path}`);
    else if (diff?.patch !== undefined) print(diff.patch.replace(/\n$/, ''));
    else note(`${forkType} ${path}: no patch (${diff?.kind ?? 'no permission to read the file'}).`);
  }
  if (listed !== null) printIgnored(listed, hasPatches);
  note(summaryText(summary));
  if (ignored !== null) for (const line of ignoredLines(ignored, listed !== null)) note(line);
  if (folder !== null) for (const line of [`Folder: ${folder.dir}`, ...copiedLines(folder)]) note(line);
  const which = `${runId} --workspace ${workspaceArgument}`;
  note(`Commit with "mooring run commit ${which}", discard with "mooring run discard ${which}".`);
}

function showEnded({ runId, state, commits }: Run, workspace: string): void {
  note(`The run is ${state}.`);
  for (const { batch, at, writtenCount, deletedCount } of commits)
    print(`${batch} ${formatTime(at)} ${writtenCount} written, ${deletedCount} deleted`);
  if (state === 'committed' && commits.length > 0) {
    note(`See its files with "mooring log --workspace ${workspace} --batch ${commits[0]?.batch}".`);
    note(`Take it back with "mooring run undo ${runId} --workspace ${workspace}".`);
  }
}

async function commit(
  word: string,
  options: DecisionOptions & { readonly path?: readonly string[]; readonly keepFolder?: true },
): Promise<void> {
  const { client, workspaceId, workspaceArgument } = await connectToWorkspace(options);
  const runId = await runIdOf(client, workspaceId, word);
  const input = {
    ...defined({ paths: options.path?.slice(), keepFolder: options.keepFolder }),
    ...decisionsOf(options),
  };
  const committed = await orConflicts(
    () => client.runs.commit(workspaceId, runId, input),
    'Nothing was committed: the workspace has newer changes that cannot be merged.',
  );
  if (options.json) return printJson(committed);
  const { run, revision, writtenCount, deletedCount, mergedPaths, folderUnsynced } = committed;
  note(`Committed at ${revision}: ${writtenCount} written, ${deletedCount} deleted.`);
  for (const path of mergedPaths) note(`Merged: ${path}`);
  if (run.state === 'open')
    note(`The run is open with ${plural(run.writtenCount + run.deletedCount, 'other change')}.`);
  if (folderUnsynced) note(unsyncedText);
  note(`Take it back with "mooring run undo ${runId} --workspace ${workspaceArgument}".`);
}

async function discard(word: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const runId = await runIdOf(client, workspaceId, word);
  await client.runs.discard(workspaceId, runId);
  note(`Discarded ${runId}.`);
}

async function undo(word: string, options: DecisionOptions & { readonly dryRun?: boolean }): Promise<void> {
  const { client, workspaceId, workspaceArgument } = await connectToWorkspace(options);
  const runId = await runIdOf(client, workspaceId, word);
  const dryRun = options.dryRun === true;
  const undone = await orConflicts(
    () => client.runs.undo(workspaceId, runId, { dryRun, ...decisionsOf(options) }),
    'Nothing was undone: files of the run were changed since and cannot be merged.',
  );
  if (options.json) return printJson(undone);
  note(undoneText(undone, workspaceArgument));
  for (const path of undone.mergedPaths) note(`Merged: ${path}`);
  for (const path of undone.keptPaths) note(`Kept: ${path}`);
}

function undoneText(
  { dryRun, batch, createdCount, updatedCount, deletedCount }: RunUndone,
  workspace: string,
): string {
  const counts = `${createdCount} created, ${updatedCount} updated, ${deletedCount} deleted`;
  if (dryRun) return `Dry run: ${counts}. Nothing was changed.`;
  return batch === null
    ? 'Undone: no changes needed.'
    : `Undone: ${counts}. Repeat it with "mooring restore --workspace ${workspace} --batch ${batch}".`;
}

function decisionsOf({ takeRun = [], takeWorkspace = [] }: DecisionOptions): {
  decisions?: { path: string; take: 'run' | 'workspace' }[];
} {
  const decisions = [
    ...takeRun.map((path) => ({ path, take: 'run' as const })),
    ...takeWorkspace.map((path) => ({ path, take: 'workspace' as const })),
  ];
  return decisions.length === 0 ? {} : { decisions };
}

async function orConflicts<T>(send: () => Promise<T>, cause: string): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof RunConflictError)) throw error;
    printTable(
      ['REASON', 'CURRENT REVISION', 'PATH'],
      error.conflicts.map(({ reason, revision, path }) => [
        reason,
        revision === '0' ? 'none' : revision,
        path,
      ]),
    );
    throw failure(cause, 'Decide on each path with --take-run PATH or --take-workspace PATH.');
  }
}
