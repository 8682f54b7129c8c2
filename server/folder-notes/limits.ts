// Limits of the notes in mirrored folders.

/** Between two replacements of the notes of one folder. */
export const noteEveryMs = 1000;
/** Dead letters and counts can change without an event of the workspace: they are read again after so long. */
export const refreshEveryMs = 60_000;
/** Conflicts, problems and dead letters that are listed, each; their counts are complete. */
export const listedMax = 50;
/** Dead letters that are read to find those of the folder. */
export const deadLettersReadMax = 200;
/** The last notes of all folders at the end of the agent. */
export const lastNotesWithinMs = 1000;
