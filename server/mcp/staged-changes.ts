// Makes the changes of one call one change of the workspace: stages them in a short-lived fork and commits it. Nothing is applied when one of
// them is refused.
import { randomUUID } from 'node:crypto';
import { filesPerCallMax, listedPathsMax, stagingTtlSeconds, unconfirmedFilesMax } from './limits.ts';
import type { ToolCall } from './session.ts';
import { ToolError } from './tool-error.ts';

/**
 * Resolves with the revision of the commit. In a run there is none: the changes are staged there, and those before a refusal stay staged, for the
 * agent to show.
 */
export async function commitTogether(
  { client, session, signal, forkId: openForkId }: ToolCall,
  stage: (forkId: string) => Promise<void>,
): Promise<string | undefined> {
  if (openForkId !== undefined) {
    await stage(openForkId);
    return undefined;
  }
  const { workspaceId } = session;
  const { forkId } = await client.forks.create(
    workspaceId,
    { proposalId: `mcp-${randomUUID()}`, ttlSeconds: stagingTtlSeconds },
    { signal },
  );
  try {
    await stage(forkId);
    return (await client.forks.commit(workspaceId, forkId)).revision;
  } catch (error) {
    // Without a result the fork expires.
    await client.forks.discard(workspaceId, forkId).catch(() => undefined);
    throw error;
  }
}

/** A file of a call that changes many. */
export interface ListedFile {
  readonly path: string;
  readonly revision: string;
}

/** The files at and below a path, at most `filesPerCallMax`. Empty: there is nothing. */
export async function filesAt(call: ToolCall, path: string): Promise<readonly ListedFile[]> {
  const { client, session, signal, forkId } = call;
  const files: ListedFile[] = [];
  for await (const { path: found, revision } of client.files.all(session.workspaceId, {
    path,
    limit: filesPerCallMax,
    signal,
    ...(forkId === undefined ? {} : { forkId }),
  })) {
    files.push({ path: found, revision });
    if (files.length <= filesPerCallMax) continue;
    throw new ToolError(
      'bad_request',
      `${path} has more than ${filesPerCallMax} files`,
      'Call the tool for each folder below it.',
    );
  }
  return files;
}

export function requireConfirmation(count: number, confirm: boolean | undefined, what: string): void {
  if (count <= unconfirmedFilesMax || confirm === true) return;
  throw new ToolError(
    'confirm_required',
    `this call would ${what} ${count} files; more than ${unconfirmedFilesMax} need confirm`,
    'Check with dryRun: true, then call again with confirm: true.',
    { count },
  );
}

/** The members of an answer that list many files. */
export function manyFiles(paths: readonly string[], dryRun: boolean) {
  return {
    dryRun,
    count: paths.length,
    paths: paths.slice(0, listedPathsMax),
    truncated: paths.length > listedPathsMax,
  };
}
