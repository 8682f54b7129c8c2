// Mirrors of a workspace: manage, explain, verify, and resolve a halt. Requires the owner's or a UI token.
import { workspaceRoute } from './routes.ts';
import type { Transport } from './transport.ts';
import type {
  CallOptions,
  Explanation,
  HaltAnswerBody,
  HeldDeletions,
  Mirror,
  MirrorMode,
  MirrorPlan,
  MirrorProblems,
  MirrorProof,
  PathStates,
  ProofResult,
  RulePreview,
  SettleResult,
} from './types.ts';

/** Time that a call waits for its answer beyond the time limit in its request. */
const answerMarginMs = 15_000;

export class MirrorCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list(workspaceId: string, options?: CallOptions): Promise<Mirror[]> {
    const request = { method: 'GET', route: workspaceRoute(workspaceId, 'mirrors'), call: options } as const;
    return (await this.#transport.call<{ mirrors: Mirror[] }>(request)).mirrors;
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
    return await this.#transport.call({ method: 'POST', route, body, call: options });
  }

  /** Keeps the files of the folder. */
  async remove(workspaceId: string, mirrorId: string, options?: CallOptions): Promise<void> {
    const route = mirrorRoute(workspaceId, mirrorId);
    await this.#transport.call({ method: 'DELETE', route, call: options });
  }

  async pause(workspaceId: string, mirrorId: string, options?: CallOptions): Promise<Mirror> {
    const route = mirrorRoute(workspaceId, mirrorId, 'pause');
    return await this.#transport.call({ method: 'POST', route, call: options });
  }

  async resume(workspaceId: string, mirrorId: string, options?: CallOptions): Promise<Mirror> {
    const route = mirrorRoute(workspaceId, mirrorId, 'resume');
    return await this.#transport.call({ method: 'POST', route, call: options });
  }

  /** Scans, and answers when every change made before the call is synced, or after `timeoutMs`. */
  async waitUntilSynced(
    input: { readonly workspaceId?: string; readonly timeoutMs?: number } = {},
    options: CallOptions = {},
  ): Promise<SettleResult> {
    const timeoutMs = options.timeoutMs ?? (input.timeoutMs ?? 60_000) + answerMarginMs;
    const call = { ...options, timeoutMs };
    const route = '/v1/agent/settle';
    return await this.#transport.call({ method: 'POST', route, body: input, safe: true, call });
  }

  /** The next sync actions of the mirror. */
  async plan(workspaceId: string, mirrorId: string, options?: CallOptions): Promise<MirrorPlan> {
    const route = mirrorRoute(workspaceId, mirrorId, 'plan');
    return await this.#transport.call({ method: 'GET', route, call: options });
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
    return await this.#transport.call({
      method: 'GET',
      route,
      query: { kind, cursor, limit },
      call: options,
    });
  }

  /** The sync state of at most 1,000 paths. A directory has the most severe state below it. */
  async pathStates(
    workspaceId: string,
    paths: readonly string[],
    options?: CallOptions,
  ): Promise<PathStates['states']> {
    const route = workspaceRoute(workspaceId, 'mirrors/path-states');
    const request = { method: 'POST', route, body: { paths }, safe: true, call: options } as const;
    return (await this.#transport.call<PathStates>(request)).states;
  }

  /** The sync state of a path in each mirror that includes it, and its history. */
  async explain(workspaceId: string, path: string, options?: CallOptions): Promise<Explanation> {
    const route = workspaceRoute(workspaceId, 'explain');
    return await this.#transport.call({ method: 'GET', route, query: { path }, call: options });
  }

  /** The latest proof. */
  async proof(workspaceId: string, mirrorId: string, options?: CallOptions): Promise<MirrorProof> {
    const route = mirrorRoute(workspaceId, mirrorId, 'proof');
    return await this.#transport.call({ method: 'GET', route, call: options });
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
    return await this.#transport.call({ method: 'POST', route, body: input, safe: true, call });
  }

  /** The files that other ignore rules at the root of the folder would ignore. InvalidStateError: the mirror is paused. */
  async previewRules(
    workspaceId: string,
    mirrorId: string,
    rules: string,
    options?: CallOptions,
  ): Promise<RulePreview> {
    const route = mirrorRoute(workspaceId, mirrorId, 'rule-preview');
    return await this.#transport.call({ method: 'POST', route, body: { rules }, safe: true, call: options });
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
    return await this.#transport.call({ method: 'PATCH', route, body, call: options });
  }

  /** One page of the deletions and truncations that a halted mirror has not applied to the workspace. */
  async pendingDeletions(
    workspaceId: string,
    mirrorId: string,
    options: CallOptions & { readonly cursor?: string; readonly limit?: number } = {},
  ): Promise<HeldDeletions> {
    const { cursor, limit } = options;
    const route = mirrorRoute(workspaceId, mirrorId, 'halt');
    return await this.#transport.call({ method: 'GET', route, query: { cursor, limit }, call: options });
  }

  /** `delete` includes the number of files that were listed. InvalidStateError: the number has changed. */
  async resolveHalt(
    workspaceId: string,
    mirrorId: string,
    input: HaltAnswerBody,
    options?: CallOptions,
  ): Promise<Mirror> {
    const route = mirrorRoute(workspaceId, mirrorId, 'halt');
    return await this.#transport.call({ method: 'POST', route, body: input, call: options });
  }
}

function mirrorRoute(workspaceId: string, mirrorId: string, rest?: string): string {
  const mirror = `mirrors/${encodeURIComponent(mirrorId)}`;
  return workspaceRoute(workspaceId, rest === undefined ? mirror : `${mirror}/${rest}`);
}
