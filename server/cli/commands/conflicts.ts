// mooring conflicts list|show|resolve: which version of a file is wanted, where folder and workspace hold two.
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
import { CommandFailure, exitCodes } from '../shared/failure.ts';
import { formatBytes, note, print, printJson, printTable } from '../shared/output.ts';
import { findWorkspace } from '../shared/workspace-arguments.ts';

interface ConflictOptions {
  readonly workspace?: string;
  readonly dataDir?: string;
  readonly json?: true;
}

interface ResolveOptions extends ConflictOptions {
  readonly keep?: ConflictSide;
  readonly merged?: string;
}

const kindWords = {
  both_edited: 'both edited',
  both_added: 'both added',
  file_and_folder: 'file and folder of one name',
} as const;

export function registerConflicts(program: Command): void {
  const conflicts = program
    .command('conflicts')
    .description('files of which folder and workspace hold two versions: list, look at, choose');
  withJson(withWorkspace(conflicts.command('list').description('all conflicts, oldest first'))).action(list);
  withJson(
    withWorkspace(
      conflicts.command('show').description('both versions, and where they clash').argument('<conflictId>'),
    ),
  ).action(show);
  withJson(
    withWorkspace(
      conflicts
        .command('resolve')
        .description('choose a version; the others stay in the history')
        .argument('<conflictId>'),
    ),
  )
    .addOption(new Option('--keep <side>', 'whose version').choices(['folder', 'workspace', 'both']))
    .option('--merged <file>', 'the content of this file instead')
    .action(resolve);
}

function withWorkspace(command: Command): Command {
  return command.option('--workspace <workspace>', 'only of this one: id or name');
}

async function list(options: ConflictOptions): Promise<void> {
  const { client } = await connect(options);
  const conflicts = await all(client, options.workspace);
  if (options.json) return printJson({ conflicts });
  printTable(
    ['CONFLICT', 'WORKSPACE', 'WHAT', 'PATH', "FOLDER'S VERSION", 'SINCE'],
    conflicts.map(({ conflictId, workspaceId, kind, path, copyPath, detectedAt }) => [
      conflictId,
      workspaceId,
      kindWords[kind],
      path,
      copyPath,
      detectedAt,
    ]),
  );
  if (conflicts.length === 0) note('No conflicts.');
}

async function show(conflictId: string, options: ConflictOptions): Promise<void> {
  const { client } = await connect(options);
  const { workspaceId } = await find(client, conflictId, options.workspace);
  const detail = await client.conflicts.get(workspaceId, conflictId);
  if (options.json) return printJson(detail);
  const { conflict, base, folder, workspace } = detail;
  print(`${conflict.path}: ${kindWords[conflict.kind]}, since ${conflict.detectedAt}`);
  printTable(
    ['VERSION', 'AT', 'REVISION', 'SIZE', 'BY', 'EDITED'],
    [
      versionRow('base', conflict.path, base),
      versionRow('folder', conflict.copyPath, folder),
      versionRow('workspace', conflict.path, workspace),
    ],
  );
  for (const line of describeMerge(detail)) print(line);
  note(`Choose with "mooring conflicts resolve ${conflictId} --keep ${conflict.choices.join('|')}".`);
}

function versionRow(name: string, path: string, version: ConflictVersion | null): readonly string[] {
  if (version === null) return [name, path, '-', '-', '-', '-'];
  const { revision, size, by, editedAt } = version;
  return [name, path, revision ?? '-', formatBytes(size), by?.name ?? '-', editedAt ?? '-'];
}

/** The places that clash, with both versions of their lines. */
function describeMerge({ merge, folder, workspace }: ConflictDetail): readonly string[] {
  if (merge === null) return [];
  if (merge.clean)
    return ['The changes of both sides do not touch each other: they can be merged as they are.'];
  const lines = [`${merge.clashes} of ${merge.pieces.length} places clash:`];
  for (const piece of merge.pieces) {
    if (piece.kind !== 'clash') continue;
    lines.push(`@@ folder line ${piece.folder.start + 1}, workspace line ${piece.workspace.start + 1}`);
    lines.push(...linesAt(folder, piece.folder).map((line) => `folder    | ${line}`));
    lines.push(...linesAt(workspace, piece.workspace).map((line) => `workspace | ${line}`));
  }
  return lines;
}

function linesAt(version: ConflictVersion | null, at: { start: number; count: number }): readonly string[] {
  const lines = (version?.content ?? '').split('\n');
  return lines.slice(at.start, at.start + at.count).map((line) => line.replace(/\r$/, ''));
}

async function resolve(conflictId: string, options: ResolveOptions): Promise<void> {
  const { keep, merged } = options;
  if ((keep === undefined) === (merged === undefined)) {
    throw new CommandFailure(exitCodes.usage, 'Say either --keep SIDE or --merged FILE.', null);
  }
  const { client } = await connect(options);
  const { workspaceId, path } = await find(client, conflictId, options.workspace);
  const answer = keep === undefined ? mergedAnswer(merged ?? '') : { keep };
  const resolved = await client.conflicts.resolve(workspaceId, conflictId, answer).catch((error: unknown) => {
    if (!(error instanceof RevisionConflictError)) throw error;
    throw new CommandFailure(
      exitCodes.failed,
      `${path} changed at this very moment.`,
      `Look again with "mooring conflicts show ${conflictId}".`,
    );
  });
  if (options.json) return printJson(resolved);
  note(`${resolved.path}: resolved, kept ${resolved.kept}.`);
}

function mergedAnswer(file: string): { readonly merged: string; readonly encoding: 'base64' } {
  try {
    return { merged: readFileSync(file).toString('base64'), encoding: 'base64' };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CommandFailure(exitCodes.failed, `${file} cannot be read: ${code}.`, null);
  }
}

async function all(client: MooringClient, workspace: string | undefined): Promise<readonly Conflict[]> {
  const workspaces =
    workspace === undefined ? await client.workspaces.list() : [await findWorkspace(client, workspace)];
  const lists = await Promise.all(workspaces.map(({ workspaceId }) => client.conflicts.list(workspaceId)));
  return lists.flat();
}

async function find(
  client: MooringClient,
  conflictId: string,
  workspace: string | undefined,
): Promise<Conflict> {
  const found = (await all(client, workspace)).find((conflict) => conflict.conflictId === conflictId);
  if (found !== undefined) return found;
  throw new CommandFailure(
    exitCodes.failed,
    `There is no conflict ${conflictId}; perhaps it is resolved already.`,
    'See them with "mooring conflicts list".',
  );
}
