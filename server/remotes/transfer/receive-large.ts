// The content of a version, ready for a change. Large ones arrive beside the loop, in a part that outlives the connection and the agent;
// their path is decided on again when all of it is here.
import type { Content } from '../../core/change/change.ts';
import { type RemoteVersion, RemoteVersionGoneError } from '../client/remote-server.ts';
import type { RemoteContext } from '../state/context.ts';
import type { Conclusion } from './large-transfers.ts';
import type { PartName } from './part-files.ts';

/** null: it is being received, or it could not be, which is noted at the path. */
export async function contentOf(context: RemoteContext, version: RemoteVersion): Promise<Content | null> {
  const { workspaces, parts, transfers } = context;
  if (version.bytes !== null) return await workspaces.stage(version.bytes);
  const name = partName(context, version);
  if ((await parts.length(name)) === version.sizeBytes) return await contentOfPart(context, version, name);
  transfers.start(version.path, () => receiveLarge(context, version, name));
  return null;
}

/** A content of the workspace, for another change of it. null: it is gone. */
export async function localContent(
  { workspaces, wholeBytesMax }: RemoteContext,
  { hash, sizeBytes }: { readonly hash: string; readonly sizeBytes: number },
): Promise<Content | null> {
  if (sizeBytes > wholeBytesMax) {
    const opened = await workspaces.openContent(hash);
    return opened && (await workspaces.stageStream(opened.stream, sizeBytes)).content;
  }
  const bytes = await workspaces.readContent(hash);
  return bytes && (await workspaces.stage(bytes));
}

/** The version is in the workspace. */
export async function dropPart(context: RemoteContext, version: RemoteVersion): Promise<void> {
  if (version.bytes === null) await context.parts.drop(partName(context, version));
}

function partName({ row }: RemoteContext, { path, hash }: RemoteVersion): PartName {
  return { remoteId: row.remoteId, path, hash };
}

async function contentOfPart(
  { workspaces, parts, problems }: RemoteContext,
  { path, hash, sizeBytes }: RemoteVersion,
  name: PartName,
): Promise<Content | null> {
  const { content } = await workspaces.stageStream(parts.read(name), sizeBytes);
  if (content.hash === hash) return content;
  workspaces.unstage(content);
  await parts.drop(name);
  problems.fail(path, {
    kind: 'read_failed',
    cause: 'The bytes that arrived are not those that the server has.',
    next: 'No action needed; Mooring receives the file again.',
  });
  return null;
}

/** The path is planned again, and finds the part. */
async function receiveLarge(
  context: RemoteContext,
  version: RemoteVersion,
  name: PartName,
): Promise<Conclusion> {
  const { problems, progress } = context;
  const { path } = version;
  try {
    await receiveRest(context, version, name);
    return async () => undefined;
  } catch (error) {
    const isGone = error instanceof RemoteVersionGoneError;
    if (!isGone && !isOfDisk(error)) throw error;
    return async () => {
      progress.forget(path);
      if (isGone) problems.lostRace(path);
      else problems.fail(path, storeFailure(error));
    };
  }
}

async function receiveRest(context: RemoteContext, version: RemoteVersion, name: PartName): Promise<void> {
  const { server, parts, progress, signal } = context;
  const { path, sizeBytes } = version;
  let arrived = await parts.length(name);
  if (arrived > sizeBytes) {
    await parts.drop(name);
    arrived = 0;
  }
  const part = await parts.open(name);
  try {
    for await (const bytes of server.readPieces(version, arrived, signal)) {
      await part.append(bytes);
      arrived += bytes.length;
      progress.moved(path, arrived, sizeBytes);
      context.atKillPoint('remote.piece');
    }
  } finally {
    await part.close();
  }
}

function isOfDisk(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function storeFailure({ code }: NodeJS.ErrnoException) {
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return {
    kind: 'read_failed',
    cause: `The agent could not keep what arrived: ${code}.`,
    next: isFull ? 'Make room on the disk of the data directory.' : 'See the disk of the data directory.',
  } as const;
}
