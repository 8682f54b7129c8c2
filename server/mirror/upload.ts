// From the folder into the workspace: reads what was planned, hands it to the one door in batches, and notes what is agreed on.
// A concurrent write of somebody else is never overwritten: every change states what it expects, and a refused one is planned
// again. It never touches the folder but to read.
import { isMarkerPath } from '../core/acl.ts';
import type { ChangeResult, Content, FileChange, Precondition, Refusal } from '../core/change.ts';
import type { WorkspaceAction } from '../core/reconcile.ts';
import { errorCode } from '../disk/file-system.ts';
import type { FolderFile } from '../disk/folder.ts';
import type { BaseRow } from '../store/port.ts';
import { contentTypeOf } from '../workspaces/content-type.ts';
import { decodeText } from '../workspaces/text.ts';
import { folderActor, refreshWorkspace, type SyncContext } from './context.ts';
import type { Failure } from './problems.ts';
import { baseRow } from './trees.ts';

const batchFilesMax = 256;
const batchBytesMax = 8 * 1024 * 1024;

type Group = readonly WorkspaceAction[];

interface Step {
  readonly action: WorkspaceAction;
  /** The folder's file; null for a deletion. */
  readonly file: FolderFile | null;
}

interface Prepared {
  readonly atomic: boolean;
  readonly steps: readonly Step[];
  readonly changes: readonly FileChange[];
}

/** Carries the groups out as far as they still hold. Returns how many of their steps were applied. */
export async function upload(context: SyncContext, groups: readonly Group[]): Promise<number> {
  const batches = batchesOf(context, groups);
  let applied = 0;
  let prepared = await prepare(context, batches[0]);
  for (let index = 1; prepared !== null; index += 1) {
    // The disk reads the next batch while this one is made durable.
    const [count, next] = await Promise.all([commit(context, prepared), prepare(context, batches[index])]);
    applied += count;
    prepared = next;
    if (context.signal.aborted) break;
  }
  return applied;
}

function batchesOf(context: SyncContext, groups: readonly Group[]): readonly (readonly Group[])[] {
  const batches: Group[][] = [];
  let open: Group[] = [];
  let openBytes = 0;
  for (const group of groups) {
    const bytes = group.reduce((sum, action) => sum + sizeOf(context, action), 0);
    const full = open.length >= batchFilesMax || openBytes + bytes > batchBytesMax;
    // A change of type is one change: it travels alone, all or nothing.
    if (open.length > 0 && (full || group.length > 1)) {
      batches.push(open);
      open = [];
      openBytes = 0;
    }
    open.push(group);
    openBytes += bytes;
    if (group.length > 1) {
      batches.push(open);
      open = [];
      openBytes = 0;
    }
  }
  if (open.length > 0) batches.push(open);
  return batches;
}

function sizeOf(context: SyncContext, action: WorkspaceAction): number {
  if (action.kind !== 'write') return 0;
  const entry = context.trees.localAt(action.path);
  return entry?.kind === 'file' ? entry.sizeBytes : 0;
}

async function prepare(context: SyncContext, groups: readonly Group[] | undefined): Promise<Prepared | null> {
  if (groups === undefined) return null;
  const steps = groups.flat().map((action): Step => {
    const entry = action.kind === 'delete' ? null : context.trees.localAt(action.path);
    return { action, file: entry?.kind === 'file' ? entry : null };
  });
  const toRead = steps.flatMap(({ action, file }) =>
    action.kind === 'write' && file !== null ? [{ path: action.path, expected: file }] : [],
  );
  const outcomes = await context.folder.read(toRead);
  context.atKillPoint('upload.read');
  const contents = new Map<string, Uint8Array>();
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.ok) contents.set(toRead[index]?.path ?? '', outcome.bytes);
  }
  const atomic = groups.length === 1 && (groups[0]?.length ?? 0) > 1;
  const contentOf = await stageAll(context, contents);
  const readable = steps.filter(({ action }) => action.kind !== 'write' || contentOf.has(action.path));
  // What could not be read as planned is scanned again; a change of type waits as a whole.
  const kept = atomic && readable.length < steps.length ? [] : readable;
  return { atomic, steps: kept, changes: kept.map((step) => changeOf(step, contentOf)) };
}

interface Staged {
  readonly content: Content;
  readonly text: string | null;
}

/** One that the store has no room for does not stop the others. */
async function stageAll(
  context: SyncContext,
  contents: ReadonlyMap<string, Uint8Array>,
): Promise<ReadonlyMap<string, Staged>> {
  const staged = new Map<string, Staged>();
  await Promise.all(
    [...contents].map(async ([path, bytes]) => {
      try {
        staged.set(path, { content: await context.workspaces.stage(bytes), text: decodeText(bytes) });
      } catch (error) {
        context.problems.fail(path, storeFailure(errorCode(error)));
      }
    }),
  );
  return staged;
}

function storeFailure(code: string): Failure {
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return {
    kind: 'store_failed',
    cause: `The agent could not keep its content: ${code}.`,
    next: full ? 'Make room on the disk of the data directory.' : 'See the disk of the data directory.',
  };
}

function changeOf({ action }: Step, contents: ReadonlyMap<string, Staged>): FileChange {
  const { path } = action;
  switch (action.kind) {
    case 'delete':
      return { kind: 'delete_file', path, precondition: { kind: 'content', hash: action.expected } };
    case 'move':
      return {
        kind: 'move_file',
        from: action.from,
        to: path,
        precondition: { kind: 'content', hash: action.hash },
      };
    case 'write': {
      const staged = contents.get(path);
      if (staged === undefined) throw new Error(`no bytes were read for ${path}`);
      const { content, text } = staged;
      const precondition: Precondition =
        action.expected === null ? { kind: 'absent' } : { kind: 'content', hash: action.expected };
      return {
        kind: 'write_file',
        path,
        precondition,
        content,
        defaultContentType: contentTypeOf(path, text !== null),
        encoding: text === null ? 'base64' : 'utf-8',
        ...(isMarkerPath(path) ? { aclText: text ?? '' } : {}),
      };
    }
  }
}

async function commit(context: SyncContext, { atomic, steps, changes }: Prepared): Promise<number> {
  if (changes.length === 0) return 0;
  const results = await context.workspaces.change({
    workspaceId: context.workspaceId,
    changes,
    atomic,
    actor: folderActor,
    origin: 'agent_write',
    access: null,
    correlationId: context.ids.correlationId(),
    makesOperations: true,
  });
  context.atKillPoint('upload.committed');
  const upserts: BaseRow[] = [];
  const removals: string[] = [];
  let applied = 0;
  for (const [index, step] of steps.entries()) {
    const result = results[index] as ChangeResult;
    if (result.ok) {
      agree(context, step, result.revision, upserts, removals);
      applied += 1;
      context.onStepDone(step.action.kind === 'write' ? (step.file?.sizeBytes ?? 0) : 0);
    } else {
      await refuse(context, step.action, result);
    }
  }
  await context.store.mirrors.saveBase(context.mirrorId, upserts, removals);
  context.atKillPoint('upload.agreed');
  return applied;
}

function agree(
  context: SyncContext,
  step: Step,
  revision: number,
  upserts: BaseRow[],
  removals: string[],
): void {
  const { trees, problems } = context;
  const { action, file } = step;
  const gone = action.kind === 'delete' ? action.path : action.kind === 'move' ? action.from : null;
  if (gone !== null) {
    trees.setWorkspace(gone, null);
    trees.agree(gone, null);
    removals.push(gone);
  }
  if (file !== null && action.kind !== 'delete') {
    const row = baseRow(action.path, file, revision);
    trees.setWorkspace(action.path, { hash: file.hash, revision, sizeBytes: file.sizeBytes });
    trees.agree(action.path, row);
    upserts.push(row);
  }
  problems.succeed(action.path);
}

async function refuse(context: SyncContext, action: WorkspaceAction, refusal: Refusal): Promise<void> {
  await refreshWorkspace(context, action.path);
  if (action.kind === 'move') await refreshWorkspace(context, action.from);
  const failure = {
    kind: 'refused',
    cause: `The workspace refused it: ${refusal.message}.`,
    next: 'Change or move the file; it is tried again by itself.',
    ...(action.kind === 'move' ? { holds: action.from } : {}),
  };
  switch (refusal.code) {
    case 'revision_conflict':
    case 'not_found':
    case 'not_applied':
      // Somebody else was faster. What they did has just been read; the planner decides anew.
      context.problems.collide(action.path, failure);
      break;
    case 'forbidden':
    case 'invalid_path':
    case 'invalid_content':
    case 'path_conflict':
      context.problems.fail(action.path, failure);
      break;
    case 'workspace_not_found':
      throw new Error('the workspace is deleted');
  }
}
