// mooring conflicts list|show|resolve: files that changed in both folder and workspace, and the choice of a version.
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import {
  type Conflict,
  type ConflictDetail,
  type ConflictSide,
  type ConflictVersion,
  type MooringClient,
  RevisionConflictError,
} from '../../../sdk/index.ts';
import { withJson } from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { formatTime } from '../shared/display.ts';
import { failure, usageError } from '../shared/failure.ts';
import { formatBytes, note, print, printJson, printTable } from '../shared/output.ts';
import { readingFile } from '../shared/system-errors.ts';
import { findWorkspace, type WorkspaceOptions, withWorkspaceFilter } from '../shared/workspace-arguments.ts';
import { workspaceNames } from '../shared/workspace-names.ts';

interface ResolveOptions extends WorkspaceOptions {
  readonly keep?: ConflictSide;
  readonly merged?: string;
}

const conflictArgument = ['<CONFLICT>', 'id from "conflicts list"'] as const;
const kindLabels = {
  both_edited: 'both edited',
  both_added: 'both added',
  file_and_folder: 'file and folder with the same name',
} as const;

export function registerConflicts(program: Command): void {
  const conflicts = program.command('conflicts').description('list, show and resolve conflicts');
  const verb = (name: string, description: string) =>
    withJson(withWorkspaceFilter(conflicts.command(name).description(description)));
  verb('list', 'list all conflicts, oldest first').action(list);
  verb('show', 'show both versions and the conflicting lines')
    .argument(...conflictArgument)
    .action(show);
  verb('resolve', 'choose a version (the others stay in history)')
    .argument(...conflictArgument)
    .addOption(new Option('--keep <SIDE>', 'version to keep').choices(['folder', 'workspace', 'both']))
    .option('--merged <FILE>', 'file with the merged content')
    .action(resolve);
}

async function list(options: WorkspaceOptions): Promise<void> {
  const { client } = await connect(options);
  const [conflicts, names] = await Promise.all([
    listConflicts(client, options.workspace),
    workspaceNames(client),
  ]);
  if (options.json) return printJson({ conflicts });
  printTable(
    ['CONFLICT', 'WORKSPACE', 'KIND', 'PATH', 'CONFLICT COPY', 'SINCE'],
    conflicts.map(({ conflictId, workspaceId, kind, path, copyPath, detectedAt }) => [
      conflictId,
      names.display(workspaceId),
      kindLabels[kind],
      path,
      copyPath,
      formatTime(detectedAt),
    ]),
  );
  if (conflicts.length === 0) note('No conflicts.');
}

async function show(conflictId: string, options: WorkspaceOptions): Promise<void> {
  const { client } = await connect(options);
  const { workspaceId } = await findConflict(client, conflictId, options.workspace);
  const detail = await client.conflicts.get(workspaceId, conflictId);
  if (options.json) return printJson(detail);
  const { conflict, base, folder, workspace } = detail;
  print(`${conflict.path}: ${kindLabels[conflict.kind]}, since ${formatTime(conflict.detectedAt)}`);
  if (conflict.url !== null)
    print(`folder: the version of this workspace; workspace: the version of ${conflict.url}`);
  printTable(
    ['VERSION', 'PATH', 'REVISION', 'SIZE', 'CHANGED BY', 'EDITED'],
    [
      versionRow('base', conflict.path, base),
      versionRow('folder', conflict.copyPath, folder),
      versionRow('workspace', conflict.path, workspace),
    ],
  );
  for (const line of describeMerge(detail)) print(line);
  const sides = conflict.choices.filter((choice) => choice !== 'merged');
  note(`Choose a version with "mooring conflicts resolve ${conflictId} --keep ${sides.join('|')}".`);
  if (sides.length < conflict.choices.length)
    note(`Or pass merged content: mooring conflicts resolve ${conflictId} --merged FILE`);
}

function versionRow(name: string, path: string, version: ConflictVersion | null): readonly string[] {
  if (version === null) return [name, path, '-', '-', '-', '-'];
  const { revision, size, by, editedAt } = version;
  return [
    name,
    path,
    revision ?? '-',
    formatBytes(size),
    by?.name ?? '-',
    editedAt === null ? '-' : formatTime(editedAt),
  ];
}

/** The conflicting hunks with the lines of both versions. */
function describeMerge({ merge, folder, workspace }: ConflictDetail): readonly string[] {
  if (merge === null) return [];
  if (merge.clean) return ["No conflicts: both sides' changes can be merged."];
  const lines = [`${merge.clashes} of ${merge.pieces.length} hunks conflict:`];
  for (const hunk of merge.pieces) {
    if (hunk.kind !== 'clash') continue;
    lines.push(`@@ folder line ${hunk.folder.start + 1}, workspace line ${hunk.workspace.start + 1}`);
    lines.push(...linesOf(folder, hunk.folder).map((line) => `folder    | ${line}`));
    lines.push(...linesOf(workspace, hunk.workspace).map((line) => `workspace | ${line}`));
  }
  return lines;
}

function linesOf(
  version: ConflictVersion | null,
  { start, count }: { start: number; count: number },
): readonly string[] {
  const lines = (version?.content ?? '').split('\n');
  return lines.slice(start, start + count).map((line) => line.replace(/\r$/, ''));
}

async function resolve(conflictId: string, options: ResolveOptions): Promise<void> {
  const { keep, merged } = options;
  if ((keep === undefined) === (merged === undefined)) {
    throw usageError('Pass either --keep SIDE or --merged FILE.');
  }
  const { client } = await connect(options);
  const { workspaceId, path } = await findConflict(client, conflictId, options.workspace);
  const resolution = keep === undefined ? mergedContent(merged ?? '') : { keep };
  const resolved = await client.conflicts
    .resolve(workspaceId, conflictId, resolution)
    .catch((error: unknown) => {
      if (!(error instanceof RevisionConflictError)) throw error;
      throw failure(
        `${path} changed while resolving; nothing was written.`,
        `Show it again with "mooring conflicts show ${conflictId}".`,
      );
    });
  if (options.json) return printJson(resolved);
  note(`Resolved ${resolved.path}: kept ${resolved.kept}.`);
}

function mergedContent(file: string): { readonly merged: string; readonly encoding: 'base64' } {
  const content = readingFile(file, () => readFileSync(file));
  return { merged: content.toString('base64'), encoding: 'base64' };
}

async function listConflicts(
  client: MooringClient,
  workspace: string | undefined,
): Promise<readonly Conflict[]> {
  const workspaces =
    workspace === undefined ? await client.workspaces.list() : [await findWorkspace(client, workspace)];
  const lists = await Promise.all(workspaces.map(({ workspaceId }) => client.conflicts.list(workspaceId)));
  return lists.flat();
}

async function findConflict(
  client: MooringClient,
  conflictId: string,
  workspace: string | undefined,
): Promise<Conflict> {
  const conflicts = await listConflicts(client, workspace);
  const named = conflicts.find((conflict) => conflict.conflictId === conflictId);
  if (named !== undefined) return named;
  throw failure(
    `Conflict ${conflictId} does not exist or is already resolved.`,
    'List conflicts with "mooring conflicts list".',
  );
}
