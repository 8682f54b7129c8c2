// Limits of runs.

/** Times that a commit merges again because the workspace changed meanwhile. */
export const commitAttemptsMax = 5;
/** Changes whose lines a summary counts; the others are counted as files only. */
export const comparedFilesMax = 500;
/** Staged changes that are read at once. */
export const stagedPageRows = 1000;
/** Times that an undo decides on files that were changed since, a thousand at a time. */
export const undoAttemptsMax = 12;
/** A run ends automatically after so long, as its fork does. */
export const runTtlSeconds = 30 * 24 * 3600;
/** For so long the folder of an ended run is kept. */
export const folderKeptMs = 7 * 24 * 3_600_000;
/** Files that no mirror syncs, for example of `.git` and `node_modules`, that the folder of a run gets as copies, at most. */
export const copyLimits = {
  filesMax: 200_000,
  bytesMax: 8 * 1024 ** 3,
  /** Free space of the disk that the copies leave. */
  freeBytesMin: 1024 ** 3,
};
/** Characters of the patches of one page of ignored changes: it ends with the one that exceeds them. */
export const ignoredPatchesCharactersMax = 4 * 1024 * 1024;
/** A commit waits for so long for the latest changes of the folder; a folder with others is kept. */
export const commitSettleMs = 5_000;
