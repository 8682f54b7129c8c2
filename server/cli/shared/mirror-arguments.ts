// How commands on one mirror name it: by its workspace and its folder.
import { realpathSync } from 'node:fs';
import type { Command } from 'commander';
import type { Mirror, MooringClient } from '../../../sdk/index.ts';
import { parseFolder } from './arguments.ts';
import { CommandFailure, exitCodes } from './failure.ts';
import { type WorkspaceOptions, withWorkspace } from './workspace-arguments.ts';

export interface MirrorOptions extends WorkspaceOptions {
  /** May be left out where the workspace has one folder only. */
  readonly dir?: string;
}

export function withFolder(command: Command): Command {
  return withWorkspace(command).requiredOption('--dir <dir>', 'the folder', parseFolder);
}

/** For what can be undone: the folder need not be named where there is one only. */
export function withOnlyFolder(command: Command): Command {
  return withWorkspace(command).option(
    '--dir <dir>',
    'the folder; needed where the workspace has several',
    parseFolder,
  );
}

export async function findMirror(
  client: MooringClient,
  workspaceId: string,
  dir: string | undefined,
): Promise<Mirror> {
  const mirrors = await client.mirrors.list(workspaceId);
  if (dir === undefined) return onlyOne(mirrors, workspaceId);
  const found = mirrors.find((mirror) => mirror.dir === dir || mirror.dir === realPath(dir));
  if (found !== undefined) return found;
  throw new CommandFailure(
    exitCodes.failed,
    `${workspaceId} is not mirrored at ${dir}.`,
    'See its folders with "mooring mirror list".',
  );
}

function onlyOne(mirrors: readonly Mirror[], workspaceId: string): Mirror {
  const [first, ...others] = mirrors;
  if (first !== undefined && others.length === 0) return first;
  if (first === undefined) {
    throw new CommandFailure(
      exitCodes.failed,
      `${workspaceId} is mirrored in no folder.`,
      'Mirror it with "mooring mirror add".',
    );
  }
  throw new CommandFailure(
    exitCodes.usage,
    `${workspaceId} is mirrored in ${mirrors.length} folders.`,
    `Name one of them with --dir: ${mirrors.map((mirror) => mirror.dir).join(', ')}.`,
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
