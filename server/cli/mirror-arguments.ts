// How commands on one mirror name it: by its workspace and its folder.
import { realpathSync } from 'node:fs';
import type { Command } from 'commander';
import type { Mirror, MooringClient } from '../../sdk/index.ts';
import { parseFolder } from './arguments.ts';
import { CommandFailure, exitCodes } from './failure.ts';

export interface MirrorOptions {
  readonly workspace: string;
  readonly dir: string;
  readonly dataDir?: string;
}

export function withFolder(command: Command): Command {
  return command
    .requiredOption('--workspace <workspace>', 'id or name')
    .requiredOption('--dir <dir>', 'the folder', parseFolder);
}

export async function findMirror(client: MooringClient, workspaceId: string, dir: string): Promise<Mirror> {
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
