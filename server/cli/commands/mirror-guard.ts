// mirror guard, and --guard of mirror add: how many deletions a minute a mirror believes before it halts and asks.
import { type Command, InvalidArgumentError } from 'commander';
import type { Mirror, MooringClient } from '../../../sdk/index.ts';
import { parseWholeNumber } from '../../platform/config/quantities.ts';
import { withJson } from '../shared/arguments.ts';
import { findMirror, type MirrorOptions, withFolder } from '../shared/mirror-arguments.ts';
import { note, printJson } from '../shared/output.ts';
import { connectToWorkspace } from '../shared/workspace-arguments.ts';

/** What the agent takes. */
const guardMax = 1_000_000;
export const guardHelp = 'halt beyond this many deletions and truncations per minute; default: 1000';

/** null: the usual number. */
export type Guard = number | null;

export function parseGuard(text: string): Guard {
  if (text === 'default') return null;
  const deletes = parseWholeNumber(text);
  if (deletes === null || deletes < 1 || deletes > guardMax)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${guardMax}, or "default".`);
  return deletes;
}

export function registerMirrorGuard(mirror: Command): void {
  // What protects the files of a folder is changed for a folder that is named.
  withJson(
    withFolder(
      mirror
        .command('guard')
        .description('set the deletions and truncations per minute above which it halts')
        .argument('<n>', 'a whole number, or "default"', parseGuard),
    ),
  ).action(guard);
}

async function guard(deletes: Guard, options: MirrorOptions & { readonly dir: string }): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { mirrorId } = await findMirror(client, workspaceId, options.dir);
  const changed = await client.mirrors.setGuard(workspaceId, mirrorId, deletes);
  if (options.json) return printJson(changed);
  const { dir, deletesPerMinuteMax } = changed;
  note(
    `${dir} halts beyond ${deletesPerMinuteMax} ${deletesPerMinuteMax === 1 ? 'deletion or truncation' : 'deletions and truncations'} per minute.`,
  );
}

/** The mirror as it is with that guard; undefined: nobody asked for another one. */
export async function withGuard(
  client: MooringClient,
  mirror: Mirror,
  deletes: Guard | undefined,
): Promise<Mirror> {
  if (deletes === undefined) return mirror;
  return await client.mirrors.setGuard(mirror.workspaceId, mirror.mirrorId, deletes);
}
