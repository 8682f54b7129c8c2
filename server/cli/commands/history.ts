// mooring log|show|restore: what a file was, who changed it, and bringing a past state back.
import { type Command, InvalidArgumentError } from 'commander';
import {
  bytesOf,
  type FileDiff,
  type HistoryEntry,
  InvalidStateError,
  type MooringClient,
  type Restored,
} from '../../../sdk/index.ts';
import { parseCount, withJson } from '../shared/arguments.ts';
import { CommandFailure, exitCodes } from '../shared/failure.ts';
import { formatBytes, note, print, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, withWorkspace } from '../shared/workspace-arguments.ts';

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
  withJson(
    withWorkspace(program.command('log').description('who changed a file, and when').argument('[path]')),
  )
    .option('--below', 'all below the path, too (the default without a path)')
    .option('--batch <batch>', 'only what one request changed')
    .option('--limit <n>', `at most this many (default ${listedDefault})`, parseCount)
    .action(log);
  withJson(
    withWorkspace(
      program.command('show').description('a file as it was, or what a revision changed').argument('<path>'),
    ),
  )
    .option('--revision <revision>', 'which one (default: the current one)')
    .option('--diff', 'what it changed, as a patch')
    .action(show);
  withJson(
    withWorkspace(
      program
        .command('restore')
        .description('bring a file or a folder back to a revision or a moment, or take a request back')
        .argument('[path]', 'default: everything'),
    ),
  )
    .option('--revision <revision>', 'a revision of the file, or the folder as it was after it')
    .option('--at <time>', 'as it was at this time (such as 2026-11-20T15:00 or an RFC 3339 time)', parseTime)
    .option('--batch <batch>', 'what one request changed, as it was before')
    .option('--keep-changed', 'of a request: keep files that were changed since')
    .option('--dry-run', 'only show what would be done')
    .action(restore);
}

function parseTime(text: string): Date {
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs)) throw new InvalidArgumentError('It must be a time such as 2026-11-20T15:00:00Z.');
  return new Date(timeMs);
}

async function log(path: string | undefined, options: LogOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const limit = options.limit ?? listedDefault;
  const entries: HistoryEntry[] = [];
  const { batch } = options;
  const found = client.history.entries(workspaceId, path ?? '/', {
    below: options.below === true || path === undefined,
    ...(batch === undefined ? {} : { batch }),
    limit: Math.min(limit, 1_000),
  });
  for await (const entry of found) {
    entries.push(entry);
    if (entries.length === limit) break;
  }
  if (options.json) return printJson({ entries });
  printTable(['TIME', 'REVISION', 'BATCH', 'WHO', 'WHAT', 'SIZE', 'PATH'], entries.map(logRow));
  if (entries.length === 0) note('Nothing is kept of this path.');
}

function logRow(entry: HistoryEntry): readonly string[] {
  const { at, revision, batch, actor, action, size, path } = entry;
  const what =
    entry.restoredFrom === undefined
      ? entry.movedFrom === undefined
        ? action
        : `moved from ${entry.movedFrom}`
      : `restored ${entry.restoredFrom}`;
  return [at, revision, batch, actor.name, what, action === 'delete' ? '' : formatBytes(size), path];
}

async function show(path: string, options: ShowOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { revision } = options;
  if (options.diff) {
    const diff = await client.history.diff(workspaceId, path, revision === undefined ? {} : { to: revision });
    return options.json ? printJson(diff) : printDiff(diff);
  }
  const file = await client.readFile(workspaceId, path, revision === undefined ? {} : { revision });
  if (options.json) printJson(file);
  else process.stdout.write(bytesOf(file));
}

function printDiff({ kind, patch = '', from, to }: FileDiff): void {
  const name = (side: FileDiff['from']) => side?.revision ?? 'nothing';
  const sized = (side: FileDiff['from']) =>
    side === null ? 'nothing' : `${side.revision} (${formatBytes(side.size)})`;
  if (kind === 'text' || kind === 'too_different') process.stdout.write(patch);
  else if (kind === 'binary') print(`${name(from)} and ${name(to)} are no text: no difference can be shown.`);
  else print(`${sized(from)} and ${sized(to)} are too large to be compared.`);
  if (kind === 'too_different')
    note(
      `${sized(from)} and ${sized(to)} are too different to show line by line: the patch replaces the whole file.`,
    );
  if (kind === 'text' && patch === '') note(`${name(from)} and ${name(to)} hold the same bytes.`);
}

async function restore(path: string | undefined, options: RestoreOptions): Promise<void> {
  const { revision, at, batch } = options;
  if ([revision, at, batch].filter((given) => given !== undefined).length !== 1) {
    throw new CommandFailure(exitCodes.usage, 'Say one of --revision, --at and --batch.', null);
  }
  const { client, workspaceId } = await connectToWorkspace(options);
  const restored = await restoreOrExplain(client, workspaceId, path, options);
  if (options.json) return printJson(restored);
  printTable(
    ['WHAT', 'PATH', 'FROM'],
    restored.files.map((file) => [file.action, file.path, file.fromRevision ?? '']),
  );
  const { created, updated, deleted } = restored;
  const listed = restored.files.length;
  const more = created + updated + deleted - listed;
  if (more > 0) note(`and ${more} more`);
  if (restored.kept.length > 0) note(`Changed since, and kept: ${restored.kept.join(', ')}`);
  const done = `${created} created, ${updated} updated, ${deleted} deleted`;
  if (restored.dryRun) note(`Would be: ${done}. Nothing was changed.`);
  else if (restored.batch === undefined) note('Everything is as it was then already.');
  else note(`${done}. Undo with "mooring restore --workspace ${workspaceId} --batch ${restored.batch}".`);
}

async function restoreOrExplain(
  client: MooringClient,
  workspaceId: string,
  path: string | undefined,
  { revision, at, batch, keepChanged, dryRun }: RestoreOptions,
): Promise<Restored> {
  try {
    return await client.history.restore(workspaceId, {
      ...(path === undefined ? {} : { path }),
      ...(revision === undefined ? {} : { revision }),
      ...(at === undefined ? {} : { at }),
      ...(batch === undefined ? {} : { batch }),
      ...(keepChanged ? { ifChanged: 'keep' as const } : {}),
      dryRun: dryRun === true,
    });
  } catch (error) {
    if (!(error instanceof InvalidStateError)) throw error;
    const { paths = [] } = (error.body.details ?? {}) as { readonly paths?: readonly string[] };
    for (const changed of paths) note(`  ${changed}`);
    throw new CommandFailure(
      exitCodes.failed,
      `Nothing was restored: ${error.message}.`,
      batch === undefined ? null : 'Restore the others with --keep-changed.',
    );
  }
}
