// Queries of runs: their list, their changes and the contents of these. Staged changes are no events, so open runs are polled.
import { keepPreviousData, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import {
  type FileRecord,
  type MooringClient,
  NotFoundError,
  type Run,
  type RunFolder,
} from '../../sdk/index.ts';
import { committedChanges, type RunChange, stagedChange } from '../model/runs/run-changes.ts';
import { isToReview } from '../model/runs/run-view.ts';
import { type LineCounts, lineCounts, parseUnifiedDiff } from '../model/text/unified-diff.ts';
import { pollOfEachMs } from './changed-lists.ts';
import type { PendingWork } from './pending-work.ts';
import { useServices, useStatus } from './services.ts';
import { useLiveRefresh } from './use-live-refresh.ts';

const listPollMs = 2_000;
const countPollMs = 5_000;
/** Of changes that are several pages. */
const longListPollMs = 10_000;
/** Runs of the list; older ones are not shown. */
export const runsMax = 200;
const changesPerPage = 1_000;
/** Changes of the list; a run has at most 10,000. */
const changesMax = 10_000;
/** Changes whose lines are counted, 20 a request. */
const countedChangesMax = 200;

/** The prefix of every query key of runs of a workspace. */
export function runsKey(workspaceId: string): readonly string[] {
  return ['runs', workspaceId];
}

/** Newest first. */
export function useRuns(workspaceId: string): UseQueryResult<readonly Run[]> {
  const { client } = useServices();
  useLiveRefresh(workspaceId, runsKey(workspaceId));
  return useQuery({
    queryKey: [...runsKey(workspaceId), 'list'],
    queryFn: async ({ signal }) => await readRuns(client, workspaceId, signal),
    refetchInterval: listPollMs,
  });
}

/** Runs to review, for the navigation. */
export function useRunsToReview(workspaceId: string | null): PendingWork {
  const { client } = useServices();
  const all = (useStatus()?.workspaces ?? []).map((workspace) => workspace.workspaceId);
  const shown = workspaceId === null ? all : [workspaceId];
  return useQueries({
    queries: shown.map((id) => ({
      queryKey: [...runsKey(id), 'list'],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => await readRuns(client, id, signal),
      refetchInterval: pollOfEachMs(shown.length, countPollMs),
      staleTime: pollOfEachMs(shown.length, countPollMs),
    })),
    combine: (results) =>
      new Map(
        results.flatMap(({ data = [] }) => {
          const [first] = data;
          return first === undefined ? [] : [[first.workspaceId, data.filter(isToReview).length] as const];
        }),
      ),
  });
}

async function readRuns(
  client: MooringClient,
  workspaceId: string,
  signal: AbortSignal,
): Promise<readonly Run[]> {
  return (await client.runs.list(workspaceId, { limit: runsMax, signal })).runs;
}

/** null: the run has no folder. */
export function useRunFolder(run: Run): UseQueryResult<RunFolder | null> {
  const { client } = useServices();
  return useQuery({
    queryKey: [...runsKey(run.workspaceId), 'folder', run.runId],
    enabled: run.state === 'open',
    queryFn: async ({ signal }) =>
      await client.runs.folder(run.workspaceId, run.runId, { signal }).catch((error: unknown) => {
        if (error instanceof NotFoundError) return null;
        throw error;
      }),
    // Its progress is no event.
    refetchInterval: listPollMs,
  });
}

export interface RunChanges {
  readonly changes: readonly RunChange[];
  /** A commit with it contains only these; 0: the run has ended. */
  readonly stagedRevision: number;
}

/** Staged changes of an open run, or what an ended run has committed. */
export function useRunChanges(run: Run): UseQueryResult<RunChanges> {
  const { client } = useServices();
  const isOpen = run.state === 'open';
  return useQuery({
    queryKey: [...changesKey(run), 'changes'],
    queryFn: async ({ signal }) =>
      isOpen
        ? await stagedChanges(client, run, signal)
        : { changes: await changesOfCommits(client, run, signal), stagedRevision: 0 },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      isOpen ? ((state.data?.changes.length ?? 0) > changesPerPage ? longListPollMs : listPollMs) : false,
    gcTime: 30_000,
  });
}

function changesKey({ workspaceId, runId, state, commits }: Run): readonly unknown[] {
  return [...runsKey(workspaceId), runId, state, commits.length];
}

async function stagedChanges(
  client: MooringClient,
  { workspaceId, forkId }: Run,
  signal: AbortSignal,
): Promise<RunChanges> {
  const options = { limit: changesPerPage, signal };
  let page = await client.forks.changes(workspaceId, forkId, options);
  // Of the first page: what is staged between two pages is not seen.
  const { stagedRevision } = page;
  const changes = page.changes.map(stagedChange);
  while (page.nextCursor !== null && changes.length < changesMax) {
    page = await client.forks.changes(workspaceId, forkId, { ...options, cursor: page.nextCursor });
    changes.push(...page.changes.map(stagedChange));
  }
  return { changes, stagedRevision };
}

async function changesOfCommits(
  client: MooringClient,
  { workspaceId, commits }: Run,
  signal: AbortSignal,
): Promise<readonly RunChange[]> {
  const changes: RunChange[] = [];
  for (const { batch } of commits) {
    const entries = [];
    const options = { batch, limit: changesPerPage, signal };
    for await (const entry of client.history.entries(workspaceId, '/', options)) {
      entries.push(entry);
      if (entries.length === changesMax) break;
    }
    changes.push(...committedChanges(entries));
  }
  return changes;
}

/** Lines of the staged changes by path, of the first 200. */
export function useStagedLines(run: Run, changes: readonly RunChange[]): ReadonlyMap<string, LineCounts> {
  const { client } = useServices();
  const { workspaceId, forkId } = run;
  const contents = changes
    .slice(0, countedChangesMax)
    .map(({ before, contentHash }) => `${before ?? ''}:${contentHash.slice(0, 8)}`)
    .join(' ');
  const { data } = useQuery({
    // Not below `runsKey`: they depend on the contents alone, and an event of the workspace changes none.
    queryKey: ['run-lines', workspaceId, forkId, changes.length, contents],
    queryFn: async ({ signal }) => {
      const counts = new Map<string, LineCounts>();
      let taken = 0;
      for await (const { path, diff } of client.forks.staged(workspaceId, forkId, { patch: true, signal })) {
        if (diff?.kind === 'text' && diff.patch !== undefined)
          counts.set(path, lineCounts(parseUnifiedDiff(diff.patch)));
        taken += 1;
        if (taken === countedChangesMax) break;
      }
      return counts;
    },
    enabled: changes.length > 0 && run.state === 'open',
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
  return data ?? noLines;
}

const noLines: ReadonlyMap<string, LineCounts> = new Map();

export interface ChangedVersions {
  readonly before: FileRecord | null;
  readonly after: FileRecord | null;
}

/** Both versions of one change. */
export function useChangedVersions(run: Run, change: RunChange): UseQueryResult<ChangedVersions> {
  const { client } = useServices();
  const isOpen = run.state === 'open';
  return useQuery({
    queryKey: [...changesKey(run), 'versions', change],
    queryFn: async ({ signal }) =>
      isOpen
        ? await stagedVersions(client, run, change, signal)
        : await committedVersions(client, run, change, signal),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
}

/** Both versions that a decision chooses from: `before` the workspace's, `after` the other one. */
export function useDecidedVersions(run: Run, change: RunChange): UseQueryResult<ChangedVersions> {
  const { client } = useServices();
  return useQuery({
    queryKey: [...changesKey(run), 'decided', change],
    queryFn: async ({ signal }) => {
      const [now, versions] = await Promise.all([
        existing(client.readFile(run.workspaceId, change.path, { signal })),
        run.state === 'open'
          ? stagedVersions(client, run, change, signal)
          : committedVersions(client, run, change, signal),
      ]);
      return { before: now, after: run.state === 'open' ? versions.after : versions.before };
    },
    gcTime: 0,
  });
}

async function stagedVersions(
  client: MooringClient,
  { workspaceId, forkId }: Run,
  { path, before, kind }: RunChange,
  signal: AbortSignal,
): Promise<ChangedVersions> {
  const [old, fresh] = await Promise.all([
    before === null ? null : existing(client.readFile(workspaceId, path, { revision: before, signal })),
    kind === 'deleted' ? null : client.readFile(workspaceId, path, { forkId, signal }),
  ]);
  return { before: old, after: fresh };
}

async function committedVersions(
  client: MooringClient,
  { workspaceId }: Run,
  { path, after }: RunChange,
  signal: AbortSignal,
): Promise<ChangedVersions> {
  if (after === null) return { before: null, after: null };
  const { from, to } = await client.history.diff(workspaceId, path, { to: after, signal });
  const [old, fresh] = await Promise.all(
    [from, to].map(async (version) =>
      version === null
        ? null
        : await existing(client.readFile(workspaceId, path, { revision: version.revision, signal })),
    ),
  );
  return { before: old ?? null, after: fresh ?? null };
}

/** null: it is no longer retained. */
async function existing(file: Promise<FileRecord>): Promise<FileRecord | null> {
  try {
    return await file;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
