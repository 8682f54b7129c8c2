// Every limit of the HTTP and WebSocket API, each with its unit.

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

export {
  refreshBytesMax,
  refreshCrashesMax,
  refreshDeletesMax,
  refreshDurationMaxMs,
  refreshFileBytesMax,
  refreshFilesMax,
  refreshMembersMax,
  refreshPageBytesMax,
  refreshPageFilesMax,
  refreshPagesMax,
  refreshPageValuesMax,
} from '../../delivery/limits.ts';

/** Bytes of all responses in the response cache, and of one of them: a tree page of 1,000 entries has some 300 KiB. */
export const responseCacheBytesMax = 32 * mebibyte;
export const responseCacheEntryBytesMax = 512 * kibibyte;
/** Entries per tree page. */
export const treePageEntries = 1000;
/** List parameters: invalid or below the minimum: default; above the maximum: maximum (docs/wire-contract.md#identifiers-and-numbers). */
export const treeDepth = { default: 10, max: 100 } as const;
export const eventsLimit = { default: 200, max: 1000 } as const;
/** Milliseconds that a request waits for the first event, and requests that wait at the same time. */
export const eventsWaitMs = { default: 0, max: 50_000 } as const;
export const eventWaitersMax = 512;
/** Milliseconds that a request waits for a change of a list of the agent, and requests that wait at the same time. */
export const listsWaitMs = { default: 0, max: 50_000 } as const;
export const listWaitersMax = 64;
/** Changes per response of fs/changes, and feed pages that it reads for them. */
export const changesLimit = { default: 100, max: 1000 } as const;
export const changesPagesMax = 20;
export { searchContext, searchLimit, searchWaitMs } from '../../search/limits.ts';
export const queryLimit = { default: 100, max: 1000 } as const;
export const forkChangesLimit = { default: 100, max: 1000 } as const;
/** Each change is read and compared, and the page is in memory as a whole. */
export const forkPatchesLimit = { default: 20, max: 20 } as const;
/** Characters of all patches of a page. The page ends with the change that reaches the limit; a single patch may exceed it. */
export const forkPatchesCharactersMax = 4 * mebibyte;
/** Gzip level of a tar export; 0: not compressed. Values outside are 400. Level 6 compresses for nearly twice as long, for 4 to 13 % less. */
export const exportLevel = { default: 1, min: 0, max: 9 } as const;
/** Paths that a refused commit or a rebase lists; its count includes all. */
export const forkConflictsMax = 1000;
/** Log entries per page. */
export const logLimit = { default: 100, max: 500 } as const;
/** Minutes whose log entries are counted. */
export const logMinutes = { default: 60, max: 1440 } as const;
/** Of the searched text of the log. */
export const logTextCharactersMax = 200;
/** Runs per page. */
export const runsLimit = { default: 50, max: 200 } as const;
/** Conflicts that the refusal of a commit or an undo of a run lists. */
export const runConflictsMax = 1000;
/** Merged paths that the answer of a commit or an undo of a run lists. */
export const runPathsMax = 1000;
export const historyLimit = { default: 100, max: 1000 } as const;
export const operationsLimit = { default: 100, max: 1000 } as const;
/** Actions that a plan lists, and revisions that an explanation lists. */
export const plannedStepsMax = 1000;
export const explainedRevisions = 20;
/** Minutes for which requests are counted per client, clients that are counted, and clients that a response lists. */
export const clientMinutes = 10;
export const clientsMax = 2000;
export const clientsListedMax = 100;
/** Bytes of a path-states request; the schema of its body limits the number of paths. */
export const pathStatesBodyBytesMax = 5 * mebibyte;
/** Pending deletions of a halted mirror per page. */
export const pendingDeletionsLimit = { default: 200, max: 1000 } as const;
/** Problems of a mirror per page; up to 5,000 of each cause can be listed (`mirror/status/problem-list.ts`). */
export const mirrorProblemsLimit = { default: 200, max: 1000 } as const;
/** Paths of each list in a preview of ignore rules. */
export const rulePreviewPathsMax = 1000;
/** Items per response of writeback/pending. */
export const writebackPendingMax = 1000;

/** Bytes of a bulk-read request; the schema of its body limits it to 100 paths. */
export const bulkReadBodyBytesMax = 64 * kibibyte;
/** Bytes of each text of a merge, and of its request: escapes make JSON longer. */
export const mergeInputBytesMax = 512 * kibibyte;
export const mergeBodyBytesMax = 8 * mebibyte;
/** Bytes of each text of a diff (core/merge/text-diff.ts); larger texts result in `too_large`. */
export const comparedTextBytesMax = 512 * kibibyte;
/** Conflict hunks that a failed merge lists, and characters of each text in them. */
export const mergeConflictsMax = 100;
export const mergeConflictCharactersMax = 4000;
/** Content of one bulk-read response; files above it get a 413 each and are read separately. */
export const bulkReadAnswerBytesMax = 32 * mebibyte;
/** A rule file has at most 1 MiB, and JSON can write one character as six. */
export const rulesBodyBytesMax = 7 * mebibyte;
/** Bodies of commands. */
export const commandBodyBytesMax = 256 * kibibyte;
/** Bodies of the sign-in, whose requests have no token. */
export const signInBodyBytesMax = 1 * kibibyte;
/** Of a sign-in at an OpenID provider: codes of some providers have 2,000 characters. */
export const openIdBodyBytesMax = 16 * kibibyte;
export const openIdRetryAfterSeconds = 5;
export { openIdFinishingMax, openIdFlowLifeMs } from '../../auth/openid.ts';
/** Retry-After of too many challenges of one sign-in session. */
export const signInRetryAfterSeconds = 60;
export {
  challengesPerMinuteMax,
  sessionAgeMsMax,
  sessionIdleMsMax,
  sessionsMax,
} from '../../auth/sign-in-sessions.ts';
/** A body with one token. */
export const tokenBodyBytesMax = 32 * kibibyte;

/** Conflicts of one answer about the mirrors of readable files. */
export const fileConflictsMax = 1000;

/** Rows per read of a list for a token with path scopes, and rows that one page examines. */
export const grantedChunkRows = 500;
export const grantedRowsScannedMax = 10_000;

/** Characters of the current content in a revision conflict (docs/wire-contract.md#errors). */
export const conflictPreviewCharacters = 4000;
/** Bytes read for that preview: at most four bytes per character. */
export const conflictPreviewBytesMax = 4 * conflictPreviewCharacters;

/** Characters of a correlation id. */
export const correlationIdCharactersMax = 1024;

/** Bytes of a request line and its headers: three paths of 4,096 bytes, percent-encoded. */
export const requestHeaderBytesMax = 64 * kibibyte;
/** Characters of one path parameter; longer ones are 404. */
export const pathParameterCharactersMax = 1024;
/** Time limit for the headers of a request. */
export const headersTimeoutMs = 20_000;
/** Time limit for a whole request with its body: 96 MiB at 2.5 Mbit/s. */
export const requestTimeoutMs = 300_000;
/** Lifetime of an idle connection. */
export const keepAliveTimeoutMs = 72_000;
/** Time for running requests to finish at shutdown, before their connections are closed. */
export const shutdownGraceMs = 10_000;
/** Interval at which idle connections are closed during that time. */
export const shutdownSweepMs = 20;

/** A body with more received bytes is large. Received bytes count, not the announced length. */
export const smallBodyBytes = 64 * kibibyte;
/** Bytes of all small bodies in memory; above it, each further body counts as large. */
export const smallBodiesBytesMax = 32 * mebibyte;
/** Bytes of all large bodies in memory except the oldest, which is always read to its end. Others wait in order. */
export const largeBodiesBytesMax = 96 * mebibyte;
/** The same for signed bodies, whose sender is unknown until they are complete: they have a separate budget. */
export const unverifiedBodiesBytesMax = 16 * mebibyte;
/** Large bodies that may wait for memory, and for how long; beyond either limit: 429 with Retry-After. */
export const largeBodiesWaitingMax = 64;
export const largeBodyWaitMsMax = 30_000;
export const largeBodyRetryAfterSeconds = 1;
/** Minimum rate of a body in each window while the agent reads it; a slower sender gets 408. */
export const bodyBytesPerSecondMin = 16 * kibibyte;
export const bodyRateWindowMs = 10_000;

/** Limits of a JSON body: values (names of members do not count), levels of objects and arrays, members of one object. Above: 413. */
export const jsonValuesMax = 200_000;
export const jsonDepthMax = 64;
export const jsonMembersMax = 10_000;
export const jsonLimits = {
  valuesMax: jsonValuesMax,
  depthMax: jsonDepthMax,
  membersMax: jsonMembersMax,
} as const;
/** JSON bodies up to this size are parsed at once, larger ones in slices with a return to the event loop between them. */
export const wholeParseBytes = 256 * kibibyte;
/** Files per bulk write. */
export const bulkFilesMax = 10_000;

/** Bodies streamed to the disk at the same time; above: 429. */
export const streamedBodiesMax = 64;
/** Characters of the content identity of such a body, as in JSON bodies. */
export const identityKindCharactersMax = 255;
export const identityKeyCharactersMax = 1024;

/** Limits of a WebSocket stream. */
export const socketInboundBytesMax = 64 * kibibyte;
export const socketInlineContentBytesMax = 1 * mebibyte;
export const socketBufferedFramesMax = 4096;
/** Above this number of unsent bytes, frames have no inline content, and the client reads the file. */
export const socketInlineBufferedBytesMax = 8 * mebibyte;
/** Unsent inline content of all streams; above it, frames have no inline content. */
export const socketsInlineBytesMax = 64 * mebibyte;
/** Bytes of contents in encoded events that streams share. */
export const socketsSharedBytesMax = 4 * mebibyte;
/** Above this number of unsent frames, the stream waits for the client before it reads further events. */
export const socketPacedFrames = 1024;
/** Maximum wait per batch after the catch-up. */
export const socketPaceMs = 250;
export const socketLegacyCatchUpEvents = 100;
/** Streams of all clients; above: 429 before the upgrade. */
export const socketsMax = 1024;
export const socketPathFiltersMax = 64;
/** Interval of ping frames; a peer that does not answer before the next one is disconnected. */
export const socketHeartbeatMs = 30_000;
/** Time limit of a closing handshake. */
export const socketCloseGraceMs = 2_000;

/** Characters of a content type, and of all metadata of a file. */
export const contentTypeCharactersMax = 255;
export const semanticsCharactersMax = 256 * kibibyte;

/** `property.<key>` filters per query. */
export const queryPropertiesMax = 32;
/** Retry-After when a delete quota is used up, and when two exports are running. */
export const deleteQuotaRetryAfterSeconds = 60;
export const exportRetryAfterSeconds = 1;
/** Retry-After while all compute threads are busy (server/compute/pool.ts). */
export const computeRetryAfterSeconds = 1;
/** Default timeout of /agent/settle. */
export const settleTimeoutDefaultMs = 60_000;
/** Default timeout of a proof, which reads the whole folder. */
export const proofTimeoutDefaultMs = 600_000;

/** Dead letters per page. */
export const deadLettersLimit = { default: 100, max: 1000 } as const;
/** Default number of deliveries per claim. */
export const claimDefault = 100;
/** Retry-After while another import runs. */
export const importRetryAfterSeconds = 5;
/** Parameters of administrative lists; values outside are 400 (docs/wire-contract.md#identifiers-and-numbers). */
export const adminLimit = { default: 200, min: 1, max: 5000 } as const;
export const adminAlerts = { default: 200, min: 0, max: 10_000 } as const;
/** Characters of names from a sender. */
export const providerCharactersMax = 128;
export const deliveryIdCharactersMax = 512;
/** Retry-After of a full queue of inbound events. */
export const ingestRetryAfterSeconds = 1;
