// Limits of the MCP server.

/** Bytes of the body of one request to `/mcp`. */
export const mcpBodyBytesMax = 4 * 1024 * 1024;
/** Tokens with a handler of their own; above it the one that was used least recently is closed, if it has no open request. */
export const mcpTokensMax = 256;
/** Open requests of one token. Waiting calls and subscriptions count. */
export const mcpRequestsPerTokenMax = 64;
/** Resource subscriptions of one token, or of one stdio connection. */
export const mcpSubscriptionsMax = 32;
/** Characters of an answer, unless the call names another number. */
export const answerCharactersDefault = 10_000;
export const answerCharactersMax = 40_000;
/** Characters of the current content that a conflict shows. */
export const conflictCharactersMax = 4_000;
/** Characters of a whole error text; clients cut longer ones. */
export const errorCharactersMax = 8_000;
/** Bytes of a file that read_file and edit_file load. */
export const readBytesMax = 4 * 1024 * 1024;
/** Lines that a diff compares by lines; longer texts are shown as one hunk. */
export const diffLinesMax = 400;
/** Files of one answer of search, and its wait for what was written just before. */
export const searchFilesPerAnswer = 20;
export const searchWaitMs = 5_000;
/** Files that one call may delete or overwrite without `confirm`, and files that it may change at all. */
export const unconfirmedFilesMax = 20;
export const filesPerCallMax = 1_000;
/** Staged changes that one answer reads, and those with patches. */
export const stagedChangesPerAnswerMax = 200;
export const stagedPatchesPerAnswerMax = 20;
/** Paths that an answer lists; its count includes all. */
export const listedPathsMax = 100;
/** Dead letters that status counts, and conflicts whose path it names. */
export const deadLettersCountedMax = 1_000;
export const conflictPathsMax = 20;
/** Lifetime of the fork that makes several changes one change. */
export const stagingTtlSeconds = 300;
/** Changes of one answer of wait_for_changes, and time in which further changes of a burst join it. */
export const changesPerAnswerMax = 100;
export const burstMs = 100;
export const waitSecondsDefault = 25;
/** Duration of one waiting request of a subscription. */
export const subscriptionWaitMs = 25_000;
/** Pause of a subscription after a failed read. */
export const subscriptionRetryMs = 1_000;
/** Programs whose name of the older era is remembered for one token. */
export const clientProgramsMax = 16;
