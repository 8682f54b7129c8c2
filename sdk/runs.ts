// Runs: changes in a fork that are reviewed, committed wholly or in part, discarded, or undone later as one. Files of a run are read
// and written with its `forkId` (files.ts), its changes listed by `forks.staged`.
import { CallGroup, pagesOf, segment, workspaceRoute } from './call-group.ts';
import type {
  CallOptions,
  CommitRunBody,
  CreateRunBody,
  IgnoredChange,
  IgnoredChanges,
  IgnoredChangesOptions,
  Run,
  RunCommitted,
  RunFolder,
  RunFolderBody,
  RunFolderSyncBody,
  RunFolderSynced,
  RunList,
  RunSummary,
  RunSummaryOptions,
  RunsOptions,
  RunUndone,
  UndoRunBody,
} from './types.ts';

/** Time that a call waits for its answer beyond the time limit in its request. */
const answerMarginMs = 15_000;

export class RunCalls extends CallGroup {
  async create(workspaceId: string, input: CreateRunBody = {}, options?: CallOptions): Promise<Run> {
    return await this.transport.post(workspaceRoute(workspaceId, 'runs'), options, input);
  }

  /** One page, newest first. */
  async list(workspaceId: string, options: RunsOptions = {}): Promise<RunList> {
    const { cursor, limit } = options;
    return await this.transport.get(workspaceRoute(workspaceId, 'runs'), options, { cursor, limit });
  }

  /** All runs, newest first. */
  async *all(workspaceId: string, options: RunsOptions = {}): AsyncGenerator<Run, void, undefined> {
    const readPage = async (page: RunsOptions) => await this.list(workspaceId, page);
    for await (const { runs } of pagesOf(readPage, options)) yield* runs;
  }

  /** NotFoundError: unknown, or not visible to the token. */
  async get(workspaceId: string, runId: string, options?: CallOptions): Promise<Run> {
    return await this.transport.get(runRoute(workspaceId, runId), options);
  }

  /** Files and lines that a commit would change: of all changes, or of those that `glob` matches. */
  async summary(
    workspaceId: string,
    runId: string,
    { glob, ...options }: RunSummaryOptions = {},
  ): Promise<RunSummary> {
    return await this.transport.get(runRoute(workspaceId, runId, '/summary'), options, { glob });
  }

  /**
   * Commits all changes, or those that `paths` match. RunConflictError: decide on its conflicts. StagedChangedError: there are changes after
   * `stagedRevision`. Nothing was changed then.
   */
  async commit(
    workspaceId: string,
    runId: string,
    input: CommitRunBody = {},
    options?: CallOptions,
  ): Promise<RunCommitted> {
    return await this.transport.post(runRoute(workspaceId, runId, '/commit'), options, input);
  }

  /** Reverts all commits of the run. RunConflictError: decide on its conflicts; nothing was changed. */
  async undo(
    workspaceId: string,
    runId: string,
    input: UndoRunBody = {},
    options?: CallOptions,
  ): Promise<RunUndone> {
    return await this.transport.post(runRoute(workspaceId, runId, '/undo'), options, input);
  }

  /** Shows the run in a folder, which is synced with it both ways. `dir`: an empty or missing folder. Owner or UI token only. */
  async openFolder(
    workspaceId: string,
    runId: string,
    input: RunFolderBody = {},
    options?: CallOptions,
  ): Promise<RunFolder> {
    return await this.transport.post(runRoute(workspaceId, runId, '/folder'), options, input);
  }

  /** NotFoundError: the run has no folder. */
  async folder(workspaceId: string, runId: string, options?: CallOptions): Promise<RunFolder> {
    return await this.transport.get(runRoute(workspaceId, runId, '/folder'), options);
  }

  /** Waits until the folder and the run are in sync, up to `timeoutMs` (60 s if absent). */
  async syncFolder(
    workspaceId: string,
    runId: string,
    input: RunFolderSyncBody = {},
    options: CallOptions = {},
  ): Promise<RunFolderSynced> {
    const timeoutMs = options.timeoutMs ?? (input.timeoutMs ?? 60_000) + answerMarginMs;
    const route = runRoute(workspaceId, runId, '/folder/sync');
    return await this.transport.postSafe(route, { ...options, timeoutMs }, input);
  }

  /** One page of what a command did in the folder to files that no mirror syncs, such as those of `.git`: not a part of the changes.
   * NotFoundError: nothing was copied into the folder. */
  async ignoredPage(
    workspaceId: string,
    runId: string,
    { cursor, limit, patch, ...options }: IgnoredChangesOptions = {},
  ): Promise<IgnoredChanges> {
    const query = { cursor, limit, patch: patch === true ? 'true' : undefined };
    return await this.transport.get(runRoute(workspaceId, runId, '/folder/ignored'), options, query);
  }

  /** All of them, in the order of their paths. */
  async *ignored(
    workspaceId: string,
    runId: string,
    options: IgnoredChangesOptions = {},
  ): AsyncGenerator<IgnoredChange, void, undefined> {
    const readPage = async (query: IgnoredChangesOptions) =>
      await this.ignoredPage(workspaceId, runId, query);
    for await (const { changes } of pagesOf(readPage, options)) yield* changes;
  }

  /** Deletes the staged changes. Repeating it has no effect. */
  async discard(workspaceId: string, runId: string, options?: CallOptions): Promise<void> {
    const route = runRoute(workspaceId, runId);
    await this.transport.call({ method: 'DELETE', route, safe: true, call: options });
  }
}

function runRoute(workspaceId: string, runId: string, rest = ''): string {
  return workspaceRoute(workspaceId, `runs/${segment(runId)}${rest}`);
}
