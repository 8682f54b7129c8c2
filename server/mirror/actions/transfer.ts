// Transfers contents between folder and workspace, large ones in chunks of which at most two are in flight, so that no large file
// is in memory whole (docs/sync-rules.md#20). An interrupted or invalid transfer leaves nothing behind.
import { isAclPath } from '../../core/access/acl.ts';
import type { Content } from '../../core/change/change.ts';
import { parentOf } from '../../core/paths/path.ts';
import { errorCode } from '../../disk/port/file-system.ts';
import type { FolderFile, FolderOperation, OperationOutcome } from '../../disk/port/folder.ts';
import { piecesOf as heldPieces } from '../../platform/json/content-json.ts';
import { decodeText } from '../../workspaces/content-encoding.ts';
import { refreshWorkspace, type SyncContext, transferLimits } from '../state/context.ts';
import { contentMissing, type MirrorProblem } from '../state/problems.ts';
import type { MirroredWorkspace } from '../state/scoped-workspace.ts';

export type Put = Extract<FolderOperation, { kind: 'put' }>;

/** A file of the folder, ready for a change. */
export interface StagedFile {
  readonly content: Content;
  readonly isText: boolean;
  /** null: no text, or too large to be read. */
  readonly text: string | null;
}

/** `left`: it was not done, and the problem is already recorded where there is one. */
export type Carried =
  | OperationOutcome
  | { readonly ok: false; readonly reason: 'left'; readonly unfinished: boolean };

const seeDataDirectory = 'See the disk of the data directory.';

/** The transfer ended before its end. */
class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** What the store holds could not be read. */
class StoreReadError extends Error {
  override readonly name = 'StoreReadError';
  readonly code: string;

  constructor(code: string, options: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

export function isLarge({ transfer }: Pick<SyncContext, 'transfer'>, sizeBytes: number): boolean {
  return sizeBytes > transfer.wholeBytesMax;
}

/** null: it is not what was seen any more, or the mirror stops; or the store has no room, which is noted at the path. */
export async function stageFile(
  context: SyncContext,
  path: string,
  file: FolderFile,
): Promise<StagedFile | null> {
  if (isLarge(context, file.sizeBytes)) return await stageLarge(context, path, file);
  const [read] = await context.folder.read([{ path, expected: file }]);
  return read?.ok === true ? await stageBytes(context, path, read.bytes) : null;
}

/** null: the store has no room for it, which is noted at the path. */
export async function stageBytes(
  context: SyncContext,
  path: string,
  bytes: Uint8Array,
): Promise<StagedFile | null> {
  try {
    return await stageWhole(context.workspaces, bytes);
  } catch (error) {
    context.problems.fail(path, storeFailure(errorCode(error)));
    return null;
  }
}

async function stageWhole(
  workspaces: Pick<MirroredWorkspace, 'stage'>,
  bytes: Uint8Array,
): Promise<StagedFile> {
  const text = decodeText(bytes);
  return { content: await workspaces.stage(bytes), isText: text !== null, text };
}

/** Bytes in memory; many are staged in pieces. */
export async function stageHeld(
  workspaces: Pick<MirroredWorkspace, 'stage' | 'stageStream'>,
  bytes: Uint8Array,
): Promise<StagedFile> {
  if (!isLarge({ transfer: transferLimits }, bytes.length)) return await stageWhole(workspaces, bytes);
  return { ...(await workspaces.stageStream(heldPieces(bytes), bytes.length)), text: null };
}

/** A content that the workspace holds, for another path of it. null: it holds it no more. */
export async function stageStored(
  workspaces: Pick<MirroredWorkspace, 'stage' | 'stageStream' | 'readContent' | 'openContent'>,
  { hash, sizeBytes }: { readonly hash: string; readonly sizeBytes: number },
): Promise<StagedFile | null> {
  if (isLarge({ transfer: transferLimits }, sizeBytes)) {
    const opened = await workspaces.openContent(hash);
    return opened && { ...(await workspaces.stageStream(opened.stream, sizeBytes)), text: null };
  }
  const bytes = await workspaces.readContent(hash);
  return bytes && (await stageWhole(workspaces, bytes));
}

/** What a change says of a file of access rules. Rules too large to be read are none: the change is refused, and says so. */
export function aclTextOf(path: string, { isText, text }: StagedFile): { readonly aclText?: string } {
  if (!isAclPath(path) || (isText && text === null)) return {};
  return { aclText: text ?? '' };
}

async function stageLarge(context: SyncContext, path: string, file: FolderFile): Promise<StagedFile | null> {
  const { folder, problems, workspaces, fileBytesMax } = context;
  try {
    const { content, isText } = await workspaces.stageStream(piecesOf(context, path, file), fileBytesMax);
    if (content.hash === file.hash) return { content, isText, text: null };
    workspaces.unstage(content);
    context.onBytesTransferred(path, 0);
    // Its times did not show the change: the next scan reads the file.
    folder.markDirty(parentOf(path) ?? '/');
  } catch (error) {
    context.onBytesTransferred(path, 0);
    if (!(error instanceof InterruptedError)) problems.fail(path, storeFailure(errorCode(error)));
  }
  return null;
}

/** Throws InterruptedError when it is not the file that was seen any more, or the mirror stops. */
async function* piecesOf(context: SyncContext, path: string, file: FolderFile): AsyncGenerator<Uint8Array> {
  const { folder, signal, transfer } = context;
  const ask = async (position: number) => {
    const piece = await folder.readPiece({
      path,
      expected: file,
      position,
      bytesMax: transfer.chunkBytes,
    });
    if (!piece.ok || signal.aborted) throw new InterruptedError(`${path} is not read to its end`);
    return piece.bytes;
  };
  let next = ask(0);
  try {
    for (let position = 0; position < file.sizeBytes; ) {
      const bytes = await next;
      position += bytes.length;
      // The disk reads the next piece while the store keeps this one.
      if (position < file.sizeBytes) next = ask(position);
      next.catch(() => undefined);
      yield bytes;
      context.onBytesTransferred(path, position);
      context.atKillPoint('upload.mid-transfer');
    }
  } finally {
    // The consumer may stop early; the read under way still ends.
    await Promise.allSettled([next]);
  }
}

/** Executes a put whose bytes arrive in pieces. The journal contains its intent. */
export async function putLarge(context: SyncContext, put: Put): Promise<Carried> {
  const stopped = await fillTemp(context, put);
  if (stopped !== null) return stopped;
  const [outcome] = await context.folder.apply([put]);
  if (outcome === undefined) throw new Error('the folder answered without an outcome');
  return outcome;
}

/** null: the temporary file holds all of it. */
async function fillTemp(context: SyncContext, put: Put): Promise<Carried | null> {
  const { folder, signal, transfer } = context;
  const { path, tempName, expected } = put;
  let position = 0;
  let underWay: Promise<OperationOutcome> | null = null;
  try {
    const content = await openContent(context, put);
    if (content === null) return { ok: false, reason: 'left', unfinished: false };
    for await (const bytes of inPieces(content, transfer.chunkBytes)) {
      const outcome = await underWay;
      if (outcome?.ok === false) return outcome;
      context.onBytesTransferred(path, position);
      if (position > 0) context.atKillPoint('download.mid-transfer');
      if (signal.aborted) throw new InterruptedError(`${path} is not written to its end`);
      const at = position;
      position += bytes.length;
      // The store reads the next piece while the disk writes this one.
      underWay = folder.writePiece({ path, tempName, expected, position: at, bytes });
      underWay.catch(() => undefined);
    }
    const outcome = await underWay;
    return outcome === null || outcome.ok ? null : outcome;
  } catch (error) {
    return await giveUp(context, put, underWay, error);
  }
}

/** The content as a stream; null: the workspace has another one by now, which is noted at the path. */
async function openContent(
  context: SyncContext,
  { path, hash }: Put,
): Promise<AsyncIterable<Uint8Array> | null> {
  const content = await context.workspaces.openContent(hash).catch(ofStore);
  if (content !== null) return fromStore(content.stream);
  await missed(context, path);
  return null;
}

/** The same, whole; only for what is not large. */
export async function readContent(
  context: SyncContext,
  path: string,
  hash: string,
): Promise<Uint8Array | null> {
  try {
    const bytes = await context.workspaces.readContent(hash);
    if (bytes === null) await missed(context, path);
    return bytes;
  } catch (error) {
    context.problems.fail(path, readFailure(errorCode(error)));
    return null;
  }
}

/** Replaced since it was planned. */
async function missed(context: SyncContext, path: string): Promise<void> {
  await refreshWorkspace(context, path);
  context.problems.collide(path, contentMissing);
}

async function giveUp(
  { folder, problems }: SyncContext,
  { path, tempName }: Put,
  underWay: Promise<OperationOutcome> | null,
  error: unknown,
): Promise<Carried> {
  await Promise.allSettled([underWay]);
  const dropped = await folder.dropPieces(path, tempName);
  if (error instanceof StoreReadError) problems.fail(path, readFailure(error.code));
  else if (!(error instanceof InterruptedError)) throw error;
  return { ok: false, reason: 'left', unfinished: !dropped };
}

async function* fromStore(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    ofStore(error);
  }
}

/** Bytes of any lengths in pieces of one length, each in memory of its own, that can change hands. */
export async function* inPieces(
  source: AsyncIterable<Uint8Array>,
  chunkBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let piece = new Uint8Array(chunkBytes);
  let filled = 0;
  for await (const bytes of source) {
    for (let at = 0; at < bytes.length; ) {
      const count = Math.min(bytes.length - at, chunkBytes - filled);
      piece.set(bytes.subarray(at, at + count), filled);
      at += count;
      filled += count;
      if (filled < chunkBytes) continue;
      yield piece;
      piece = new Uint8Array(chunkBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.slice(0, filled);
}

function ofStore(error: unknown): never {
  throw new StoreReadError(errorCode(error), { cause: error });
}

function storeFailure(code: string): MirrorProblem {
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return {
    kind: 'store_failed',
    cause: `The agent could not keep its content: ${code}.`,
    next: full ? 'Make room on the disk of the data directory.' : seeDataDirectory,
  };
}

function readFailure(code: string): MirrorProblem {
  return {
    kind: 'store_failed',
    cause: `The agent could not read the workspace's content: ${code}.`,
    next: seeDataDirectory,
  };
}
