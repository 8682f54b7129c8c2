// Options that identify one mirror: its workspace and its folder.
import { realpathSync } from 'node:fs';
import type { Command } from 'commander';
import type { Mirror, MooringClient } from '../../../sdk/index.ts';
import { parseFolder } from './arguments.ts';
import { failure, usageError } from './failure.ts';
import {
  type ConnectedWorkspace,
  findWorkspace,
  type WorkspaceOptions,
  withWorkspace,
} from './workspace-arguments.ts';

export interface MirrorOptions extends WorkspaceOptions {
  /** Optional when the workspace has exactly one folder. */
  readonly dir?: string;
}

export function withFolder(command: Command): Command {
  return withWorkspace(command).requiredOption('--dir <DIR>', 'mirrored folder', parseFolder);
}

/** For actions that can be undone: the folder is optional when the workspace has exactly one. */
export function withOptionalFolder(command: Command): Command {
  return withWorkspace(command).option(
    '--dir <DIR>',
    'mirrored folder (required if the workspace has several)',
    parseFolder,
  );
}

export async function findMirror(
  { client, workspaceId, workspaceName }: ConnectedWorkspace,
  dir: string | undefined,
): Promise<Mirror> {
  const mirrors = await client.mirrors.list(workspaceId);
  if (dir === undefined) return onlyMirror(mirrors, workspaceName);
  const named = mirrors.find((mirror) => mirror.dir === dir || mirror.dir === realPath(dir));
  if (named !== undefined) return named;
  throw failure(
    `Workspace ${workspaceName} is not mirrored to ${dir}.`,
    'List its folders with "mooring mirror list".',
  );
}

/** Of all workspaces unless one is named. */
export async function listMirrors(
  client: MooringClient,
  workspace: string | undefined,
): Promise<readonly Mirror[]> {
  if (workspace === undefined) return (await client.agent.status()).mirrors;
  return await client.mirrors.list((await findWorkspace(client, workspace)).workspaceId);
}

function onlyMirror(mirrors: readonly Mirror[], workspaceName: string): Mirror {
  const [first, ...others] = mirrors;
  if (first !== undefined && others.length === 0) return first;
  if (first === undefined) {
    throw failure(`Workspace ${workspaceName} has no mirror.`, 'Add one with "mooring mirror add".');
  }
  throw usageError(
    `Workspace ${workspaceName} is mirrored to ${mirrors.length} folders.`,
    `Select one with --dir: ${mirrors.map((mirror) => mirror.dir).join(', ')}.`,
  );
}

/** The path without symbolic links. A missing folder keeps its path. */
export function realPath(dir: string): string {
  try {
    return realpathSync(dir);
  } catch {
    return dir;
  }
}
