// Limits and intervals of remotes.

/** Paths that are decided at once. */
export const slicePathsMax = 1_000;
/** Files of one bulk write, and their bytes. */
export const sendFilesMax = 256;
export const sendBytesMax = 8 * 1024 * 1024;
/** Files of one read of many, the server's limit. */
export const readFilesMax = 100;
/** Requests of one remote at once. */
export const requestsMax = 4;
/** Larger contents are large: they are transferred beside the loop, received in pieces and sent as a stream. */
export const wholeBytesMax = 4 * 1024 * 1024;
/** For reads that need no content: empty ones alone come with them. */
export const contentsOmitted = 0;
/** Large files that are transferred at once. */
export const largeTransfersMax = 2;
/** Bytes of one ranged request; with a bandwidth limit no more than pass in `pieceMsMax`, and at least `pieceBytesMin`. */
export const pieceBytesMax = 4 * 1024 * 1024;
export const pieceBytesMin = 64 * 1024;
export const pieceMsMax = 20_000;
/** A transfer of which nothing moves for this time has ended. */
export const stalledMsMax = 60_000;
/** The whole of a large body; `stalledMsMax` ends it earlier. */
export const streamTimeoutMs = 24 * 3_600_000;
/** Larger files are listed and not transferred. */
export const fileBytesMaxDefault = 64 * 1024 * 1024;
/** An identity is repeated at most this long after it was first sent. */
export const identityTtlSeconds = 7 * 24 * 3600;

/** Pauses between attempts to connect double from the first to the last, with jitter. */
export const reconnectMsFirst = 250;
export const reconnectMsLast = 30_000;
/** A change here ends such a pause after this time. */
export const changeRetryMs = 5_000;
/** A refused token is tried again after this time, or when its file changes. */
export const tokenRetryMs = 60_000;
/** Meanwhile its file is looked at so often. */
export const tokenLookMs = 2_000;
/** A path that failed is tried again; doubles up to the last. */
export const pathRetryMsFirst = 1_000;
export const pathRetryMsLast = 10 * 60_000;
/** The remote is listed again after so long. */
export const listEveryMs = 24 * 3_600_000;
/** The remote is listed again after so long without a connection. */
export const listAfterOfflineMs = 3_600_000;
/** Time limit of a request. Its bodies extend it (sdk/transport.ts). */
export const requestTimeoutMs = 60_000;

/** More than half of at least this many files deleted halts the remote. */
export const massDeletionFilesMin = 10;
/** More deletions a minute halt the remote. */
export const deletionsPerMinuteMax = 1_000;
/** Paths with a problem that status lists. */
export const listedProblemsMax = 100;
/** A token that expires within this time is a warning. */
export const tokenExpiryWarningMs = 3 * 24 * 3_600_000;
/** Clocks that differ by more are a warning: expiries and times in history are off. */
export const clockOffsetWarningMs = 60_000;
/** Time limit of the connections of a diagnosis. */
export const diagnosisMs = 10_000;
/** Bytes of a token file. */
export const tokenFileBytesMax = 64 * 1024;
