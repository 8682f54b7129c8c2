// mooring log|show|restore: history of files, their past contents and diffs, and restoring a past state.
import type { Command } from 'commander';
import { actorLabel } from '../../../sdk/actor-label.ts';
import {
  bytesOf,
  type FileDiff,
  type HistoryEntry,
  InvalidStateError,
  type MooringClient,
  type Restored,
} from '../../../sdk/index.ts';
import { defined, parseCount, parseSince, withJson } from '../shared/arguments.ts';
import { formatTime } from '../shared/display.ts';
import { failure, usageError } from '../shared/failure.ts';
import { type Cell, formatBytes, movedPath, note, print, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, workspaceVerb } from '../shared/workspace-arguments.ts';

interface LogOptions extends WorkspaceOptions {
  readonly below?: true;
  readonly batch?: string;
  readonly limit?: number;
}

interface ShowOptions extends WorkspaceOptions {
  readonly revision?: string;
  readonly diff?: true;
}

interface RestoreOptions extends WorkspaceOptions {
  readonly revision?: string;
  readonly at?: Date;
  readonly batch?: string;
  readonly keepChanged?: true;
  readonly dryRun?: true;
}

const listedDefault = 50;

export function registerHistory(program: Command): void {
  withJson(workspaceVerb(program, 'log', 'list the history of a file', ['[PATH]']))
    .option('--below', 'include all files below PATH (default without PATH)')
    .option('--batch <BATCH>', 'only the changes of one request')
    .option('--limit <N>', `maximum number of revisions (default: ${listedDefault})`, parseCount)
    .action(log);
  withJson(workspaceVerb(program, 'show', 'print a revision of a file, or its diff', ['<PATH>']))
    .option('--revision <REVISION>', 'revision to print (default: current)')
    .option('--diff', 'print the changes of the revision as a patch')
    .action(show);
  withJson(
    workspaceVerb(program, 'restore', 'restore a file or folder, or revert one request', [
      '[PATH]',
      'file or folder (default: /)',
    ]),
  )
    .option('--revision <REVISION>', 'state after this revision')
    .option('--at <TIME>', 'state at a time, or 30s, 10m, 2h, 1d ago', parseSince)
    .option('--batch <BATCH>', 'revert the changes of this request')
    .option('--keep-changed', 'with --batch: skip files with later changes')
    .option('--dry-run', 'show the changes without applying them')
    .action(restore);
}

async function log(path: string | undefined, options: LogOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const limit = options.limit ?? listedDefault;
  const entries: HistoryEntry[] = [];
  const { batch } = options;
  const history = client.history.entries(workspaceId, path ?? '/', {
    below: options.below === true || path === undefined,
    ...defined({ batch }),
    limit: Math.min(limit, 1_000),
  });
  for await (const entry of history) {
    entries.push(entry);
    if (entries.length === limit) break;
  }
  if (options.json) return printJson({ entries });
  printTable(['TIME', 'REVISION', 'BATCH', 'CHANGED BY', 'ACTION', 'SIZE', 'PATH'], entries.map(logRow));
  if (entries.length > 0) return;
  note(path === undefined ? 'No history is retained.' : `No history of ${path} is retained.`);
  if (path !== undefined && options.below !== true)
    note('Check the path. For a folder pass --below, for a name use "mooring search --mode name".');
}

function logRow(entry: HistoryEntry): readonly Cell[] {
  const { at, revision, batch, actor, action, size, path } = entry;
  return [
    formatTime(at),
    revision,
    batch,
    actorLabel(actor),
    actionText(entry),
    action === 'delete' ? '' : formatBytes(size),
    movedPath(path, entry.movedFrom),
  ];
}

function actionText({ action, movedFrom, restoredFrom }: HistoryEntry): string {
  if (restoredFrom !== undefined) return `restored ${restoredFrom}`;
  return movedFrom === undefined ? action : 'move';
}

async function show(path: string, options: ShowOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { revision } = options;
  if (options.diff) {
    const diff = await client.history.diff(workspaceId, path, defined({ to: revision }));
    return options.json ? printJson(diff) : printDiff(diff);
  }
  const file = await client.readFile(workspaceId, path, defined({ revision }));
  if (options.json) printJson(file);
  else process.stdout.write(bytesOf(file));
}

function printDiff({ kind, patch = '', from, to }: FileDiff): void {
  const nameOf = (side: FileDiff['from']) =>
    side === null ? 'no file' : `${side.revision} (${formatBytes(side.size)})`;
  const both = `${nameOf(from)} and ${nameOf(to)}`;
  if (kind === 'text' || kind === 'too_different') process.stdout.write(patch);
  else if (kind === 'binary') print(`Binary files: no diff of ${both}.`);
  else print(`Files too large: no diff of ${both}.`);
  if (kind === 'too_different')
    note(`Too different to compare by line: the patch replaces the file (${both}).`);
  if (kind === 'text' && patch === '') note(`No difference in content between ${both}.`);
}

async function restore(path: string | undefined, options: RestoreOptions): Promise<void> {
  const { revision, at, batch } = options;
  if ([revision, at, batch].filter((given) => given !== undefined).length !== 1) {
    throw usageError('Pass exactly one of --revision, --at and --batch.');
  }
  const { client, workspaceId, workspaceArgument } = await connectToWorkspace(options);
  const restored = await restoreOrExplain(client, workspaceId, path, options);
  if (options.json) return printJson(restored);
  printTable(
    ['ACTION', 'PATH', 'FROM REVISION'],
    restored.files.map((file) => [file.action, file.path, file.fromRevision ?? '']),
  );
  const { created, updated, deleted } = restored;
  const listed = restored.files.length;
  const more = created + updated + deleted - listed;
  if (more > 0) note(`${more} more files.`);
  if (restored.kept.length > 0) note(`Skipped because of later changes: ${restored.kept.join(', ')}`);
  const counts = `${created} created, ${updated} updated, ${deleted} deleted`;
  if (restored.dryRun) note(`Dry run: ${counts}. Nothing was changed.`);
  else if (restored.batch === undefined) note('No changes needed.');
  else
    note(
      `Restored: ${counts}. Undo with "mooring restore --workspace ${workspaceArgument} --batch ${restored.batch}".`,
    );
}

async function restoreOrExplain(
  client: MooringClient,
  workspaceId: string,
  path: string | undefined,
  { revision, at, batch, keepChanged, dryRun }: RestoreOptions,
): Promise<Restored> {
  try {
    return await client.history.restore(workspaceId, {
      ...defined({ path, revision, at, batch }),
      ...(keepChanged ? { ifChanged: 'keep' as const } : {}),
      dryRun: dryRun === true,
    });
  } catch (error) {
    if (!(error instanceof InvalidStateError)) throw error;
    const { paths = [] } = (error.body.details ?? {}) as { readonly paths?: readonly string[] };
    for (const changed of paths) note(`  ${changed}`);
    throw failure(
      `Nothing was restored: ${error.message}.`,
      batch === undefined ? null : 'Restore the other files with --keep-changed.',
    );
  }
}
