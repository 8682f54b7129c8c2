// When a mirror must not act at all: the folder is not the one that was mirrored, or so much of it is gone or truncated that it
// was hardly meant (sync-engine rules 11, 27). Pure. A halt is remembered by its cause, said in four parts, and never deletes anything.
import { type HaltReason, haltReasons } from '../../contract/workspaces.ts';
import type { RootState } from '../../disk/port/folder.ts';

export type HaltCause = HaltReason;
/** Halts that a person can answer with "restore" or "yes, delete them". */
export type DeletionHaltCause = Extract<HaltCause, 'emptied' | 'mass_delete' | 'delete_rate'>;

/** Below this many tracked files a share says nothing. */
const trackedMin = 10;
/** Fewer tracked files than this may all be deleted: a single one is an ordinary deletion. */
const emptiedMin = 2;
/** Deletions that were carried out this recently count with the ones to come, or a slow `rm -r` would pass in slices. */
export const deletionWindowMs = 60_000;
/** More deletions than this within a minute are asked about, whatever their share; a missing setting means this. */
const deletesPerMinuteDefault = 1000;

/** How many a mirror believes. `wanted`: what was set for it; null: nothing was. */
export function resolveDeletionLimit(wanted: number | null): number {
  return wanted ?? deletesPerMinuteDefault;
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
  /** Files that the folder still holds and whose content was not truncated. */
  readonly left: number;
  /** Deletions and truncations that the next step would carry into the workspace. */
  readonly deletes: number;
  /** Files that have just vanished and are not at rest yet, less those that have just appeared (a renamed directory). */
  readonly leaving: number;
  /** Deletions that were carried there within `deletionWindowMs`. */
  readonly recentDeletes: number;
  /** Files whose truncation was carried there within `deletionWindowMs` and that are still truncated. They are still tracked. */
  readonly recentTruncations: number;
  readonly deletesPerMinuteMax: number;
}

export function checkDeletions(loss: DeletionCounts): DeletionHaltCause | null {
  if (loss.deletes === 0) return null;
  const tracked = loss.tracked + loss.recentDeletes;
  // Of files that vanish together one may be at rest a moment before the other: none goes before all of them are counted.
  if (tracked >= emptiedMin && loss.left - loss.leaving <= 0) return 'emptied';
  const carried = loss.deletes + loss.recentDeletes + loss.recentTruncations;
  if (tracked >= trackedMin && (carried + loss.leaving) * 2 > tracked) return 'mass_delete';
  return carried > loss.deletesPerMinuteMax ? 'delete_rate' : null;
}

export function isDeletionHalt(cause: HaltCause | null): cause is DeletionHaltCause {
  return cause === 'emptied' || cause === 'mass_delete' || cause === 'delete_rate';
}

export function isHaltCause(text: string): text is HaltCause {
  return (haltReasons as readonly string[]).includes(text);
}

/** How many changes are held back; both 0 where that is not known. */
export interface PendingCounts {
  readonly deletions: number;
  readonly truncations: number;
}
const unknownCounts: PendingCounts = { deletions: 0, truncations: 0 };

function lossNext({ truncations, deletions }: PendingCounts): string {
  return truncations === 0 && deletions > 0
    ? 'Put them back and the mirror goes on by itself, restore them from the workspace, or say that they are to be deleted.'
    : 'Put the files and their contents back to continue automatically, restore them from the workspace, or accept the changes.';
}

/** `gone` is what the sentence says of files that were only deleted. */
function lostHow({ truncations, deletions }: PendingCounts, gone: string): string {
  if (truncations === 0 && deletions > 0) return gone;
  return deletions === 0 && truncations > 0 ? 'were truncated' : 'were deleted or truncated';
}

/** What people read: why, and what they can do. */
export function haltText(
  cause: HaltCause,
  dir: string,
  held: PendingCounts = unknownCounts,
): { readonly cause: string; readonly next: string } {
  switch (cause) {
    case 'root_missing':
      return {
        cause: `The folder ${dir} is not there.`,
        next: 'Connect its disk or put the folder back; the mirror goes on by itself. Nothing was deleted in the workspace.',
      };
    case 'root_not_directory':
      return {
        cause: `${dir} is not a folder any more.`,
        next: 'Put the folder back; the mirror goes on by itself. Nothing was deleted in the workspace.',
      };
    case 'root_unreadable':
      return {
        cause: `The folder ${dir} cannot be read.`,
        next: 'Give the agent access to it; the mirror goes on by itself.',
      };
    case 'root_replaced':
      return {
        cause: `The folder ${dir} is not the one that was mirrored.`,
        next: 'Put the mirrored folder back, or resume: then this folder is only added to, on both sides, and nothing is deleted.',
      };
    case 'emptied':
      return { cause: `All files of ${dir} ${lostHow(held, 'are gone')}.`, next: lossNext(held) };
    case 'mass_delete':
      return {
        cause: `More than half of the files of ${dir} ${lostHow(held, 'are gone')}.`,
        next: lossNext(held),
      };
    case 'delete_rate':
      return {
        cause: `More files of ${dir} ${lostHow(held, 'were deleted')} within one minute than the limit allows.`,
        next: lossNext(held),
      };
  }
}
