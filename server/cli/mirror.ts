// mooring mirror add|list|pause|resume|remove
import { realpathSync } from 'node:fs';
import type { Command } from 'commander';
import type { Mirror, MooringClient } from '../../sdk/index.ts';
import { parseFolder, withDataDir, withJson } from './arguments.ts';
import { connect, findWorkspace } from './connect.ts';
import { CommandFailure, exitCodes } from './failure.ts';
import { describeMirror, mirrorHeadings, mirrorRow } from './mirror-text.ts';
import { note, print, printJson, printTable } from './output.ts';

interface MirrorOptions {
  readonly workspace: string;
  readonly dir: string;
  readonly dataDir?: string;
}

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
    ),
  ).action(add);
  withJson(
    mirror
      .command('list')
      .description('all mirrors')
      .option('--workspace <workspace>', 'only of this one: id or name'),
  ).action(list);
  for (const verb of ['pause', 'resume', 'remove'] as const) {
    withDataDir(withFolder(mirror.command(verb).description(verbs[verb].description))).action(
      async (options: MirrorOptions) => await change(verb, options),
    );
  }
}

function withFolder(command: Command): Command {
  return command
    .requiredOption('--workspace <workspace>', 'id or name')
    .requiredOption('--dir <dir>', 'the folder', parseFolder);
}

async function add(options: MirrorOptions & { json?: true }): Promise<void> {
  const { client } = await connect(options);
  const { workspaceId } = await findWorkspace(client, options.workspace);
  const added = await client.mirrors.add(workspaceId, options.dir);
  if (options.json) return printJson(added);
  print(added.mirrorId);
}

async function list(options: { workspace?: string; json?: true; dataDir?: string }): Promise<void> {
  const { client } = await connect(options);
  const mirrors =
    options.workspace === undefined
      ? (await client.agentStatus()).mirrors
      : await client.mirrors.list((await findWorkspace(client, options.workspace)).workspaceId);
  if (options.json) return printJson({ mirrors });
  printTable(mirrorHeadings, mirrors.map(mirrorRow));
  for (const mirror of mirrors) for (const line of describeMirror(mirror)) note(line);
  if (mirrors.length === 0)
    note('No mirror yet. Make one with "mooring mirror add --workspace W --dir DIR".');
}

async function change(verb: keyof typeof verbs, options: MirrorOptions): Promise<void> {
  const { client } = await connect(options);
  const { workspaceId } = await findWorkspace(client, options.workspace);
  const { mirrorId, dir } = await findMirror(client, workspaceId, options.dir);
  await client.mirrors[verb](workspaceId, mirrorId);
  note(`${dir} ${verbs[verb].past}.`);
}

async function findMirror(client: MooringClient, workspaceId: string, dir: string): Promise<Mirror> {
  const mirrors = await client.mirrors.list(workspaceId);
  const found = mirrors.find((mirror) => mirror.dir === dir || mirror.dir === realPath(dir));
  if (found !== undefined) return found;
  throw new CommandFailure(
    exitCodes.failed,
    `${workspaceId} is not mirrored at ${dir}.`,
    'See its folders with "mooring mirror list".',
  );
}

/** The folder itself where the path goes through links; a missing one is only known by its path. */
function realPath(dir: string): string {
  try {
    return realpathSync(dir);
  } catch {
    return dir;
  }
}
