// Mirrors of a workspace: manage, explain, verify, and resolve a halt; and their conflicts. Requires the owner's or a UI token, except `ofFiles`.
import { CallGroup, segment, timeText, workspaceRoute } from './call-group.ts';
import type {
  CallOptions,
  Conflict,
  ConflictDetail,
  ConflictResolveBody,
  ConflictResolved,
  Explanation,
  FileMirrors,
  HaltAnswerBody,
  HeldDeletions,
  Mirror,
  MirrorMode,
  MirrorPlan,
  MirrorProblems,
  MirrorProof,
  NewFolder,
  NewFolderCount,
  PathStates,
  ProofResult,
  RulePreview,
  SettleResult,
} from './types.ts';

/** Time that a call waits for its answer beyond the time limit in its request. */
const answerMarginMs = 15_000;

export class MirrorCalls extends CallGroup {
  async list(workspaceId: string, options?: CallOptions): Promise<Mirror[]> {
    return (await this.transport.get<{ mirrors: Mirror[] }>(workspaceRoute(workspaceId, 'mirrors'), options))
      .mirrors;
  }

  /** The mirrors and conflicts of the files that the token may read. Requires only `fs:read`. */
  async ofFiles(workspaceId: string, options?: CallOptions): Promise<FileMirrors> {
    return await this.transport.get(workspaceRoute(workspaceId, 'fs/mirrors'), options);
  }

  /** A folder of the agent's machine before it is mirrored: may it be, and which folders complete its path? `~/` is the user's home. */
  async lookAt(path: string, options?: CallOptions): Promise<NewFolder> {
    return await this.transport.get('/v1/folders', options, { path });
  }

  /** The files of such a folder. Aborting the call ends the count. */
  async countFiles(path: string, options?: CallOptions): Promise<NewFolderCount> {
    return await this.transport.get('/v1/folders/count', options, { path });
  }

  /**
   * `dir` is an absolute path on the agent's machine. It is created if missing, and the first sync only adds files. CloudFolderError:
   * another sync program manages it. `acceptCloudFolder` mirrors it anyway.
   */
  async add(
    workspaceId: string,
    dir: string,
    options: CallOptions & {
      readonly mode?: MirrorMode;
      readonly path?: string;
      readonly acceptCloudFolder?: boolean;
    } = {},
  ): Promise<Mirror> {
    const { mode, path, acceptCloudFolder } = options;
    const route = workspaceRoute(workspaceId, 'mirrors');
    const body = { dir, mode, path, acceptCloudFolder };
    return await this.transport.post(route, options, body);
  }

  /** Keeps the files of the folder. */
  async remove(workspaceId: string, mirrorId: string, options?: CallOptions): Promise<void> {
    await this.transport.delete(mirrorRoute(workspaceId, mirrorId), options);
  }

  /** `until`: when it resumes, also after a restart of the agent, within 366 days; omitted: when it is resumed. */
  async pause(
    workspaceId: string,
    mirrorId: string,
    options: CallOptions & { readonly until?: string | Date } = {},
  ): Promise<Mirror> {
    const until = timeText(options.until);
    const body = until === undefined ? undefined : { until };
    return await this.transport.post(mirrorRoute(workspaceId, mirrorId, 'pause'), options, body);
  }

  async resume(workspaceId: string, mirrorId: string, options?: CallOptions): Promise<Mirror> {
    return await this.transport.post(mirrorRoute(workspaceId, mirrorId, 'resume'), options);
  }

  /** Scans, and answers when every change made before the call is synced, or after `timeoutMs`. */
  async waitUntilSynced(
    input: { readonly workspaceId?: string; readonly timeoutMs?: number } = {},
    options: CallOptions = {},
  ): Promise<SettleResult> {
    const timeoutMs = options.timeoutMs ?? (input.timeoutMs ?? 60_000) + answerMarginMs;
    const call = { ...options, timeoutMs };
    return await this.transport.postSafe('/v1/agent/settle', call, input);
  }

  /** The next sync actions of the mirror. */
  async plan(workspaceId: string, mirrorId: string, options?: CallOptions): Promise<MirrorPlan> {
    return await this.transport.get(mirrorRoute(workspaceId, mirrorId, 'plan'), options);
  }

  /** One page of problems in the order of causes and paths. `kind`: only this cause. */
  async problems(
    workspaceId: string,
    mirrorId: string,
    options: CallOptions & {
      readonly kind?: string;
      readonly cursor?: string;
      readonly limit?: number;
    } = {},
  ): Promise<MirrorProblems> {
    const { kind, cursor, limit } = options;
    const route = mirrorRoute(workspaceId, mirrorId, 'problems');
    return await this.transport.get(route, options, { kind, cursor, limit });
  }

  /** The sync state of at most 1,000 paths. A directory has the most severe state below it. */
  async pathStates(
    workspaceId: string,
    paths: readonly string[],
    options?: CallOptions,
  ): Promise<PathStates['states']> {
    const route = workspaceRoute(workspaceId, 'mirrors/path-states');
    return (await this.transport.postSafe<PathStates>(route, options, { paths })).states;
  }

  /** The sync state of a path in each mirror that includes it, and its history. */
  async explain(workspaceId: string, path: string, options?: CallOptions): Promise<Explanation> {
    return await this.transport.get(workspaceRoute(workspaceId, 'explain'), options, { path });
  }

  /** The latest proof. */
  async proof(workspaceId: string, mirrorId: string, options?: CallOptions): Promise<MirrorProof> {
    return await this.transport.get(mirrorRoute(workspaceId, mirrorId, 'proof'), options);
  }

  /** Hashes the whole folder and compares it with the workspace. Answers at the end, or after `timeoutMs`. */
  async prove(
    workspaceId: string,
    mirrorId: string,
    input: { readonly timeoutMs?: number } = {},
    options: CallOptions = {},
  ): Promise<ProofResult> {
    const route = mirrorRoute(workspaceId, mirrorId, 'proof');
    const timeoutMs = options.timeoutMs ?? (input.timeoutMs ?? 600_000) + answerMarginMs;
    const call = { ...options, timeoutMs };
    return await this.transport.postSafe(route, call, input);
  }

  /** The files that other ignore rules at the root of the folder would ignore. InvalidStateError: the mirror is paused. */
  async previewRules(
    workspaceId: string,
    mirrorId: string,
    rules: string,
    options?: CallOptions,
  ): Promise<RulePreview> {
    const route = mirrorRoute(workspaceId, mirrorId, 'rule-preview');
    return await this.transport.postSafe(route, options, { rules });
  }

  /** The deletions per minute above which the mirror halts. null: the default. */
  async setDeletionLimit(
    workspaceId: string,
    mirrorId: string,
    deletesPerMinuteMax: number | null,
    options?: CallOptions,
  ): Promise<Mirror> {
    const route = mirrorRoute(workspaceId, mirrorId);
    const body = { deletesPerMinuteMax };
    return await this.transport.patch(route, options, body);
  }

  /** One page of the deletions and truncations that a halted mirror has not applied to the workspace. */
  async pendingDeletions(
    workspaceId: string,
    mirrorId: string,
    options: CallOptions & { readonly cursor?: string; readonly limit?: number } = {},
  ): Promise<HeldDeletions> {
    const { cursor, limit } = options;
    return await this.transport.get(mirrorRoute(workspaceId, mirrorId, 'halt'), options, { cursor, limit });
  }

  /** `delete` includes the number of files that were listed. InvalidStateError: the number has changed. */
  async resolveHalt(
    workspaceId: string,
    mirrorId: string,
    input: HaltAnswerBody,
    options?: CallOptions,
  ): Promise<Mirror> {
    return await this.transport.post(mirrorRoute(workspaceId, mirrorId, 'halt'), options, input);
  }
}

function mirrorRoute(workspaceId: string, mirrorId: string, rest?: string): string {
  const mirror = `mirrors/${segment(mirrorId)}`;
  return workspaceRoute(workspaceId, rest === undefined ? mirror : `${mirror}/${rest}`);
}

export class ConflictCalls extends CallGroup {
  /** Conflicts of all mirrors of the workspace, oldest first. */
  async list(workspaceId: string, options?: CallOptions): Promise<Conflict[]> {
    const route = workspaceRoute(workspaceId, 'conflicts');
    return (await this.transport.get<{ conflicts: Conflict[] }>(route, options)).conflicts;
  }

  /** Both versions, their base and their merge. */
  async get(workspaceId: string, conflictId: string, options?: CallOptions): Promise<ConflictDetail> {
    const route = workspaceRoute(workspaceId, `conflicts/${segment(conflictId)}`);
    return await this.transport.get(route, options);
  }

  /** Pass `keep` or `merged`. RevisionConflictError: a version has another revision than `input` names. */
  async resolve(
    workspaceId: string,
    conflictId: string,
    input: ConflictResolveBody,
    options?: CallOptions,
  ): Promise<ConflictResolved> {
    const route = workspaceRoute(workspaceId, `conflicts/${segment(conflictId)}/resolve`);
    return await this.transport.post(route, options, input);
  }
}
