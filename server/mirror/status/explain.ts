// Why a path is as it is in one mirror: what stands on both sides and in the base, the rule that this falls under, and what is in
// its way. Reads only what the mirror knows; no I/O.
import { ancestorsOf } from '../../core/paths/path.ts';
import { ruleOf, ruleText, type SyncRule } from '../../core/sync/rules.ts';
import type { FolderEntry } from '../../disk/port/folder.ts';
import type { MirrorRow } from '../../store/port/store.ts';
import type { SyncSession } from '../cycle/session.ts';
import type { WorkspaceFile } from '../state/trees.ts';
import { notDurableReason, problemReason, type StateReason } from './reasons.ts';

export type ExplainedState =
  /** In step. */
  | 'same'
  /** To be carried over by the rule. */
  | 'on_its_way'
  /** Being written right now. */
  | 'settling'
  /** Could not be done; tried again. */
  | 'waiting'
  | 'conflict'
  /** A one-way mirror leaves it as it is. */
  | 'kept'
  | 'ignored'
  /** One of the sides cannot hold or read it. */
  | 'not_mirrored'
  | 'absent'
  /** Paused, halted before the first look, or in error: nothing is known. */
  | 'unknown';

export interface Explained {
  readonly row: MirrorRow;
  readonly state: ExplainedState;
  readonly rule: SyncRule | null;
  readonly text: string;
  readonly base: { readonly hash: string; readonly revision: number } | null;
  readonly folder: FolderEntry | null;
  readonly workspace: WorkspaceFile | null;
  readonly problem: {
    readonly kind: string;
    readonly cause: string;
    readonly next: string;
    readonly retryAtMs: number | null;
  } | null;
}

/** `path` counts from the mirror's root. */
export function explain(row: MirrorRow, session: SyncSession | null, path: string): Explained {
  if (session === null || !session.hasScanned) {
    const text = row.paused ? 'The mirror is paused and does not look.' : 'The mirror has not looked yet.';
    return {
      row,
      state: 'unknown',
      rule: null,
      text,
      base: null,
      folder: null,
      workspace: null,
      problem: null,
    };
  }
  const { trees } = session;
  const base = trees.baseAt(path);
  const folder = trees.localAt(path);
  const workspace = trees.workspaceAt(path);
  const rule = ruleOf({
    base: base?.hash ?? null,
    folder: folder?.kind === 'file' ? folder.hash : null,
    workspace: workspace?.hash ?? null,
  });
  const problem = problemOf(session, path);
  const state = stateOf(session, path, rule, problem?.kind ?? null);
  return {
    row,
    state,
    rule,
    text: problem === null ? ruleText(rule, row.mode) : problem.cause,
    base: base === null ? null : { hash: base.hash, revision: base.revision },
    folder,
    workspace,
    problem,
  };
}

function problemOf(session: SyncSession, path: string): Explained['problem'] {
  const reason = problemReason(session, path) ?? reasonAbove(session, path);
  if (reason !== null) return { ...reason, retryAtMs: null };
  const waiting = session.problems.at(path);
  if (waiting !== null) {
    const { kind, cause, next } = waiting.failure;
    return { kind, cause, next, retryAtMs: waiting.retryAtMs };
  }
  return session.undurable.has(path) ? { ...notDurableReason, retryAtMs: session.durableAgainAtMs } : null;
}

/** What lies below something that cannot be looked into is neither seen nor touched. */
function reasonAbove(session: SyncSession, path: string): StateReason | null {
  const above = ancestorsOf(path).find((ancestor) => session.trees.localAt(ancestor)?.kind === 'blocked');
  if (above === undefined) return null;
  const reason = problemReason(session, above);
  return reason === null ? null : { ...reason, cause: `${above} is above it. ${reason.cause}` };
}

function stateOf(
  session: SyncSession,
  path: string,
  rule: SyncRule,
  problemKind: string | null,
): ExplainedState {
  // It counts as in motion, so that nothing is agreed on; what is in its way is the disk.
  if (problemKind === notDurableReason.kind) return 'waiting';
  if (session.isUnsettled(path)) return 'settling';
  if (problemKind === 'ignored') return 'ignored';
  if (problemKind !== null) return session.problems.isWaiting(path) ? 'waiting' : 'not_mirrored';
  if (session.conflicts.some((row) => row.path === path || row.copyPath === path)) return 'conflict';
  if (rule === 'absent') return 'absent';
  if (rule === 'equal') return 'same';
  return session.isLocalOnly(path) ? 'kept' : 'on_its_way';
}
