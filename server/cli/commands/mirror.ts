// mooring mirror add|list|pause|resume|remove; the other verbs stand in files of their own, mirror-*
import { type Command, Option } from 'commander';
import type { MirrorMode } from '../../../sdk/index.ts';
import { withDataDir, withJson } from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { followFirstSync } from '../shared/follow.ts';
import { findMirror, type MirrorOptions, withFolder, withOnlyFolder } from '../shared/mirror-arguments.ts';
import { describeMirrors, mirrorHeadings, mirrorRow } from '../shared/mirror-text.ts';
import { note, print, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace, findWorkspace, type WorkspaceOptions } from '../shared/workspace-arguments.ts';
import { addMirror, cloudFolderHelp } from './mirror-add.ts';
import { type Guard, guardHelp, parseGuard, registerMirrorGuard, withGuard } from './mirror-guard.ts';
import { registerMirrorHalt } from './mirror-halt.ts';
import { registerMirrorPlan } from './mirror-plan.ts';
import { registerMirrorProblems } from './mirror-problems.ts';
import { registerMirrorProve } from './mirror-prove.ts';

const verbs = {
  pause: { description: 'stop syncing until resumed', past: 'is paused' },
  resume: { description: 'sync again after a pause or a halt', past: 'syncs again' },
  remove: {
    description: 'stop mirroring; the folder keeps its files',
    past: 'is no longer mirrored; its files stay',
  },
} as const;

export function registerMirror(program: Command): void {
  const mirror = program.command('mirror').description('folders kept equal to a workspace');
  withJson(
    withFolder(
      mirror.command('add').description('mirror a workspace in a folder, which is at first only added to'),
    )
      .addOption(
        new Option('--mode <mode>', 'which way changes are carried')
          .choices(['two-way', 'to-workspace', 'to-folder'])
          .default('two-way'),
      )
      .option('--path <path>', 'a directory of the workspace; default: all of it')
      .option('--guard <n>', guardHelp, parseGuard)
      .option('--yes', cloudFolderHelp),
  ).action(add);
  withJson(
    mirror
      .command('list')
      .description('all mirrors')
      .option('--workspace <workspace>', 'only of this one: id or name'),
  ).action(list);
  for (const verb of ['pause', 'resume', 'remove'] as const) {
    // What ends for good is named.
    const withDir = verb === 'remove' ? withFolder : withOnlyFolder;
    withDataDir(withDir(mirror.command(verb).description(verbs[verb].description))).action(
      async (options: MirrorOptions) => await change(verb, options),
    );
  }
  registerMirrorGuard(mirror);
  registerMirrorHalt(mirror);
  registerMirrorPlan(mirror);
  registerMirrorProblems(mirror);
  registerMirrorProve(mirror);
}

async function add(
  options: MirrorOptions & { dir: string; mode: MirrorMode; path?: string; guard?: Guard; yes?: true },
): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const plain = await addMirror(client, workspaceId, options.dir, {
    mode: options.mode,
    acceptCloudFolder: options.yes === true,
    ...(options.path === undefined ? {} : { path: options.path }),
  });
  // The first contact only adds: nothing can be deleted before the guard stands.
  const added = await withGuard(client, plain, options.guard);
  if (options.json) return printJson(added);
  print(added.mirrorId);
  await followFirstSync(async () =>
    (await client.mirrors.list(workspaceId)).filter(({ mirrorId }) => mirrorId === added.mirrorId),
  );
}

async function list(options: WorkspaceOptions): Promise<void> {
  const { client } = await connect(options);
  const mirrors =
    options.workspace === undefined
      ? (await client.agentStatus()).mirrors
      : await client.mirrors.list((await findWorkspace(client, options.workspace)).workspaceId);
  if (options.json) return printJson({ mirrors });
  printTable(mirrorHeadings, mirrors.map(mirrorRow));
  for (const line of describeMirrors(mirrors)) note(line);
  if (mirrors.length === 0)
    note('No mirror yet. Make one with "mooring mirror add --workspace W --dir DIR".');
}

async function change(verb: keyof typeof verbs, options: MirrorOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { mirrorId, dir } = await findMirror(client, workspaceId, options.dir);
  await client.mirrors[verb](workspaceId, mirrorId);
  note(`${dir} ${verbs[verb].past}.`);
}
