// Writes changes of the workspace into the folder: each operation is a journal row first, states what it expects to replace, and
// updates the base when it is durable. Content that is not in the workspace's history becomes a conflict copy
// (docs/sync-rules.md#3, docs/sync-rules.md#7 to docs/sync-rules.md#10, docs/sync-rules.md#14).
import { conflictCopyPath } from '../../core/sync/conflict-copy-name.ts';
import type { Conflict, LocalAction } from '../../core/sync/plan.ts';
import { tempPrefix } from '../../disk/names/ignore.ts';
import type { FolderFile, FolderOperation } from '../../disk/port/folder.ts';
import type { BaseRow, ConflictRow } from '../../store/port/store.ts';
import type { SyncContext } from '../state/context.ts';
import { baseRow } from '../state/trees.ts';
import { recordRefused } from './disk-refusals.ts';
import { intentsOf } from './journal.ts';
import { type Carried, isLarge, putLarge, readContent } from './transfer.ts';

/** Each batch waits for two commits and one round of fsync, whose costs more files share. */
const batchFilesMax = 256;
const batchBytesMax = 8 * 1024 * 1024;
const tempNameLength = 16;
/** Files of a read-only mirror (docs/sync-rules.md#18). */
const readOnlyMode = 0o444;

interface Batch {
  readonly operations: readonly FolderOperation[];
  /** Of each operation. */
  readonly intentIds: readonly (readonly number[])[];
}

const nothing: Batch = { operations: [], intentIds: [] };

interface Written extends Batch {
  /** Of each operation. */
  readonly outcomes: readonly Carried[];
}

/** Names beside a path that turned out to be taken by an entry that is not synced. */
export type TakenNames = Set<string>;

export interface Download {
  readonly conflicts: readonly Conflict[];
  readonly actions: readonly LocalAction[];
}

/** Executes the plan as far as it still holds. Returns how many operations were done. */
export async function download(context: SyncContext, plan: Download, taken: TakenNames): Promise<number> {
  const steps: (Conflict | LocalAction)[] = [...plan.conflicts, ...plan.actions];
  let done = 0;
  let position = 0;
  const gather = async (): Promise<readonly FolderOperation[]> => {
    const operations: FolderOperation[] = [];
    let bytes = 0;
    for (
      ;
      position < steps.length && operations.length < batchFilesMax && bytes < batchBytesMax;
      position += 1
    ) {
      const step = steps[position] as Conflict | LocalAction;
      const isAlone = bringsLarge(context, step);
      if (isAlone && operations.length > 0) break;
      const operation = await operationOf(context, step, taken);
      if (operation === null) continue;
      operations.push(operation);
      if (operation.kind === 'put') bytes += operation.bytes?.length ?? batchBytesMax;
    }
    return operations;
  };
  let written: Written | null = null;
  let batch = await intend(context, await gather());
  while (batch.operations.length > 0 || written !== null) {
    if (context.signal.aborted && batch.operations.length > 0) {
      await context.store.mirrors.endIntents({ mirrorId: context.mirrorId, ids: batch.intentIds.flat() });
      batch = nothing;
    }
    const isWriting = batch.operations.length > 0;
    if (isWriting) context.atKillPoint('download.intended');
    // While the disk writes this batch, the store commits the one before, and the contents of the next are fetched.
    const writing: Promise<readonly Carried[]> = applyBatch(context, batch.operations);
    const fetching: Promise<Batch> = isWriting
      ? gather().then((next) => intend(context, next))
      : Promise.resolve(nothing);
    const committing: Promise<number> =
      written === null ? Promise.resolve(0) : finish(context, written, taken);
    // After an error, too, nothing writes into the folder any more.
    await Promise.allSettled([writing, fetching, committing]);
    const outcomes = await writing;
    if (isWriting) context.atKillPoint('download.applied');
    done += await committing;
    if (written !== null) context.atKillPoint('download.agreed');
    written = isWriting ? { ...batch, outcomes } : null;
    batch = await fetching;
  }
  return done;
}

async function intend(context: SyncContext, operations: readonly FolderOperation[]): Promise<Batch> {
  if (operations.length === 0) return nothing;
  const intents = operations.map(intentsOf);
  const ids = await context.store.mirrors.beginIntents({ mirrorId: context.mirrorId, rows: intents.flat() });
  let next = 0;
  const intentIds = intents.map((own) => {
    next += own.length;
    return ids.slice(next - own.length, next);
  });
  return { operations, intentIds };
}

async function applyBatch(
  context: SyncContext,
  operations: readonly FolderOperation[],
): Promise<readonly Carried[]> {
  const [first] = operations;
  if (first === undefined) return [];
  if (first.kind === 'put' && first.bytes === null) return [await putLarge(context, first)];
  return await context.folder.apply(operations);
}

/** Does the step bring a content that travels in pieces? */
function bringsLarge(context: SyncContext, step: Conflict | LocalAction): boolean {
  if ('what' in step)
    return (
      step.what === 'file' && step.workspaceHash !== null && isLargeAt(context, step.path, step.workspaceHash)
    );
  return step.kind === 'put' && isLargeAt(context, step.path, step.hash);
}

/** One that is not known any more may be of any size. */
function isLargeAt(context: SyncContext, path: string, hash: string): boolean {
  const file = context.trees.workspaceAt(path);
  return file?.hash !== hash || isLarge(context, file.sizeBytes);
}

/** null: nothing to do any more, or not now. */
async function operationOf(
  context: SyncContext,
  step: Conflict | LocalAction,
  taken: TakenNames,
): Promise<FolderOperation | null> {
  const { path } = step;
  const entry = context.trees.localAt(path);
  const expected = entry?.kind === 'file' ? entry : null;
  if ('what' in step) {
    if (step.what === 'directory' || step.workspaceHash === null) {
      return { kind: 'move_aside', path, asidePath: copyPathFor(context, path, taken), expected };
    }
    return await putOf(context, path, step.workspaceHash, expected, copyPathFor(context, path, taken));
  }
  // Known bytes may go; unknown ones step aside. They are what both sides agreed on, so they are known unless retention has
  // let them go in the meantime. Of an empty file there is nothing to keep.
  const isKept =
    expected === null ||
    expected.sizeBytes === 0 ||
    (await context.workspaces.isKnownContent(context.workspaceId, path, expected.hash));
  if (step.kind === 'put') {
    return await putOf(context, path, step.hash, expected, isKept ? null : copyPathFor(context, path, taken));
  }
  if (expected === null) return null;
  if (!isKept) return { kind: 'move_aside', path, asidePath: copyPathFor(context, path, taken), expected };
  return { kind: 'remove', path, expected };
}

async function putOf(
  context: SyncContext,
  path: string,
  hash: string,
  expected: FolderFile | null,
  asidePath: string | null,
): Promise<FolderOperation | null> {
  const inPieces = isLargeAt(context, path, hash);
  const bytes = inPieces ? null : await readContent(context, path, hash);
  if (bytes === null && !inPieces) return null;
  const tempName = tempPrefix + context.ids.text(tempNameLength);
  const mode = context.mode === 'to-folder' ? readOnlyMode : null;
  return { kind: 'put', path, tempName, bytes, hash, expected, asidePath, mode };
}

function copyPathFor(context: SyncContext, path: string, taken: TakenNames): string {
  const atMs = context.clock.nowMs();
  const copyPath = conflictCopyPath(
    path,
    { atMs, offsetMinutes: context.offsetMinutes(atMs) },
    (candidate) => taken.has(candidate) || context.trees.isTaken(candidate),
  );
  // Two conflicts of one batch must not meet.
  taken.add(copyPath);
  return copyPath;
}

async function finish(
  context: SyncContext,
  { operations, intentIds, outcomes }: Written,
  taken: TakenNames,
): Promise<number> {
  const upserts: BaseRow[] = [];
  const removals: string[] = [];
  const conflicts: ConflictRow[] = [];
  const ended: number[] = [];
  let done = 0;
  for (const [index, operation] of operations.entries()) {
    const outcome = outcomes[index] as Carried;
    if (!outcome.ok) context.onBytesTransferred(operation.path, 0);
    const ids = intentIds[index] ?? [];
    if (outcome.ok || outcome.unfinished !== true) ended.push(...ids);
    else
      context.onUnconfirmed(intentsOf(operation).map((intent, at) => ({ ...intent, id: ids[at] as number })));
    if (!outcome.ok && outcome.reason === 'left') continue;
    const stepped = outcome.ok || outcome.steppedAside === true;
    // Before its base changes: the conflict names the base that was.
    // In a read-only mirror it is an edit that stays local and needs no decision.
    const listed = stepped && context.mode !== 'to-folder';
    if (listed && operation.kind !== 'remove' && operation.asidePath !== null) {
      conflicts.push(
        conflictRow(context, operation.path, operation.asidePath, operation.expected?.hash ?? ''),
      );
    }
    if (!outcome.ok) {
      recordRefused(context, operation, outcome, taken);
      continue;
    }
    done += 1;
    context.onActionDone(operation.path, operation.kind === 'put' ? (outcome.file?.sizeBytes ?? 0) : 0);
    context.problems.succeed(operation.path);
    settle(context, operation, outcome.file, upserts, removals);
  }
  const { mirrors } = context.store;
  await Promise.all([
    ...conflicts.map((row) => mirrors.addConflict({ mirrorId: context.mirrorId, row })),
    mirrors.saveBase({ mirrorId: context.mirrorId, upserts, removals }),
    mirrors.endIntents({ mirrorId: context.mirrorId, ids: ended }),
  ]);
  return done;
}

function settle(
  context: SyncContext,
  operation: FolderOperation,
  file: FolderFile | null,
  upserts: BaseRow[],
  removals: string[],
): void {
  const { trees } = context;
  const { path } = operation;
  if (operation.kind === 'put' && file !== null) {
    trees.setLocal(path, file);
    const workspace = trees.workspaceAt(path);
    if (workspace?.hash !== operation.hash) return;
    const row = baseRow(path, file, workspace.revision);
    trees.agree(path, row);
    upserts.push(row);
    return;
  }
  // What stepped aside takes all below along; it is found again under its new name.
  if (operation.kind === 'move_aside') {
    for (const below of trees.localPathsBelow(path)) trees.setLocal(below, null);
  }
  trees.setLocal(path, null);
  if (trees.workspaceAt(path) !== null) return;
  trees.agree(path, null);
  removals.push(path);
}

export function conflictRow(
  context: Pick<SyncContext, 'ids' | 'clock' | 'trees'>,
  path: string,
  copyPath: string,
  localHash: string,
): ConflictRow {
  return {
    conflictId: context.ids.conflictId(),
    path,
    copyPath,
    localHash,
    workspaceHash: context.trees.workspaceAt(path)?.hash ?? null,
    baseHash: context.trees.baseAt(path)?.hash ?? null,
    atMs: context.clock.nowMs(),
  };
}
