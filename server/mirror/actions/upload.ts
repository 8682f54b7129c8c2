// Uploads planned changes of the folder in batches and records the base. Every change states its precondition, so a concurrent
// write is never overwritten; a refused change is planned again. It only reads the folder.
import type { BaseUpdate, FileChange, Precondition, Refusal } from '../../core/change/change.ts';
import type { WorkspaceAction } from '../../core/sync/plan.ts';
import type { FolderFile } from '../../disk/port/folder.ts';
import { contentTypeOf } from '../../workspaces/content-type.ts';
import { changeWorkspace, refreshWorkspace, type SyncContext } from '../state/context.ts';
import type { ForkFull, MirrorChangeResult } from '../state/scoped-workspace.ts';
import { baseEntry } from '../state/trees.ts';
import { aclTextOf, isLarge, type StagedFile, stageBytes, stageFile } from './transfer.ts';

const batchFilesMax = 256;
const batchBytesMax = 8 * 1024 * 1024;

type Group = readonly WorkspaceAction[];

/** In the place of a group that is in a batch. */
const taken: Group = [];

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

/**
 * Executes the groups as far as they still hold. Returns how many of their steps were applied. It empties the list as it goes: the plan
 * of a first mirror is a third of a kilobyte for each file.
 */
export async function upload(context: SyncContext, groups: Group[]): Promise<number> {
  const batches = batchesOf(context, groups);
  let applied = 0;
  let prepared = await prepare(context, batches.next().value);
  while (prepared !== null) {
    // The disk reads the next batch while this one is made durable.
    const [count, next] = await Promise.all([
      commit(context, prepared),
      prepare(context, batches.next().value),
    ]);
    applied += count;
    prepared = next;
    if (context.signal.aborted) {
      unstageAll(
        context,
        (next?.changes ?? []).flatMap((change) => ('content' in change ? [change] : [])),
      );
      break;
    }
  }
  return applied;
}

function* batchesOf(context: SyncContext, groups: Group[]): Generator<readonly Group[], undefined> {
  let open: Group[] = [];
  let openBytes = 0;
  for (const [index, group] of groups.entries()) {
    groups[index] = taken;
    const bytes = group.reduce((sum, action) => sum + sizeOf(context, action), 0);
    const full = open.length >= batchFilesMax || openBytes + bytes > batchBytesMax;
    // A change of type is one change: it travels alone, all or nothing. So does a large file: nothing small waits for it.
    const alone = group.length > 1 || isLarge(context, bytes);
    if (open.length > 0 && (full || alone)) {
      yield open;
      open = [];
      openBytes = 0;
    }
    open.push(group);
    openBytes += bytes;
    if (alone) {
      yield open;
      open = [];
      openBytes = 0;
    }
  }
  if (open.length > 0) yield open;
  return undefined;
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
  const files = new Map(
    steps.flatMap(({ action, file }) =>
      action.kind === 'write' && file !== null ? [[action.path, file]] : [],
    ),
  );
  const staged = await stageAll(context, files);
  context.atKillPoint('upload.read');
  const atomic = groups.length === 1 && (groups[0]?.length ?? 0) > 1;
  const readable = steps.filter(({ action }) => action.kind !== 'write' || staged.has(action.path));
  // What could not be read as planned is scanned again; a change of type waits as a whole.
  const kept = atomic && readable.length < steps.length ? [] : readable;
  if (kept.length < readable.length) unstageAll(context, staged.values());
  return { atomic, steps: kept, changes: kept.map((step) => changeOf(step, staged)) };
}

/** Small ones at once, each large one in pieces. One that the store has no room for does not stop the others. */
async function stageAll(
  context: SyncContext,
  files: ReadonlyMap<string, FolderFile>,
): Promise<ReadonlyMap<string, StagedFile>> {
  const staged = new Map<string, StagedFile>();
  const keep = (path: string, file: StagedFile | null) => file !== null && staged.set(path, file);
  const small = [...files].filter(([, file]) => !isLarge(context, file.sizeBytes));
  const outcomes = await context.folder.read(small.map(([path, expected]) => ({ path, expected })));
  await Promise.all(
    outcomes.map(async (outcome, index) => {
      const path = small[index]?.[0] ?? '';
      if (outcome.ok) keep(path, await stageBytes(context, path, outcome.bytes));
    }),
  );
  for (const [path, file] of files)
    if (isLarge(context, file.sizeBytes)) keep(path, await stageFile(context, path, file));
  return staged;
}

function unstageAll(context: SyncContext, staged: Iterable<Pick<StagedFile, 'content'>>): void {
  for (const { content } of staged) context.workspaces.unstage(content);
}

function changeOf({ action }: Step, contents: ReadonlyMap<string, StagedFile>): FileChange {
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
      const { content, isText } = staged;
      const precondition: Precondition =
        action.expected === null ? { kind: 'absent' } : { kind: 'content', hash: action.expected };
      return {
        kind: 'write_file',
        path,
        precondition,
        content,
        defaultContentType: contentTypeOf(path, isText),
        encoding: isText ? 'utf-8' : 'base64',
        ...aclTextOf(path, staged),
      };
    }
  }
}

async function commit(context: SyncContext, { atomic, steps, changes }: Prepared): Promise<number> {
  if (changes.length === 0) return 0;
  const results = await changeWorkspace(context, {
    changes,
    atomic,
    makesOperations: true,
    agreement: { mirrorId: context.mirrorId, steps: steps.map(agreedOf) },
  });
  context.atKillPoint('upload.committed');
  let applied = 0;
  for (const [index, step] of steps.entries()) {
    const result = results[index] as MirrorChangeResult;
    if (result.ok) {
      agree(context, step, result.revision);
      applied += 1;
      const { kind, path } = step.action;
      context.onActionDone(path, kind === 'write' ? (step.file?.sizeBytes ?? 0) : 0);
    } else {
      await refuse(context, step.action, result);
    }
  }
  return applied;
}

/** The path that no longer exists on either side after the step, and the file that both sides have then. */
function agreedOf({ action, file }: Step): BaseUpdate['steps'][number] {
  const gone = action.kind === 'delete' ? action.path : action.kind === 'move' ? action.from : null;
  return { gone, file: file === null || action.kind === 'delete' ? null : baseEntry(action.path, file) };
}

/** The trees learn what the store has noted. */
function agree({ trees, problems }: SyncContext, step: Step, revision: number): void {
  const { gone, file } = agreedOf(step);
  if (gone !== null) {
    trees.setWorkspace(gone, null);
    trees.agree(gone, null);
    problems.roomMade();
  }
  if (file !== null) {
    trees.setWorkspace(file.path, { hash: file.hash, revision, sizeBytes: file.sizeBytes });
    trees.agree(file.path, { ...file, revision });
  }
  problems.succeed(step.action.path);
}

async function refuse(
  context: SyncContext,
  action: WorkspaceAction,
  refusal: Refusal | ForkFull,
): Promise<void> {
  context.onBytesTransferred(action.path, 0);
  await refreshWorkspace(context, action.path);
  if (action.kind === 'move') await refreshWorkspace(context, action.from);
  const failure = {
    kind: 'refused',
    cause: `The workspace refused it: ${refusal.message}.`,
    next: 'Change or move the file; Mooring retries automatically.',
    ...(action.kind === 'move' ? { holds: action.from } : {}),
  };
  switch (refusal.code) {
    case 'revision_conflict':
    case 'not_found':
    case 'not_applied':
      // Another writer was faster. Its change has just been read; the planner decides anew.
      context.problems.collide(action.path, failure);
      break;
    case 'forbidden':
    case 'invalid_path':
    case 'invalid_content':
    case 'path_conflict':
      context.problems.fail(action.path, failure);
      break;
    case 'fork_full':
      context.problems.fail(action.path, {
        ...failure,
        awaitsRoom: true,
        cause: `The run is full: ${refusal.message}.`,
        next: 'Exclude generated files with a .mooringignore in the folder of the run, or delete files there; Mooring retries automatically.',
      });
      break;
    case 'workspace_not_found':
      throw new Error('the workspace is deleted');
  }
}
