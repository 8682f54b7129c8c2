// Calls about mirrors: adding and removing them, what they would do and why, what one holds back, and conflicts. They need the
// owner's or the UI's token.
import { workspaceRoute } from './routes.ts';
import type { RequestInput, Transport } from './transport.ts';
import type {
  CallOptions,
  Conflict,
  ConflictDetail,
  ConflictResolveBody,
  ConflictResolved,
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
} from './types.ts';

/** An answer to a call with a time limit of its own comes this much after it at the latest. */
export const answerMarginMs = 15_000;

const segment = encodeURIComponent;

export class MirrorCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  readonly mirrors = {
    list: async (workspaceId: string, options?: CallOptions): Promise<Mirror[]> => {
      const call = { method: 'GET', route: workspaceRoute(workspaceId, 'mirrors'), call: options } as const;
      return (await this.#call<{ mirrors: Mirror[] }>(call)).mirrors;
    },
    /**
     * `dir` is an absolute path on the agent's machine; it is created when missing and, on first contact, only added to. CloudFolderError:
     * another sync program manages it; `acceptCloudFolder` mirrors it anyway.
     */
    add: async (
      workspaceId: string,
      dir: string,
      options: CallOptions & {
        readonly mode?: MirrorMode;
        readonly path?: string;
        readonly acceptCloudFolder?: boolean;
      } = {},
    ): Promise<Mirror> =>
      await this.#call({
        method: 'POST',
        route: workspaceRoute(workspaceId, 'mirrors'),
        body: {
          dir,
          mode: options.mode,
          path: options.path,
          acceptCloudFolder: options.acceptCloudFolder,
        },
        call: options,
      }),
    /** Leaves the folder's files. */
    remove: async (workspaceId: string, mirrorId: string, options?: CallOptions): Promise<void> => {
      const route = workspaceRoute(workspaceId, `mirrors/${segment(mirrorId)}`);
      await this.#call({ method: 'DELETE', route, call: options });
    },
    /** What it would do now and why; nothing is done. */
    plan: async (workspaceId: string, mirrorId: string, options?: CallOptions): Promise<MirrorPlan> => {
      const route = workspaceRoute(workspaceId, `mirrors/${segment(mirrorId)}/plan`);
      return await this.#call({ method: 'GET', route, call: options });
    },
    /** A page of what it does not sync and why, in the order of causes and paths; go on with `nextCursor`. `kind`: of this cause only. */
    problems: async (
      workspaceId: string,
      mirrorId: string,
      options: CallOptions & {
        readonly kind?: string;
        readonly cursor?: string;
        readonly limit?: number;
      } = {},
    ): Promise<MirrorProblems> => {
      const route = workspaceRoute(workspaceId, `mirrors/${segment(mirrorId)}/problems`);
      const { kind, cursor, limit } = options;
      const query = {
        ...(kind === undefined ? {} : { kind }),
        ...(cursor === undefined ? {} : { cursor }),
        ...(limit === undefined ? {} : { limit: String(limit) }),
      };
      return await this.#call({ method: 'GET', route, query, call: options });
    },
    /** Whether each of these paths (1,000 at most) is in step, on its way, or cannot be carried; a directory as the worst below it. */
    pathStates: async (
      workspaceId: string,
      paths: readonly string[],
      options?: CallOptions,
    ): Promise<PathStates['states']> => {
      const route = workspaceRoute(workspaceId, 'mirrors/path-states');
      const call = { method: 'POST', route, body: { paths }, safe: true, call: options } as const;
      return (await this.#call<PathStates>(call)).states;
    },
    /** Whether it is proved equal, as it is known. */
    proof: async (workspaceId: string, mirrorId: string, options?: CallOptions): Promise<MirrorProof> => {
      const route = workspaceRoute(workspaceId, `mirrors/${segment(mirrorId)}/proof`);
      return await this.#call({ method: 'GET', route, call: options });
    },
    /** Hashes the whole folder and compares it with the workspace; answers when that is done, or when the time is up. */
    prove: async (
      workspaceId: string,
      mirrorId: string,
      input: { readonly timeoutMs?: number } = {},
      options: CallOptions = {},
    ): Promise<ProofResult> => {
      const route = workspaceRoute(workspaceId, `mirrors/${segment(mirrorId)}/proof`);
      const timeoutMs = options.timeoutMs ?? (input.timeoutMs ?? 600_000) + answerMarginMs;
      const call = { ...options, timeoutMs };
      return await this.#call({ method: 'POST', route, body: input, safe: true, call });
    },
    /** How many deletions a minute it believes before it halts and asks; null: the usual number. */
    setGuard: async (
      workspaceId: string,
      mirrorId: string,
      deletesPerMinuteMax: number | null,
      options?: CallOptions,
    ): Promise<Mirror> => {
      const route = workspaceRoute(workspaceId, `mirrors/${segment(mirrorId)}`);
      return await this.#call({ method: 'PATCH', route, body: { deletesPerMinuteMax }, call: options });
    },
    /** What other ignore rules at the root of its folder would leave out. Nothing is written. InvalidStateError: it is paused. */
    previewRules: async (
      workspaceId: string,
      mirrorId: string,
      rules: string,
      options?: CallOptions,
    ): Promise<RulePreview> => {
      const route = workspaceRoute(workspaceId, `mirrors/${segment(mirrorId)}/rule-preview`);
      return await this.#call({ method: 'POST', route, body: { rules }, safe: true, call: options });
    },
    pause: async (workspaceId: string, mirrorId: string, options?: CallOptions): Promise<Mirror> => {
      const route = workspaceRoute(workspaceId, `mirrors/${segment(mirrorId)}/pause`);
      return await this.#call({ method: 'POST', route, call: options });
    },
    resume: async (workspaceId: string, mirrorId: string, options?: CallOptions): Promise<Mirror> => {
      const route = workspaceRoute(workspaceId, `mirrors/${segment(mirrorId)}/resume`);
      return await this.#call({ method: 'POST', route, call: options });
    },
  };

  /** Why a path is as it is, in every mirror that shows it, and who did what to it. */
  async explain(workspaceId: string, path: string, options?: CallOptions): Promise<Explanation> {
    const route = workspaceRoute(workspaceId, 'explain');
    return await this.#call({ method: 'GET', route, query: { path }, call: options });
  }

  /** What a halted mirror holds back, and its two answers. */
  readonly halts = {
    /** A page of the files that would be deleted in the workspace; go on with `nextCursor`. */
    show: async (
      workspaceId: string,
      mirrorId: string,
      options: CallOptions & { readonly cursor?: string; readonly limit?: number } = {},
    ): Promise<HeldDeletions> => {
      const route = workspaceRoute(workspaceId, `mirrors/${segment(mirrorId)}/halt`);
      const { cursor, limit } = options;
      const query = {
        ...(cursor === undefined ? {} : { cursor }),
        ...(limit === undefined ? {} : { limit: String(limit) }),
      };
      return await this.#call({ method: 'GET', route, query, call: options });
    },
    /** `delete` names how many files were shown: InvalidStateError when it is another number by now. */
    answer: async (
      workspaceId: string,
      mirrorId: string,
      input: HaltAnswerBody,
      options?: CallOptions,
    ): Promise<Mirror> => {
      const route = workspaceRoute(workspaceId, `mirrors/${segment(mirrorId)}/halt`);
      return await this.#call({ method: 'POST', route, body: input, call: options });
    },
  };

  /** Files of which the folder and the workspace hold two versions. */
  readonly conflicts = {
    /** Oldest first, of all mirrors of the workspace. */
    list: async (workspaceId: string, options?: CallOptions): Promise<Conflict[]> => {
      const call = { method: 'GET', route: workspaceRoute(workspaceId, 'conflicts'), call: options } as const;
      return (await this.#call<{ conflicts: Conflict[] }>(call)).conflicts;
    },
    /** Both versions, what they came from, and their merge. */
    get: async (workspaceId: string, conflictId: string, options?: CallOptions): Promise<ConflictDetail> => {
      const route = workspaceRoute(workspaceId, `conflicts/${segment(conflictId)}`);
      return await this.#call({ method: 'GET', route, call: options });
    },
    /** Give `keep` or `merged`. RevisionConflictError: a version has changed since the revision that you name. */
    resolve: async (
      workspaceId: string,
      conflictId: string,
      input: ConflictResolveBody,
      options?: CallOptions,
    ): Promise<ConflictResolved> => {
      const route = workspaceRoute(workspaceId, `conflicts/${segment(conflictId)}/resolve`);
      return await this.#call({ method: 'POST', route, body: input, call: options });
    },
  };

  async #call<T>(input: RequestInput): Promise<T> {
    return (await this.#transport.json<T>(input)).body;
  }
}
