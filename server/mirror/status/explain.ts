// Explains the sync state of a path in one mirror: both sides and the base, the sync rule, and the problem. Reads the state of the
// session; no I/O.
import { ancestorsOf } from '../../core/paths/path.ts';
import { ruleOf, ruleText, type SyncRule } from '../../core/sync/rules.ts';
import type { FolderEntry } from '../../disk/port/folder.ts';
import type { MirrorRow } from '../../store/port/store.ts';
import type { SyncSession } from '../cycle/session.ts';
import type { WorkspaceFile } from '../state/trees.ts';
import { notDurableReason, problemReason, type StateReason } from './reasons.ts';

export type ExplainedState =
  /** Up to date. */
  | 'same'
  /** Transferred by the rule. */
  | 'on_its_way'
  /** Waiting for writes to finish. */
  | 'settling'
  /** Failed; retried automatically. */
  | 'waiting'
  | 'conflict'
  /** Local only. */
  | 'kept'
  | 'ignored'
  /** Cannot be synced. */
  | 'not_mirrored'
  | 'absent'
  /** Paused, halted before the first scan, or in error. */
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

/** `path`: relative to the root of the mirror. */
export function explain(row: MirrorRow, session: SyncSession | null, path: string): Explained {
  if (session === null || !session.hasScanned) {
    const text = row.paused ? 'The mirror is paused.' : 'The mirror has not finished its first scan.';
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
  return session.folderState.undurable.has(path)
    ? { ...notDurableReason, retryAtMs: session.folderState.durableAgainAtMs }
    : null;
}

/** Paths below a blocked directory are not synced. */
function reasonAbove(session: SyncSession, path: string): StateReason | null {
  const above = ancestorsOf(path).find((ancestor) => session.trees.localAt(ancestor)?.kind === 'blocked');
  if (above === undefined) return null;
  const reason = problemReason(session, above);
  return reason === null
    ? null
    : { ...reason, cause: `${above} contains it and is not synced. ${reason.cause}` };
}

function stateOf(
  session: SyncSession,
  path: string,
  rule: SyncRule,
  problemKind: string | null,
): ExplainedState {
  // The path counts as unsettled, so that the base is not updated; the problem is the disk.
  if (problemKind === notDurableReason.kind) return 'waiting';
  if (session.folderState.unsettled.has(path)) return 'settling';
  if (problemKind === 'ignored') return 'ignored';
  if (problemKind !== null) return session.problems.isWaiting(path) ? 'waiting' : 'not_mirrored';
  if (session.conflicts.some((row) => row.path === path || row.copyPath === path)) return 'conflict';
  if (rule === 'absent') return 'absent';
  if (rule === 'equal') return 'same';
  return session.isLocalOnly(path) ? 'kept' : 'on_its_way';
}
