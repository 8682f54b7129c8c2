// mooring mirror add|list|pause|resume|remove. The other verbs are in mirror-halt, mirror-checks and mirror-problems.
import path from 'node:path';
import { type Command, Option } from 'commander';
import type { MirrorMode, MooringClient, Workspace } from '../../../sdk/index.ts';
import {
  type ProgressOptions,
  parseDuration,
  withDataDir,
  withJson,
  withProgress,
} from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { displayFolder, formatTimeOfDay } from '../shared/display.ts';
import { failure, usageError } from '../shared/failure.ts';
import { followFirstSync } from '../shared/follow.ts';
import {
  findMirror,
  listMirrors,
  type MirrorOptions,
  withFolder,
  withOptionalFolder,
} from '../shared/mirror-arguments.ts';
import { describeMirrors, mirrorHeadings, mirrorRow, noMirrors } from '../shared/mirror-text.ts';
import { note, print, printJson, printTable } from '../shared/output.ts';
import { shellWord } from '../shared/shell-word.ts';
import {
  connectToWorkspace,
  type WorkspaceOptions,
  withWorkspaceFilter,
} from '../shared/workspace-arguments.ts';
import {
  findByName,
  folderArgument,
  onlyOf,
  WorkspaceNames,
  workspaceNames,
} from '../shared/workspace-names.ts';
import { addMirror, cloudFolderHelp } from './mirror-add.ts';
import { registerMirrorChecks } from './mirror-checks.ts';
import {
  type DeletionLimit,
  parseDeletionLimit,
  registerMirrorHalt,
  withDeletionLimit,
} from './mirror-halt.ts';
import { registerMirrorProblems } from './mirror-problems.ts';

const verbs = {
  pause: { description: 'stop syncing until resumed or for a time', done: 'Paused' },
  resume: { description: 'sync again after a pause or a halt', done: 'Resumed' },
  remove: { description: 'remove a mirror and keep the files in its folder', done: 'Removed the mirror of' },
} as const;

interface AddOptions extends MirrorOptions, ProgressOptions {
  readonly dir: string;
  readonly mode: MirrorMode;
  readonly path?: string;
  readonly deletionLimit?: DeletionLimit;
  readonly yes?: true;
}

export function registerMirror(program: Command): void {
  const mirror = program
    .command('mirror')
    .description('manage mirrors: add, list, pause, resume, check, remove');
  withJson(
    withProgress(withFolder(mirror.command('add').description('mirror a workspace to a folder')))
      .addOption(
        new Option('--mode <MODE>', 'sync direction')
          .choices(['two-way', 'to-workspace', 'to-folder'])
          .default('two-way'),
      )
      .option('--path <PATH>', 'directory of the workspace (default: all of it)')
      .option('--deletion-limit <N>', 'halt above N deletions per minute (default: 1000)', parseDeletionLimit)
      .option('--yes', cloudFolderHelp),
  )
    .addHelpText('after', '\nThe first sync only adds files. Truncations count as deletions.')
    .action(add);
  withJson(withWorkspaceFilter(mirror.command('list').description('list mirrors and their state'))).action(
    list,
  );
  for (const verb of ['pause', 'resume', 'remove'] as const) {
    // A removal cannot be undone, so the folder is always named.
    const withDir = verb === 'remove' ? withFolder : withOptionalFolder;
    const command = withDataDir(withDir(mirror.command(verb).description(verbs[verb].description)));
    if (verb === 'pause')
      command.option('--for <DURATION>', 'resume after this time, for example 1h', parseDuration);
    command.action(async (options: PauseOptions) => await change(verb, options));
  }
  registerMirrorHalt(mirror);
  registerMirrorChecks(mirror);
  registerMirrorProblems(mirror);
}

async function add(options: AddOptions): Promise<void> {
  const { client } = await connect(options);
  const { workspaceId } = await workspaceToMirror(client, options);
  const created = await addMirror(client, workspaceId, options.dir, {
    mode: options.mode,
    acceptCloudFolder: options.yes === true,
    ...(options.path === undefined ? {} : { path: options.path }),
  });
  // The first sync only adds files, so no deletion can precede the limit.
  const added = await withDeletionLimit(client, created, options.deletionLimit);
  if (options.json) return printJson(added);
  print(added.mirrorId);
  await followFirstSync(client, added, options.progress === true);
}

/** A workspace that has a mirror must be named: its files would come into the other folder, and those of the folder into it. */
async function workspaceToMirror(client: MooringClient, { workspace, dir }: AddOptions): Promise<Workspace> {
  const all = await client.workspaces.list();
  if (workspace !== undefined) return findByName(all, workspace);
  const create = `"mooring workspace create --name ${shellWord(path.basename(dir))} --mirror ${folderArgument(dir)}"`;
  if (all.length === 0) throw failure('No workspaces.', `Create one for this folder with ${create}.`);
  const only = onlyOf(all);
  const [mirror] = await client.mirrors.list(only.workspaceId);
  if (mirror === undefined) return only;
  const names = new WorkspaceNames(all);
  throw usageError(
    `${names.display(only.workspaceId)} is mirrored to ${displayFolder(mirror.dir)} already.`,
    `To mirror it to this folder too, add --workspace ${names.argument(only.workspaceId)}. For a workspace of its own: ${create}.`,
  );
}

async function list(options: WorkspaceOptions): Promise<void> {
  const { client } = await connect(options);
  const mirrors = await listMirrors(client, options.workspace);
  if (options.json) return printJson({ mirrors });
  const names = await workspaceNames(client);
  printTable(
    mirrorHeadings,
    mirrors.map((mirror) => mirrorRow(mirror, names)),
  );
  for (const line of describeMirrors(mirrors)) note(line);
  if (mirrors.length === 0) note(noMirrors);
}

interface PauseOptions extends MirrorOptions {
  /** Milliseconds. */
  readonly for?: number;
}

async function change(verb: keyof typeof verbs, options: PauseOptions): Promise<void> {
  const connected = await connectToWorkspace(options);
  const { client, workspaceId } = connected;
  const { mirrorId, dir } = await findMirror(connected, options.dir);
  if (verb === 'pause' && options.for !== undefined) {
    const until = new Date(Date.now() + options.for);
    const { pausedUntil } = await client.mirrors.pause(workspaceId, mirrorId, { until });
    return note(`Paused ${dir} until ${formatTimeOfDay(pausedUntil ?? until.toISOString())}.`);
  }
  await client.mirrors[verb](workspaceId, mirrorId);
  note(`${verbs[verb].done} ${dir}.`);
}
