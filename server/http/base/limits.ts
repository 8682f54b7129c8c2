// Every limit of the HTTP and WebSocket face, once, each with its unit. The contract's own limits name their paragraph.

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

/** A tree page (contract 0.8). */
export const treePageEntries = 1000;
/** Integers of lists: below the minimum or no integer -> default, above the maximum -> maximum (contract 0.6). */
export const treeDepth = { default: 10, max: 100 } as const;
export const eventsLimit = { default: 200, max: 1000 } as const;
/** Changes of one answer of fs/changes, and pages of the feed that are looked through for it. */
export const changesLimit = { default: 100, max: 1000 } as const;
export const changesPagesMax = 20;
export const queryLimit = { default: 100, max: 1000 } as const;
export const forkChangesLimit = { default: 100, max: 1000 } as const;
/** Each is read and compared: a page is held as a whole. */
export const forkPatchesLimit = { default: 20, max: 20 } as const;
/** Characters of all patches of a page. The page ends with the change that reaches it; a single patch may be larger. */
export const forkPatchesCharactersMax = 4 * mebibyte;
/** Paths that a refused commit or a rebase lists; its count says how many there are. */
export const forkConflictsMax = 1000;
export const historyLimit = { default: 100, max: 1000 } as const;
export const operationsLimit = { default: 100, max: 1000 } as const;
/** Steps of a dry run that are answered, and revisions that explain a path. */
export const plannedStepsMax = 1000;
export const explainedRevisions = 20;
/** Minutes of which requests are counted for each client, clients that are counted, and how many of them an answer lists. */
export const clientMinutes = 10;
export const clientsHeldMax = 2000;
export const clientsListedMax = 100;
/** Paths whose state is asked for at once: their number stands in the schema of the body, their bytes here. */
export const pathStatesBodyBytesMax = 5 * mebibyte;
/** Files that a halted mirror shows at once. */
export const heldDeletionsLimit = { default: 200, max: 1000 } as const;
/** Problems of a mirror that are listed at once; 5,000 of each cause can be listed (`mirror/status/problem-list.ts`). */
export const mirrorProblemsLimit = { default: 200, max: 1000 } as const;
/** Paths of each list of a preview of ignore rules. */
export const rulePreviewPathsMax = 1000;
/** Items of one writeback/pending answer. */
export const writebackPendingMax = 1000;

/** Bytes of a bulk-read request (contract 2); its 100 paths stand in the schema of its body. */
export const bulkReadBodyBytesMax = 64 * kibibyte;
/** Bytes of each text of a merge, and of its whole request (contract 0.8): escapes make JSON longer. */
export const mergeInputBytesMax = 512 * kibibyte;
export const mergeBodyBytesMax = 8 * mebibyte;
/** Bytes of each text of a comparison (core/merge/text-diff.ts); larger ones are answered as `too_large`. */
export const comparedTextBytesMax = 512 * kibibyte;
/** What the answer of a merge that clashed shows: so many places, and so much of each text. */
export const mergeClashesMax = 100;
export const mergeClashCharactersMax = 4000;
/** Content of one bulk-read answer; what would go over it is answered per file as 413, to be read one by one. */
export const bulkReadAnswerBytesMax = 32 * mebibyte;
/** A rule file has at most 1 MiB, and JSON may write a character as six. */
export const rulesBodyBytesMax = 7 * mebibyte;
/** Bodies of our own small commands. */
export const commandBodyBytesMax = 256 * kibibyte;
/** Body of the one open POST, the exchange of a sign-in code. */
export const signInBodyBytesMax = 1 * kibibyte;
/** Body that carries one token. */
export const tokenBodyBytesMax = 32 * kibibyte;

/** Rows that one read of a list takes for a token whose grant has paths, and that one page looks at. */
export const grantedChunkRows = 500;
export const grantedRowsScannedMax = 10_000;

/** Characters of the current content that a revision conflict shows (contract 0.2). */
export const conflictPreviewCharacters = 4000;
/** Bytes read for such a preview: four bytes a character at most. */
export const conflictPreviewBytesMax = 4 * conflictPreviewCharacters;

/** Characters of a correlation id; the contract asks only for a non-empty text. */
export const correlationIdCharactersMax = 1024;

/** Bytes of a request line with its headers: a path of 4,096 bytes, percent-encoded, and two more beside it. */
export const requestHeaderBytesMax = 64 * kibibyte;
/** Characters of one path parameter; longer ones name nothing. */
export const pathParameterCharactersMax = 1024;
/** A request's headers must have come within this time. */
export const headersTimeoutMs = 20_000;
/** A whole request, its body included, must have come within this time: 96 MiB at 2.5 Mbit/s. */
export const requestTimeoutMs = 300_000;
/** An idle connection is kept this long. */
export const keepAliveTimeoutMs = 72_000;
/** How long requests that run may take to finish at shutdown, before their connections are cut. */
export const shutdownGraceMs = 10_000;
/** Meanwhile, connections whose last answer is out are let go this often. */
export const shutdownSweepMs = 20;

/** A body is large once more bytes of it have come. Bytes are counted as they arrive, whatever length was announced. */
export const smallBodyBytes = 64 * kibibyte;
/** Bytes of all small bodies in memory; beyond them each further body counts as a large one. */
export const smallBodiesBytesMax = 32 * mebibyte;
/** Bytes of all large bodies in memory beside the oldest one, which is always read to its end. Others wait for room in their order. */
export const largeBodiesBytesMax = 96 * mebibyte;
/** The same for bodies whose sender is not known before they have come (signed ones): they never take room from the others. */
export const unverifiedBodiesBytesMax = 16 * mebibyte;
/** Large bodies that may wait for room, and how long; a further one, or one that waits longer, is answered 429 with Retry-After. */
export const largeBodiesWaitingMax = 64;
export const largeBodyWaitMsMax = 30_000;
export const largeBodyRetryAfterSeconds = 1;
/** Bytes a second that a body must bring in each such time, while the agent reads it; a slower sender is answered 408. */
export const bodyBytesPerSecondMin = 16 * kibibyte;
export const bodyRateWindowMs = 10_000;

/** What a JSON body may hold: values (names of members do not count), levels of objects and arrays, members of one object. More is
 * answered 413. */
export const jsonValuesMax = 200_000;
export const jsonDepthMax = 64;
export const jsonMembersMax = 10_000;
/** The three of them. */
export const jsonLimits = {
  valuesMax: jsonValuesMax,
  depthMax: jsonDepthMax,
  membersMax: jsonMembersMax,
} as const;
/** JSON bodies up to this size are parsed at once, larger ones in slices between which other requests get their turn. */
export const wholeParseBytes = 256 * kibibyte;
/** Files of one bulk write. */
export const bulkFilesMax = 10_000;

/** Bodies that are streamed to the disk at the same time; a further one is answered 429. */
export const streamedBodiesMax = 64;

/** The WebSocket stream (contract 0.8 and 2). */
export const socketInboundBytesMax = 64 * kibibyte;
export const socketInlineContentBytesMax = 1 * mebibyte;
export const socketBufferedFramesMax = 4096;
/** Above this many unsent bytes frames go without inline content (the client reads the file then). */
export const socketInlineBufferedBytesMax = 8 * mebibyte;
/** Unsent inline content of all streams together: what would go over it goes without, too. */
export const socketsInlineBytesMax = 64 * mebibyte;
/** Above this many unsent frames the stream waits for the client before it reads on... */
export const socketPacedFrames = 1024;
/** ...but, once the catch-up is over, never longer than this for each batch. */
export const socketPaceMs = 250;
export const socketLegacyCatchUpEvents = 100;
/** Streams of all clients together; a further one is answered 429 before the upgrade. */
export const socketsMax = 1024;
export const socketPathFiltersMax = 64;
/** A ping frame this often; a peer that has not answered by the next one is gone. */
export const socketHeartbeatMs = 30_000;
/** How long a closing handshake may take before the connection is cut. */
export const socketCloseGraceMs = 2_000;

/** Characters of a content type, and of all metadata of a file together. */
export const contentTypeCharactersMax = 255;
export const semanticsCharactersMax = 256 * kibibyte;

/** `property.<key>` filters of one query. */
export const queryPropertiesMax = 32;
/** Retry-After of a refused delete (contract 0.2) and of a refused export (ruling 32). */
export const deleteQuotaRetryAfterSeconds = 60;
export const exportRetryAfterSeconds = 1;
/** Retry-After while all threads that compute are busy (server/compute/pool.ts). */
export const computeRetryAfterSeconds = 1;
/** How long a settle waits when the caller does not say. */
export const settleTimeoutDefaultMs = 60_000;
/** The same of a proof, which reads the whole folder. */
export const proofTimeoutDefaultMs = 600_000;

/** Dead letters of one page (contract 0.8). */
export const deadLettersLimit = { default: 100, max: 1000 } as const;
/** Deliveries of a subscription that one claim takes when it does not say. */
export const claimDefault = 100;
/** Retry-After of an import while another one runs. */
export const importRetryAfterSeconds = 5;
/** Admin lists: outside of these a request is refused (contract 0.6). */
export const adminLimit = { default: 200, min: 1, max: 5000 } as const;
export const adminAlerts = { default: 200, min: 0, max: 10_000 } as const;
/** What a sender names. */
export const providerCharactersMax = 128;
export const deliveryIdCharactersMax = 512;
/** Retry-After of a full queue (contract 0.2). */
export const ingestRetryAfterSeconds = 1;
