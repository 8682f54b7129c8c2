// When a mirror halts: the root is not the mirrored folder, or more files are deleted or truncated than the limits allow
// (docs/sync-rules.md#11, docs/sync-rules.md#27). Pure.
import { type HaltReason, haltReasons } from '../../contract/workspaces.ts';
import type { RootState } from '../../disk/port/folder.ts';

export type HaltCause = HaltReason;
/** Halts with two resolutions: restore the files, or delete them. */
export type DeletionHaltCause = Extract<HaltCause, 'emptied' | 'mass_delete' | 'delete_rate'>;

/** With fewer tracked files the share is not checked. */
const trackedMin = 10;
/** With fewer tracked files all of them may be deleted: a single deletion is ordinary. */
const emptiedMin = 2;
/** Deletions applied this recently count with the planned ones: otherwise a slow `rm -r` would pass in parts. */
export const deletionWindowMs = 60_000;
/** Deletions per minute above which a mirror halts, unless it has a limit of its own. */
const deletesPerMinuteDefault = 1000;

/** `own`: the limit that was set for the mirror, or null. */
export function resolveDeletionLimit(own: number | null): number {
  return own ?? deletesPerMinuteDefault;
}

export interface KnownRoot {
  readonly markerId: string;
  readonly rootDevice: string;
  readonly rootInode: string;
}

/** `unmarked`: the same directory, but its marker is gone; it is the same only if no tracked file is missing. */
export function checkRoot(root: RootState, known: KnownRoot): 'same' | 'unmarked' | HaltCause {
  switch (root.kind) {
    case 'missing':
      return 'root_missing';
    case 'not_directory':
      return 'root_not_directory';
    case 'unreadable':
      return 'root_unreadable';
    case 'present':
      // The marker decides: device numbers change when a disk is mounted anew, and inode numbers are used again.
      if (root.markerId === known.markerId) return 'same';
      if (root.markerId !== null) return 'root_replaced';
      return root.device === known.rootDevice && root.inode === known.rootInode
        ? 'unmarked'
        : 'root_replaced';
  }
}

export interface DeletionCounts {
  readonly tracked: number;
  /** Files in the folder whose content was not truncated. */
  readonly left: number;
  /** Planned deletions and truncations of the workspace. */
  readonly deletes: number;
  /** Files that have just vanished and are not stable yet, less those that have just appeared (a renamed directory). */
  readonly leaving: number;
  /** Deletions applied within `deletionWindowMs`. */
  readonly recentDeletes: number;
  /** Files whose truncation was applied within `deletionWindowMs` and that are still truncated. They are still tracked. */
  readonly recentTruncations: number;
  readonly deletesPerMinuteMax: number;
}

export function checkDeletions(loss: DeletionCounts): DeletionHaltCause | null {
  if (loss.deletes === 0) return null;
  const tracked = loss.tracked + loss.recentDeletes;
  // Of files that vanish together one may be stable before the other: no deletion is applied before all are counted.
  if (tracked >= emptiedMin && loss.left - loss.leaving <= 0) return 'emptied';
  const total = loss.deletes + loss.recentDeletes + loss.recentTruncations;
  if (tracked >= trackedMin && (total + loss.leaving) * 2 > tracked) return 'mass_delete';
  return total > loss.deletesPerMinuteMax ? 'delete_rate' : null;
}

export function isDeletionHalt(cause: HaltCause | null): cause is DeletionHaltCause {
  return cause === 'emptied' || cause === 'mass_delete' || cause === 'delete_rate';
}

export function isHaltCause(text: string): text is HaltCause {
  return (haltReasons as readonly string[]).includes(text);
}

/** Both 0 where it is not known. */
export interface PendingCounts {
  readonly deletions: number;
  readonly truncations: number;
}
const unknownCounts: PendingCounts = { deletions: 0, truncations: 0 };

function lossNext({ truncations, deletions }: PendingCounts): string {
  return truncations === 0 && deletions > 0
    ? 'Put the files back to continue automatically, restore them from the workspace, or confirm the deletion.'
    : 'Put the files and their contents back to continue automatically, restore them from the workspace, or confirm the changes.';
}

/** `gone`: the verb for files that were only deleted. */
function lostHow({ truncations, deletions }: PendingCounts, gone: string): string {
  if (truncations === 0 && deletions > 0) return gone;
  return deletions === 0 && truncations > 0 ? 'were truncated' : 'were deleted or truncated';
}

/** For people: the cause, and what to do. */
export function haltText(
  cause: HaltCause,
  dir: string,
  pending: PendingCounts = unknownCounts,
): { readonly cause: string; readonly next: string } {
  switch (cause) {
    case 'root_missing':
      return {
        cause: `The folder ${dir} is missing.`,
        next: 'Connect its disk or put the folder back; the mirror continues automatically. Nothing was deleted in the workspace.',
      };
    case 'root_not_directory':
      return {
        cause: `${dir} is no longer a folder.`,
        next: 'Put the folder back; the mirror continues automatically. Nothing was deleted in the workspace.',
      };
    case 'root_unreadable':
      return {
        cause: `The folder ${dir} cannot be read.`,
        next: 'Give the agent access to it; the mirror continues automatically.',
      };
    case 'root_replaced':
      return {
        cause: `The folder ${dir} is not the one that was mirrored.`,
        next: 'Put the original folder back, or resume to merge this folder: files are added on both sides and none are deleted.',
      };
    case 'emptied':
      return { cause: `All files in ${dir} ${lostHow(pending, 'are missing')}.`, next: lossNext(pending) };
    case 'mass_delete':
      return {
        cause: `More than half of the files in ${dir} ${lostHow(pending, 'are missing')}.`,
        next: lossNext(pending),
      };
    case 'delete_rate':
      return {
        cause: `More files in ${dir} ${lostHow(pending, 'were deleted')} within one minute than the deletion limit allows.`,
        next: lossNext(pending),
      };
  }
}
