// changes: a run of the agent: begins it, shows what it staged, commits all or some of it as one change, or discards it.

import { type ForkChange, type Run, RunConflictError, type RunSummary } from '../../../sdk/index.ts';
import { changesSpec, type OutputOf } from '../../contract/mcp.ts';
import { budgetOf, fitting } from '../answer-size.ts';
import {
  conflictCharactersMax,
  listedPathsMax,
  stagedChangesPerAnswerMax,
  stagedPatchesPerAnswerMax,
} from '../limits.ts';
import type { ToolCall } from '../session.ts';
import { requireConfirmation } from '../staged-changes.ts';
import { cut, ToolError } from '../tool-error.ts';
import { defineTool } from './tool.ts';

type Output = OutputOf<typeof changesSpec>;

export const changes = defineTool(changesSpec, async (input, call) => {
  const { action, runId, name } = input;
  if (action === 'begin') return begun(await begin(call, name));
  if (runId === undefined)
    throw new ToolError('bad_request', 'runId is missing', 'Pass the runId of action begin, or begin a run.');
  switch (action) {
    case 'show':
      return await show(call, runId, input);
    case 'commit':
      return await commit(call, runId, input);
    case 'discard':
      return await discard(call, runId, input.confirm);
    default:
      throw new ToolError('bad_request', `unknown action ${action}`, 'Use begin, show, commit or discard.');
  }
});

async function begin({ client, session, signal }: ToolCall, name: string | undefined): Promise<Run> {
  const [root = '/', ...others] = session.roots;
  const path = others.length === 0 ? root : '/';
  return await client.runs.create(
    session.workspaceId,
    { path, ...(name === undefined ? {} : { name }) },
    { signal },
  );
}

function begun({ runId, state, name }: Run): Output {
  return { runId, state, name, changes: [], truncated: false };
}

interface ShowInput {
  readonly diff?: boolean;
  readonly cursor?: string;
  readonly maxCharacters?: number;
}

async function show(call: ToolCall, runId: string, input: ShowInput): Promise<Output> {
  const { client, session, signal } = call;
  const { workspaceId } = session;
  const run = await client.runs.get(workspaceId, runId, { signal });
  const ended = { ...begun(run), batches: run.commits.map(({ batch }) => batch) };
  if (run.state !== 'open') return ended;
  const budget = budgetOf(input.maxCharacters);
  const page = await client.forks.changes(workspaceId, run.forkId, {
    limit: input.diff === true ? stagedPatchesPerAnswerMax : stagedChangesPerAnswerMax,
    signal,
    ...(input.diff === true ? { patch: true } : {}),
    ...(input.cursor === undefined ? {} : { cursor: input.cursor }),
  });
  const changes = page.changes.map((change) => shown(change, budget));
  const fits = fitting(changes, budget);
  const nextCursor = fits.length < changes.length ? (fits.at(-1)?.path ?? null) : page.nextCursor;
  return {
    ...ended,
    summary: countsOf(await client.runs.summary(workspaceId, runId, { signal })),
    changes: [...fits],
    truncated: nextCursor !== null || fits.some(({ diffTruncated }) => diffTruncated === true),
    ...(nextCursor === null ? {} : { nextCursor }),
  };
}

/** Half of an answer at most is the diff of one file. */
function shown({ path, forkType, conflicts, diff }: ForkChange, budget: number): Output['changes'][number] {
  const patch = diff?.patch;
  if (patch === undefined) return { path, type: forkType, conflict: conflicts };
  const part = cut(patch, Math.floor(budget / 2));
  const isCut = part.length < patch.length ? { diffTruncated: true } : {};
  return { path, type: forkType, conflict: conflicts, diff: part, ...isCut };
}

function countsOf(summary: RunSummary) {
  const { createdCount, updatedCount, deletedCount, movedCount, conflictCount, addedLines, removedLines } =
    summary;
  return {
    created: createdCount,
    updated: updatedCount,
    deleted: deletedCount,
    moved: movedCount,
    conflicts: conflictCount,
    addedLines,
    removedLines,
  };
}

interface CommitInput {
  readonly paths?: string[];
  readonly decisions?: { path: string; take: string; revision?: string }[];
  readonly confirm?: boolean;
}

async function commit(call: ToolCall, runId: string, input: CommitInput): Promise<Output> {
  const { client, session, signal } = call;
  const { workspaceId } = session;
  const { paths, decisions } = input;
  const { updatedCount, deletedCount, movedCount } = await client.runs.summary(workspaceId, runId, {
    signal,
    ...(paths === undefined ? {} : { glob: paths }),
  });
  requireConfirmation(updatedCount + deletedCount + movedCount, input.confirm, 'overwrite, delete or move');
  const body = {
    ...(paths === undefined ? {} : { paths }),
    ...(decisions === undefined ? {} : { decisions: decisions.map(decisionOf) }),
  };
  // Without the signal: a commit that has begun is answered by its result.
  const committed = await client.runs.commit(workspaceId, runId, body).catch((error: unknown) => {
    throw error instanceof RunConflictError ? undecided(error) : error;
  });
  const { run, revision, mergedPaths } = committed;
  return {
    ...begun(run),
    batches: run.commits.map(({ batch }) => batch),
    revision,
    written: committed.writtenCount,
    removed: committed.deletedCount,
    merged: mergedPaths.slice(0, listedPathsMax),
    truncated: mergedPaths.length > listedPathsMax,
  };
}

function decisionOf({ path, take, revision }: { path: string; take: string; revision?: string }) {
  const side: 'run' | 'workspace' = take === 'run' ? 'run' : 'workspace';
  return { path, take: side, ...(revision === undefined ? {} : { revision }) };
}

function undecided(error: RunConflictError): ToolError {
  const { conflicts, message, correlationId } = error;
  return new ToolError(
    'run_conflict',
    message,
    'Read both versions (read_file with and without runId), then commit with decisions: path, take run or workspace, and this revision.',
    {
      count: conflicts.length,
      conflicts: fitting(conflicts.slice(0, listedPathsMax), conflictCharactersMax),
      correlationId,
    },
  );
}

async function discard(call: ToolCall, runId: string, confirm: boolean | undefined): Promise<Output> {
  const { client, session, signal } = call;
  const run = await client.runs.get(session.workspaceId, runId, { signal });
  requireConfirmation(run.writtenCount + run.deletedCount, confirm, 'discard');
  await client.runs.discard(session.workspaceId, runId, { signal });
  return begun({ ...run, state: run.state === 'open' ? 'discarded' : run.state });
}
